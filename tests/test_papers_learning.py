"""Opening books that learn: values before the judge and the engine, kinds of additions, and what is left when nothing is to learn."""

from collections import Counter

import oracle
import pytest
from positions import Setup

from solver.engine import Engine
from solver.kernel import terminal
from solver.papers.learning import Addition, Book, length
from solver.papers.learning_studies import course
from solver.position import Color, Position, Size

GAMES = 2000


def judged(position: Position) -> tuple[str, int]:
    board = Setup(position.size.columns, position.size.rows, position.black, position.white).board
    to_move = "BW"[position.to_move]
    return oracle.winner(board, to_move), oracle.length(board, to_move, "checkmate")


def learned(start: Position, nodes: int) -> tuple[Book, Counter[Addition]]:
    """The book of a position when it is exact, and what the games added."""
    book, additions = Book(start.size, nodes), Counter[Addition]()
    for _ in range(GAMES):
        addition = book.learn(start)
        if addition is None:
            return book, additions
        additions[addition] += 1
    raise AssertionError(f"{start} is not learned in {GAMES} games")


@pytest.mark.parametrize("opening", range(9))
def test_books_of_3x3_become_exact(opening: int) -> None:
    start = Position.start(Size(3, 3)).play(opening)
    if judged(start)[1] == 0:
        return
    book, _ = learned(start, nodes=1)
    winner, plies = judged(start)
    outlook = book.outlook(start)
    assert ("W" if outlook.value > 0 else "B") == winner
    assert outlook.low == outlook.high == outlook.value and length(start, outlook.value) == plies


def test_every_bound_on_the_way_is_sound() -> None:
    start = Position.start(Size(4, 4)).play(12)  # a4: won in 8
    book = Book(start.size, nodes=100)
    for _ in range(60):
        book.learn(start)
    exact = 0
    with Engine(start.size) as engine:
        for position, entry in book.entries.items():
            solution = engine.solve(position)
            assert solution.length is not None
            stones = (position.black | position.white).bit_count()
            truth = (1 if solution.winner == position.to_move else -1) * (1_000_000 - stones - solution.length)
            assert entry.outlook.low <= truth <= entry.outlook.high, position
            exact += entry.outlook.low == entry.outlook.high
    assert len(book.entries) > exact > 10


def test_a_hard_opening_takes_additions_of_both_kinds() -> None:
    start = Position.start(Size(4, 4)).play(7)  # d2: lost in 9
    book, additions = learned(start, nodes=200)
    assert length(start, book.outlook(start).value) == 9
    assert additions[Addition.VERTICAL] > 10 < additions[Addition.HORIZONTAL]
    assert len(book.entries) <= 1 + sum(additions.values())


def test_the_book_plays_what_it_has_learned() -> None:
    """White wins after d2 against the longest defence."""
    start = Position.start(Size(4, 4)).play(7)
    book, _ = learned(start, nodes=200)
    with Engine(start.size) as engine:
        position = start.play(book.choose(start))
        while terminal("checkmate", 4, 4, position.black, position.white, Color.WHITE) is None:
            assert engine.solve(position, "winner").winner == Color.WHITE
            longest = max(engine.moves(position), key=lambda value: value.length or 0)
            position = position.play(longest.move)
            position = position.play(book.choose(position))


def test_outside_of_the_book_it_searches() -> None:
    assert Book(Size(4, 4), nodes=500).choose(Position.start(Size(4, 4))) in range(16)


def test_a_course_ends_with_the_exact_length_and_counts_its_games() -> None:
    learned = course(Position.start(Size(4, 4)).play(7), 200)
    assert (learned.winner, learned.plies) == (Color.WHITE, 9)
    assert learned.games_to_winner is not None and 0 < learned.games_to_winner <= learned.games == sum(learned.additions.values())


def test_a_course_may_be_cut_short() -> None:
    learned = course(Position.start(Size(4, 4)).play(7), 200, most_games=3)
    assert learned.plies is None and learned.games == 3
