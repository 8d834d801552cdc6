"""The book of the winners of 7x7 that stands in runs/books: the published winners, sound where it is looked at, and an answer to every defence."""

import csv
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import shelf

import books
from books import Book
from books.adviser import Adviser
from books.contents import answer, quick, roots
from books.verify import verify
from solver.notation import parse_cell
from solver.position import Position, Size

ROOT = Path(__file__).parent.parent
SIZE = Size(7, 7)


@pytest.fixture(scope="module")
def book() -> Iterator[Book]:
    with books.open(ROOT / "runs/books/7x7-winner.book") as opened:
        yield opened


def test_it_knows_the_published_winners(book: Book) -> None:
    with (ROOT / "tests/data/winners.csv").open() as file:
        published = {row["opening"]: row["winner"] for row in csv.DictReader(file) if row["size"] == "7x7"}
    start = Position.start(SIZE)
    assert len(published) == 49
    assert {cell: str(book.probe(start.play(parse_cell(SIZE, cell))).winner) for cell in published} == published


def test_it_holds_all_replies_and_is_sound(book: Book) -> None:
    assert all(position in book for layer in roots(SIZE, 2) for position in layer)
    assert verify(book, samples=40, limits=shelf.SMALL) > 60


def test_a_winning_line_begins_with_the_strategy(book: Book) -> None:
    with Adviser(book, limits=shelf.SMALL) as adviser:
        for opening in ("a1", "d1", "a3"):
            position = Position.start(SIZE).play(parse_cell(SIZE, opening))
            line = adviser.line(position, "winner")
            assert line and line[0] == answer(position, book.probe(position), lambda reply, kept: book.get(reply) == kept)


@pytest.mark.parametrize("opening", ["c2", "f3", "g1"])
def test_a_line_is_found_without_much_search(book: Book, opening: str) -> None:
    """The kernel names a move where it needs no search; it once took 50,000 nodes and more to try them all."""
    with Adviser(book, limits=shelf.SMALL) as adviser:
        assert adviser.line(Position.start(SIZE).play(parse_cell(SIZE, opening)), "winner")
        assert adviser.nodes < 10_000


@pytest.mark.slow
def test_it_is_sound_throughout(book: Book) -> None:
    assert verify(book, samples=None) == len(book)


def test_it_answers_every_defence(book: Book) -> None:
    """After every opening, against any moves, until search finds the rest at once."""
    rng = Random(7)
    for opening in Position.start(SIZE).legal():
        position = Position.start(SIZE).play(opening)
        winner, moves = book.probe(position).winner, 0
        while not quick(position, entry := book.probe(position)):
            assert entry.winner == winner
            if position.to_move == winner:
                position = position.play(answer(position, entry, lambda reply, kept: book.get(reply) == kept))
            else:
                position = position.play(rng.choice(position.legal()))
            moves += 1
        assert moves >= 3
