"""How well move categories tell good moves from bad ones (van Rijswijck 2000, conference paper section 5.1, thesis section 7.4).

The papers counted 27 won and 34 lost positions that Queenbee had solved; these are all positions of 6x6 after at most two moves (values.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from statistics import fmean, median

from solver.guess import guessed_moves
from solver.papers.study import Study, Table, Value
from solver.papers.two_distance import assess
from solver.papers.values import Judged, judged_positions
from solver.position import Position

LEAST, MOST = -3, 8  # categories beyond are counted with these

PAPER_TABLE_1: dict[tuple[str, str], tuple[int | None, ...]] = {  # percentages by category, -3 and less to 8 and more, and of all moves
    ("won", "optimal"): (None, 25, 13, 25, 11, 2, 7, 2, 4, None, None, None, 5),
    ("won", "good"): (None, 25, 13, 47, 17, 22, 14, 8, 12, 3, None, None, 11),
    ("won", "count"): (None, 4, 8, 60, 71, 134, 140, 171, 131, 113, 39, 19, 890),
    ("lost", "optimal"): (100, 100, 100, 35, 6, 1, 1, 0, None, None, None, None, 4),
    ("lost", "count"): (3, 3, 5, 63, 62, 139, 203, 213, 178, 148, 56, 76, 1149),
    ("all", "optimal"): (100, 57, 46, 30, 9, 2, 4, 1, 1, None, None, None, 4),
}
PAPER_TABLE_2: dict[tuple[str, str], dict[int, int]] = {  # positions by the lowest category with such a move
    ("won", "optimal"): {-2: 1, -1: 1, 0: 9, 1: 6, 2: 2, 3: 7, 5: 1},
    ("won", "good"): {-2: 1, -1: 1, 0: 12, 1: 7, 2: 2, 3: 3, 5: 1},
    ("lost", "optimal"): {-5: 3, -2: 3, -1: 5, 0: 21, 1: 1, 5: 1},
}


def categories(position: Position) -> dict[int, int]:
    """The category of each move: how much higher its total potential is than the lowest of all other moves.

    >>> from solver.position import Size
    >>> sorted(categories(Position.start(Size(3, 3))).items())[:5]
    [(0, 2), (1, 2), (2, 0), (3, 2), (4, 0)]
    """
    _, _, _, totals = assess(position.size.columns, position.size.rows, position.black, position.white)
    first, second = sorted(totals.values())[:2] if len(totals) > 1 else (0, 0)
    return {move: total - (second if total == first else first) for move, total in totals.items()}


def shares(positions: Iterable[Judged], kind: str) -> tuple[list[float | None], Counter[int]]:
    """The percentage of optimal or good moves in each category and in all, and the number of moves in each."""
    count, hits = Counter[int](), Counter[int]()
    for judged in positions:
        wanted = judged.optimal if kind == "optimal" else judged.good
        for move, category in categories(judged.position).items():
            cut = min(max(category, LEAST), MOST)
            count[cut] += 1
            hits[cut] += move in wanted
    percent = [100 * hits[c] / count[c] if count[c] else None for c in range(LEAST, MOST + 1)]
    return [*percent, 100 * hits.total() / count.total()], count


def lowest(positions: Iterable[Judged], kind: str) -> Counter[int]:
    """The positions by the lowest category in which there is an optimal or a good move."""
    found = Counter[int]()
    for judged in positions:
        by_move = categories(judged.position)
        found[min(by_move[move] for move in (judged.optimal if kind == "optimal" else judged.good))] += 1
    return found


def _table_1() -> Iterator[Table]:
    positions = judged_positions()
    groups = {"won": [p for p in positions if p.won], "lost": [p for p in positions if not p.won], "all": positions}
    rows: list[tuple[Value, ...]] = []
    for (which, kind), theirs in PAPER_TABLE_1.items():
        percent, count = shares(groups[which], "optimal" if kind == "count" else kind)
        ours = [count[c] for c in range(LEAST, MOST + 1)] + [count.total()] if kind == "count" else percent
        label = "moves" if kind == "count" else f"% {kind}"
        rows.append((which, label, "paper", *theirs))
        rows.append((which, label, "ours", *(None if value is None or not value and kind != "count" else round(value) for value in ours)))
    names = [f"{c}" for c in range(LEAST, MOST + 1)]
    names[0], names[-1] = f"<={LEAST}", f">={MOST}"
    yield Table(
        "Conference table 1: moves of each category",
        ("positions", "", "", *names, "all"),
        rows,
        f"Theirs: 27 won and 34 lost positions of 6x6. Ours: {len(groups['won'])} and {len(groups['lost'])}: the empty board, "
        "all openings, and all replies to each, up to symmetry, with exact lengths. The category of a move is its total potential above the lowest of the others.",
    )


def _table_2() -> Iterator[Table]:
    positions = judged_positions()
    columns = range(-5, 6)
    rows: list[tuple[Value, ...]] = []
    for (which, kind), theirs in PAPER_TABLE_2.items():
        ours = lowest([p for p in positions if p.won == (which == "won")], kind)
        beyond = sum(n for c, n in ours.items() if c not in columns)
        rows.append((which, kind, "paper", *(theirs.get(c) for c in columns), None))
        rows.append((which, kind, "ours", *(ours.get(c) for c in columns), beyond or None))
    yield Table(
        "Conference table 2, thesis table 7.5: the lowest category with such a move",
        ("positions", "move", "", *map(str, columns), "beyond"),
        rows,
        "Numbers of positions, the same as for table 1.",
    )


Ordering = Callable[[Position], list[int]]


def by_potential(position: Position) -> list[int]:
    """The moves by total potential, as Queenbee tries them."""
    _, _, _, totals = assess(position.size.columns, position.size.rows, position.black, position.white)
    return sorted(totals, key=lambda move: (totals[move], move))


def by_evaluation(position: Position) -> list[int]:
    """The moves by the evaluation after them (the tension of section 5.5), then by total potential."""
    sign = -1 if position.to_move else 1

    def after(move: int) -> int:
        child = position.play(move)
        return sign * assess(child.size.columns, child.size.rows, child.black, child.white)[0]

    return sorted(by_potential(position), key=after)


def ranks(positions: Iterable[Judged], ordering: Ordering, kind: str) -> list[int]:
    """The place, from 1, of the first good or optimal move in the order, for each position."""
    found = []
    for judged in positions:
        wanted = judged.optimal if kind == "optimal" else judged.good
        found.append(1 + next(place for place, move in enumerate(ordering(judged.position)) if move in wanted))
    return found


def _orderings() -> Iterator[Table]:
    positions = judged_positions()
    orderings: dict[str, Ordering] = {
        "two-distance, total potential": by_potential,
        "two-distance, evaluation after the move": by_evaluation,
        "paths with bridges (ours)": guessed_moves,
    }
    try:
        from solver.papers.hexy import Hexy
    except ModuleNotFoundError:
        pass
    else:
        size = positions[0].position.size
        for name, generations in (("currents, no connections", 0), ("currents, all connections", 200)):
            hexy = Hexy(size, generations=generations)
            orderings[name] = lambda position, hexy=hexy: hexy.evaluate(position).moves  # type: ignore[misc]
    rows: list[tuple[Value, ...]] = []
    for name, ordering in orderings.items():
        for which, kind in (("won", "good"), ("won", "optimal"), ("lost", "optimal")):
            places = ranks([p for p in positions if p.won == (which == "won")], ordering, kind)
            rows.append((name, which, kind, fmean(places), median(places), places.count(1), sum(place <= 5 for place in places), len(places)))
    yield Table(
        "Which order shows a winning move first",
        ("order", "positions", "move", "mean place", "median", "first", "in the first 5", "of"),
        rows,
        "Place of the first good, or optimal, move. No paper has this table; it compares the papers' move orders with the one that the "
        "main search starts from.",
    )


STUDIES = {
    "categories": Study("optimal, good and bad moves by category, with exact lengths of 6x6 (section 7.4)", _table_1),
    "lowest": Study("the lowest category with a good move (section 7.4)", _table_2),
    "orders": Study("move orders of three papers and ours before exact values", _orderings),
}
