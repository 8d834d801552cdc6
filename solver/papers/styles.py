"""The variants of Queenbee's search that the thesis compares (van Rijswijck 2000, chapters 6 and 7), by name.

Weights of move categories are given in tenths of a ply, for the categories -4 and less, -3, ..., 7, 8 and more. Categories are of badness,
or of tension, of which there are none below 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from solver.papers.queenbee import Search
from solver.position import Size

ONE_PLY = [10] * 13
_NARROWING, _CLASSES, _CLASSES_PRINTED = 1, 2, 3
_GHOSTS, _EXTENSION = 1, 2
_PLY_BY_PLY = 10  # budgets of one ply more, where moves do not cost one ply each


@dataclass(frozen=True)
class Style:
    """One way to search."""

    meaning: str
    settings: dict[str, Any] = field(default_factory=dict)  # what differs from a full-width search of fixed depth

    def search(self, size: Size) -> Search:
        """A search of that style."""
        return Search(size.columns, size.rows, **({"weights": ONE_PLY} | self.settings))


def _weighted(meaning: str, weights: list[int], **settings: Any) -> Style:
    return Style(meaning, {"weights": weights, "step": _PLY_BY_PLY} | settings)


_EXTENSIONS = [5] * 5 + [10] * 8
_REDUCTIONS = [10] * 5 + [20, 30, 40, 50, 60, 70, 80, 90]
_TENSION_EXTENSIONS = [10] * 4 + [10, 10, 7, 5, 4, 3, 2, 1, 1]
_TENSION_REDUCTIONS = [30] * 4 + [30, 25, 20, 15, 10, 10, 10, 10, 10]
_CONFERENCE = [5] * 4 + [10, 10, 15, 30, 50, 60, 60, 60, 60]

FULL_WIDTH = "full width"
STYLES = {
    FULL_WIDTH: Style("iterative-deepening PVS of odd depths, every move, all of the same weight"),
    "beam of 10": Style("the ten moves of the lowest badness in each position (6.1)", {"width": 10}),
    "beam of 5": Style("the five moves of the lowest badness (6.1)", {"width": 5}),
    "narrowing beam": Style("D - d moves at distance d from the root in an iteration of depth D (6.1)", {"taper": _NARROWING}),
    "class taper": Style("moves of badness h / d at most, h the plies left below (7.1)", {"taper": _CLASSES}),
    "class taper, printed": Style("moves of badness d / h at most, as 7.1 prints the formula", {"taper": _CLASSES_PRINTED}),
    "extensions": _weighted("weight 1/2 for categories up to 0, else 1 (table 7.3)", _EXTENSIONS),
    "extensions, two budgets": _weighted("as extensions, each side paying from its own budget (7.3)", _EXTENSIONS, two_budgets=True),
    "reductions": _weighted("weight 1 + c for categories c above 0, else 1 (table 7.3)", _REDUCTIONS),
    "conference weights": _weighted("the hand-tuned weights of the conference paper, section 5.2", _CONFERENCE),
    "tension extensions": _weighted("the lower weight, the higher the tension (table 7.6)", _TENSION_EXTENSIONS, tension=True),
    "tension reductions": _weighted("the higher weight, the lower the tension (table 7.6)", _TENSION_REDUCTIONS, tension=True),
    "singular extensions": _weighted("weight 1/2 for a move that looks better than all others (6.5)", [5] * 4 + [10] * 9),
    "null move": Style("a pass and a search of two plies less refute positions first (6.5)", {"null_move": 2}),
    "forward pruning": Style("positions in which the mover is ahead already are cut off (6.5)", {"threshold": 0}),
    "forward pruning at 2": Style("the same where the mover is two steps of board potential ahead", {"threshold": 200}),
    "balanced": Style("leaves count as the average with their parent (6.5)", {"balanced": True}),
    "defensive": Style("lines end with a move of the opponent: even depths (6.5)", {"defensive": True}),
    "ghost pieces": Style("third-row edge patterns add stones before a leaf is evaluated (6.4)", {"before": _GHOSTS}),
    "edge extension": Style("stones of third-row edge patterns count as edge when a leaf is evaluated (6.4)", {"before": _EXTENSION}),
    "without reversible moves": Style("reversible moves are left out (8.6)", {"prunes_reversible": True}),
}
