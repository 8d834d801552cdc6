"""Hexy: what deduction costs and finds, and what it is worth in play (Anshelevich 2000).

Circuits need scipy (`pip install 'hexbook[papers]'`); the studies that solve them say so where it is missing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import combinations, product
from random import Random

from solver.kernel import Kernel
from solver.papers.hsearch import Deduction
from solver.papers.matches import Player, match, queenbee
from solver.papers.styles import FULL_WIDTH, STYLES
from solver.papers.study import Study, Table, Value
from solver.player import winner_by
from solver.position import Color, Position, Size

_WITHOUT_SCIPY = Table("Not measured", ("missing", "remedy"), [("scipy", "pip install 'hexbook[papers]'")])


def _with_circuits(tables: Callable[[], Iterator[Table]]) -> Callable[[], Iterator[Table]]:
    """A study that needs scipy."""

    def measured() -> Iterator[Table]:
        try:
            import scipy  # noqa: F401
        except ModuleNotFoundError:
            yield _WITHOUT_SCIPY
        else:
            yield from tables()

    return measured


def typical_positions(size: Size) -> list[Position]:
    """Positions after 2, 4, ... 12 moves of six games that Queenbee plays against itself."""
    player = queenbee(size, STYLES[FULL_WIDTH], 300)
    found = []
    for opening in range(size.columns + 1, size.cells // 2, max(1, size.cells // 14)):
        position = Position.start(size).play(opening)
        for played in range(2, 13):
            position = position.play(player(position))
            if winner_by("checkmate", position) is not None:
                break
            if played % 2 == 0:
                found.append(position)
    return found


def _generations() -> Iterator[Table]:
    """Figure 9."""
    from solver.papers.hexy import Hexy

    rows: list[tuple[Value, ...]] = []
    for size in (Size(6, 6), Size(8, 8)):
        positions = typical_positions(size)
        first = None
        for generations in (0, 1, 2, 3, 4, 5, 6, 8, 200):
            hexy = Hexy(size, most=20, generations=generations)
            start, won = time.process_time(), 0
            for position in positions:
                won += abs(hexy.evaluate(position).value) >= 1e6
            seconds = (time.process_time() - start) / len(positions)
            first = first or seconds
            name = "all" if generations == 200 else str(generations)
            rows.append((str(size), name, _connections(positions, generations), 1000 * seconds, seconds / first, won, len(positions)))
    yield Table(
        "Figure 9: the cost of an evaluation by iterations of the deduction, N = 20",
        ("board", "iterations", "connections", "CPU ms", "T(n) / T(0)", "decided", "of"),
        rows,
        "The paper, on 10x10: T(all) / T(0) is typically 5 to 15, the curve is lost. T(0) here is mostly the fixed cost of calling the "
        "sparse solver. Connections of both players, contacts included, on average; decided: positions with a virtual connection of "
        "the edges.",
    )


def _connections(positions: list[Position], generations: int) -> int:
    size = positions[0].size
    deduction, total = Deduction(size.columns, size.rows, most=20), 0
    for position in positions:
        for color in Color:
            deduction.deduce(position.black, position.white, color, generations)
            total += deduction.count()
    return round(total / len(positions))


def won_positions(size: Size, number: int) -> list[Position]:
    """Random positions that the side not to move wins, without being at checkmate yet."""
    rng, searcher, found = Random(f"won {size}"), Kernel(size.columns, size.rows, memory=1 << 26), []
    while len(found) < number:
        cells = rng.sample(range(size.cells), rng.randrange(2, size.cells // 3))
        black, white = (sum(1 << cell for cell in cells[start::2]) for start in (0, 1))
        position = Position(size, black, white, rng.choice(list(Color)))
        waiting = position.to_move.other
        if winner_by("checkmate", position) is None and searcher.winner(black, white, position.to_move).winner == waiting:
            found.append(position)
    return found


def _limits() -> Iterator[Table]:
    rows: list[tuple[Value, ...]] = []
    for size, number in ((Size(5, 5), 150), (Size(7, 7), 30)):
        positions = won_positions(size, number)
        for most, widest in ((2, 4), (5, 4), (10, 4), (20, 2), (20, 3), (20, 4), (20, 6), (40, 4)):
            deduction = Deduction(size.columns, size.rows, most=most, widest=widest)
            start, proved, connections, limited = time.process_time(), 0, 0, 0
            for position in positions:
                deduction.deduce(position.black, position.white, position.to_move.other)
                proved, connections, limited = proved + deduction.wins(), connections + deduction.count(), limited + deduction.limited
            seconds = (time.process_time() - start) / len(positions)
            rows.append((str(size), most, widest, round(connections / len(positions)), 1000 * seconds, proved, limited, len(positions)))
    yield Table(
        "Section 6: what the limit N leaves",
        ("board", "N", "n", "connections", "CPU ms", "wins proved", "limited", "of"),
        rows,
        "Random positions that are won although the opponent moves, before checkmate. N: connections kept of a pair, n: ways joined by one "
        "OR. Limited: a connection was dropped. The paper found N = 20 best on 10x10.",
    )


def _completeness() -> Iterator[Table]:
    """Figure 8: connections that no number of AND and OR proves."""
    rows: list[tuple[Value, ...]] = []
    for columns, rows_, stones in ((3, 3, 9), (3, 4, 5), (4, 3, 5), (4, 4, 2)):
        size = Size(columns, rows_)
        searcher, deduction = Kernel(columns, rows_, memory=1 << 24), Deduction(columns, rows_, most=600, widest=64)
        won = missed = limited = 0
        for black, white in _all_stones(size, stones):
            position = Position(size, black, white, Color.WHITE)
            if winner_by("checkmate", position) == Color.BLACK or searcher.winner(black, white, Color.WHITE).winner != Color.BLACK:
                continue
            won += 1
            deduction.deduce(black, white, Color.BLACK)
            missed += not deduction.wins()
            limited += deduction.limited
        rows.append((str(size), stones, won, missed, limited))
    yield Table(
        "Figure 8: connections that AND and OR cannot prove",
        ("board", "most stones", "won by Black, White to move", "not proved", "limited"),
        rows,
        "All positions with so many stones before checkmate, no limit reached. The paper shows one such connection, whose picture is lost; "
        "the smallest here is on 4x3, White having a2 (tests/test_papers_hexy.py).",
    )


def _all_stones(size: Size, most: int) -> Iterator[tuple[int, int]]:
    for stones in range(most + 1):
        for cells in combinations(range(size.cells), stones):
            for colours in product(Color, repeat=stones):
                yield tuple(sum(1 << cell for cell, one in zip(cells, colours) if one == color) for color in Color)  # type: ignore[misc]


def _play() -> Iterator[Table]:
    from solver.papers.hexy import Hexy

    size = Size(6, 6)

    def hexy(generations: int, depth: int) -> Player:
        return Hexy(size, most=10, depth=depth, width=8, generations=generations).move

    rows: list[tuple[Value, ...]] = []
    for generations, depth in ((0, 1), (0, 3), (1, 1), (1, 3)):
        score = match(size, hexy(200, 1), hexy(generations, depth))
        rows.append((f"Hexy(all), D = 1, against Hexy({generations}), D = {depth}", f"{score.wins} {score.draws} {score.losses}", round(100 * score.of_all)))
    yield Table(
        "Section 6: deduction against deeper search",
        ("match", "+ = -", "%"),
        rows,
        "18 openings of 6x6, each from both sides; N = 10, the 8 moves with most current are tried. The paper: with D = 3, Hexy(all) easily "
        "defeats Hexy(0) and Hexy(1) with D = 5.",
    )


STUDIES = {
    "generations": Study("what each iteration of the deduction costs (figure 9)", _with_circuits(_generations)),
    "limits": Study("wins found under the limits N and n (section 6)", _limits),
    "completeness": Study("wins that AND and OR cannot prove (figure 8)", _completeness),
    "play-long": Study("deduction against deeper search (section 6)", _with_circuits(_play), long=True),
}
