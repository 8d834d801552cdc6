"""Opening books that learn: how small boards become exact, and what learning is worth on a board that cannot be solved at once (van
Rijswijck 2000, section 8.4). The thesis only proposes this, so there are no figures of its own to compare with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from solver.engine import Engine
from solver.notation import format_cell
from solver.openings import job_list
from solver.papers.learning import Addition, Book, length
from solver.papers.matches import match
from solver.papers.study import Study, Table, Value
from solver.position import Color, Position, Size

_MOST_GAMES = 5_000


class Course(NamedTuple):
    """How the book of one opening came to its end."""

    winner: Color | None
    plies: int | None  # None: not exact after the most games
    games_to_winner: int | None
    games: int
    additions: Counter[Addition]
    positions: int


def course(start: Position, nodes: int, most_games: int = _MOST_GAMES) -> Course:
    """Learn from a position until its value is exact."""
    book, additions, to_winner, games = Book(start.size, nodes), Counter[Addition](), None, 0
    while True:
        outlook = book.outlook(start)
        if to_winner is None and (outlook.low > 0 or outlook.high < 0):
            to_winner = games
        addition = book.learn(start) if games < most_games else None
        if addition is None:
            break
        additions[addition] += 1
        games += 1
    winner = None if to_winner is None else start.to_move if outlook.low > 0 else start.to_move.other
    exact = length(start, outlook.low) if outlook.low == outlook.high else None
    return Course(winner, exact, to_winner, games, additions, len(book.entries))


def _convergence(size: Size, nodes: int) -> Iterator[Table]:
    rows: list[tuple[Value, ...]] = []
    right = games = 0
    openings = job_list(size, range(size.cells))
    with Engine(size) as engine:
        for opening in openings:
            start = Position.start(size).play(opening)
            learned, exact = course(start, nodes), engine.solve(start)
            rows.append((
                format_cell(size, opening), _told(exact.winner, exact.length), _told(learned.winner, learned.plies), learned.games_to_winner,
                learned.games, learned.additions[Addition.VERTICAL], learned.additions[Addition.HORIZONTAL], learned.positions,
            ))  # fmt: skip
            right, games = right + ((exact.winner, exact.length) == (learned.winner, learned.plies)), games + learned.games
    yield Table(
        f"Books of the openings of {size}",
        ("opening", "exact", "book", "games to the winner", "to the length", "vertical", "horizontal", "positions"),
        rows,
        f"Exact for {right} of {len(openings)} openings, one of each pair of images, after {games:,} games. {nodes:,} nodes for each local "
        "value. The winner is what the algorithm of the thesis finds; it stops there. The length takes the bounds that we added.",
    )


def _told(winner: Color | None, plies: int | None) -> str:
    return f"{'unknown' if winner is None else winner} {'?' if plies is None else plies}"


def _unsolved(size: Size, nodes: int, stages: tuple[int, ...]) -> Iterator[Table]:
    openings = job_list(size, range(size.cells))
    starts = [Position.start(size).play(opening) for opening in openings]
    learner, novice = Book(size, nodes), Book(size, nodes)
    additions, rows, games = Counter[Addition](), list[tuple[Value, ...]](), 0
    for stage in stages:
        for start in starts:
            for _ in range(stage - games):
                addition = learner.learn(start)
                if addition is not None:
                    additions[addition] += 1
        games = stage
        decided = sum(outlook.low > 0 or outlook.high < 0 for outlook in map(learner.outlook, starts))
        deepest = max((position.black | position.white).bit_count() for position in learner.entries)
        score = match(size, learner.choose, novice.choose)
        rows.append((
            stage, additions[Addition.VERTICAL], additions[Addition.HORIZONTAL], len(learner.entries), deepest, decided,
            f"{score.wins} {score.draws} {score.losses}", round(100 * score.of_all),
        ))  # fmt: skip
    yield Table(
        f"Learning on {size}",
        ("games an opening", "vertical", "horizontal", "positions", "most stones", "decided", "+ = -", "%"),
        rows,
        f"{len(openings)} openings, one of each pair of images, {nodes:,} nodes for each local value and each move. Matches over all of "
        "them, both sides: the program with its book against the same program without one.",
    )


STUDIES = {
    "4x4": Study("books of the openings of 4x4 that become exact", lambda: _convergence(Size(4, 4), 300)),
    "5x5": Study("books of the openings of 5x5 that become exact", lambda: _convergence(Size(5, 5), 20_000)),
    "8x8": Study("learning on 8x8, and what it is worth in matches", lambda: _unsolved(Size(8, 8), 500, (0, 5, 20))),
    "8x8-long": Study("the same with more games and nodes", lambda: _unsolved(Size(8, 8), 2_000, (0, 10, 40, 160)), long=True),
}
