"""Queenbee: what its search variants are worth (van Rijswijck 2000, chapters 6 to 8)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial

from solver.engine import Engine
from solver.notation import parse_moves
from solver.papers import categories
from solver.papers.matches import Player, Score, match, queenbee
from solver.papers.styles import FULL_WIDTH, STYLES, Style
from solver.papers.study import Study, Table, Value
from solver.papers.threats import PatternSearch
from solver.papers.values import judged_positions
from solver.position import Color, Position, Size

MATCH_SIZE = Size(7, 7)
FEW_NODES, MANY_NODES = 2_000, 100_000  # for a move
THEIR_HEXY = "Hexy at level 1"
SELECTIVE = {  # table 7.2: Queenbee's openings won, drawn and lost against Hexy
    FULL_WIDTH: Score(3, 14, 8),
    "beam of 10": Score(3, 19, 3),
    "beam of 5": Score(10, 12, 3),
    "class taper": Score(5, 19, 1),
    "class taper, printed": None,
    "narrowing beam": None,
}
FRACTIONAL = {  # tables 7.4 and 7.7, against full width
    "extensions, two budgets": Score(4, 15, 6),
    "extensions": Score(3, 22, 0),
    "reductions": Score(7, 16, 2),
    "conference weights": None,
    "tension extensions": Score(1, 20, 4),
    "tension reductions": Score(2, 20, 3),
}
FAILURES = {  # said to be of no use in sections 6.4 and 6.5, without figures; the last is the proposal of 8.6
    style: None
    for style in (
        "ghost pieces", "edge extension", "null move", "forward pruning", "forward pruning at 2", "singular extensions", "balanced",
        "defensive", "without reversible moves",
    )
}


def _match_table(
    title: str, theirs: dict[str, Score | None], opponent: str, rival: Callable[[], Player], nodes: int, paper_opponent: str
) -> Table:
    rows: list[tuple[Value, ...]] = []
    for style, paper in theirs.items():
        ours = match(MATCH_SIZE, queenbee(MATCH_SIZE, STYLES[style], nodes), rival())
        printed = "-" if paper is None else f"{paper.wins} {paper.draws} {paper.losses}"
        rows.append((
            style, STYLES[style].meaning, printed, None if paper is None else round(100 * paper.of_all),
            f"{ours.wins} {ours.draws} {ours.losses}", round(100 * ours.of_all), _percent(ours.of_decided),
        ))  # fmt: skip
    return Table(
        title,
        ("style", "what it does", "paper: + = -", "paper %", "ours: + = -", "ours %", "of decided %"),
        rows,
        f"Openings of 7x7 won, drawn and lost against {opponent}, {nodes:,} nodes for a move (theirs: 100,000, against "
        f"{paper_opponent}); each of the 25 openings is played from both sides.",
    )


def _percent(share: float | None) -> int | None:
    return None if share is None else round(100 * share)


def _against_full_width(title: str, theirs: dict[str, Score | None], nodes: int, paper_opponent: str = "full width") -> Iterator[Table]:
    rivals = partial(queenbee, MATCH_SIZE, STYLES[FULL_WIDTH], nodes)
    yield _match_table(title, {style: paper for style, paper in theirs.items() if style != FULL_WIDTH}, "full width", rivals, nodes, paper_opponent)


def _against_hexy(nodes: int) -> Iterator[Table]:
    from solver.papers.hexy import Hexy

    rival = "our Hexy (N = 10, D = 1)"
    yield _match_table(
        "Thesis table 7.2: selective search against Hexy", SELECTIVE, rival, lambda: Hexy(MATCH_SIZE, most=10, depth=1).move, nodes, THEIR_HEXY
    )


def _branching() -> Iterator[Table]:
    """Figures 7.1 to 7.4: nodes to a fixed depth when only moves up to some badness are tried."""
    rows: list[tuple[Value, ...]] = []
    for size, plies in ((Size(7, 7), 5), (Size(8, 8), 5)):
        position = Position.start(size).play(size.columns + 1)
        counts = {}
        for tolerance in (0, 1, 2, 3, 4, 6, 8, None):
            settings = {"tolerance": tolerance} if tolerance is not None else {}
            found = Style("", settings).search(size).search(position.black, position.white, position.to_move, 10**9, plies=plies)
            counts[tolerance] = found.nodes
        full = math.log(counts[None])
        rows += [(str(size), plies, "any" if t is None else str(t), nodes, math.log(nodes) / full) for t, nodes in counts.items()]
    yield Table(
        "Thesis figures 7.1 to 7.4: nodes by the worst badness that is tried",
        ("board", "plies", "badness", "nodes", "log / log of full width"),
        rows,
        "The figures are lost but for one number: on 11x11 badness 0 alone has about the fifth root of full width's branching factor "
        "(log ratio 0.2), so that a search goes five times as deep.",
    )


def _solving(nodes: int) -> Iterator[Table]:
    """Conference paper, section 5.2: of 25 won positions of 6x6, 12 are played well with all weights 1, 14 with tuned weights."""
    positions = [judged for judged in judged_positions() if judged.won][::25]
    rows: list[tuple[Value, ...]] = []
    for style, paper in ((FULL_WIDTH, "12 of 25"), ("conference weights", "14 of 25"), ("reductions", None), ("beam of 10", None), ("beam of 5", None)):
        solved = lengths = 0
        for judged in positions:
            position = judged.position
            found = STYLES[style].search(position.size).search(position.black, position.white, position.to_move, nodes)
            solved += found.move in judged.good
            lengths += found.move in judged.optimal
        rows.append((style, paper, solved, lengths, len(positions)))
    yield Table(
        "Conference paper, section 5.2: won positions of 6x6 in which a winning move is played",
        ("style", "paper", "winning move", "optimal move", "of"),
        rows,
        f"Every 25th of the won positions with at most two stones. The move after {nodes:,} nodes (theirs: 2,000,000, and it must not change "
        "before the end).",
    )


def like_figure_8_1() -> Position:
    """A win in ten plies to the connection: a stone on the third row, a two-bridge, a bridge to the edge.

    The figure is lost; the text names the win in ten plies, White's move c6 inside the third-row pattern, three regions in the proof, and
    d1 and e1 as reversible. This position has all of them.
    """
    size = Size(7, 7)
    black, white = (sum(1 << cell for cell in parse_moves(size, moves)) for moves in ("d2 c4 c5", "e4 f3"))
    return Position(size, black, white, Color.WHITE)


def _patterns() -> Iterator[Table]:
    position = like_figure_8_1()
    rules: list[tuple[str, int, dict[str, bool]]] = [
        ("pattern search", 2602, {}),
        ("and two-bridges", 91, {"bridges": True}),
        ("and reversible moves", 49, {"bridges": True, "reversible": True}),
        ("and decomposition", 6, {"bridges": True, "reversible": True, "decomposition": True}),
    ]
    rows: list[tuple[Value, ...]] = []
    for name, paper, switches in rules:
        search = PatternSearch(**switches)
        proof = search.prove(position)
        rows.append((name, paper, search.nodes, proof.pattern.bit_count()))
    even = Style("", STYLES["defensive"].settings)
    found = even.search(position.size).search(position.black, position.white, position.to_move, 10**9)
    rows.append((f"full-width search of {found.plies} plies", 63_874, found.nodes, None))
    with Engine(position.size) as engine:
        length = engine.solve(position, "connection").length
    yield Table(
        "Thesis sections 8.5 and 8.6: nodes to prove the win of figure 8.1-I",
        ("search", "paper", "ours", "cells of the pattern"),
        rows,
        f"Ours is a like position, black d2 c4 c5, white e4 f3, White to move: lost in {length} plies to the connection, as theirs. Moves "
        "are tried in the order of the evaluation after them. The white stones and the move order of the paper are not known.",
    )


def _matches(nodes: int, suffix: str, long: bool) -> dict[str, Study]:
    how = f"matches between Queenbee's searches at {nodes:,} nodes a move"
    return {
        f"selective{suffix}": Study(
            f"{how}: beams and tapers (table 7.2)",
            lambda: _against_full_width("Thesis table 7.2: selective search", SELECTIVE, nodes, THEIR_HEXY),
            long,
        ),
        f"fractional{suffix}": Study(
            f"{how}: SEX search (tables 7.4 and 7.7)",
            lambda: _against_full_width("Thesis tables 7.4 and 7.7: SEX search", FRACTIONAL, nodes),
            long,
        ),
        f"failures{suffix}": Study(
            f"{how}: what did not help (sections 6.4, 6.5, 8.6)",
            lambda: _against_full_width("Thesis sections 6.4, 6.5, 8.6: what did not help", FAILURES, nodes),
            long,
        ),
    }


STUDIES = categories.STUDIES | {
    "patterns": Study("pattern search with two-bridges, reversible moves and decomposition (sections 8.5, 8.6)", _patterns),
    "branching": Study("nodes when only moves of a low badness are tried (section 7.2)", _branching),
    "solving": Study("won positions of 6x6 played well (conference paper, section 5.2)", lambda: _solving(100_000)),
    "solving-long": Study("the same with the nodes of the paper", lambda: _solving(2_000_000), long=True),
    **_matches(FEW_NODES, "", long=False),
    **_matches(MANY_NODES, "-long", long=True),
    "hexy-long": Study("Queenbee's selective searches against Hexy (table 7.2)", lambda: _against_hexy(10_000), long=True),
}
