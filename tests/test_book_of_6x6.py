"""The book of the lengths of 6x6 that stands in runs/books: the lengths of the reference table, all replies, sound where it is looked at."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
import shelf

import books
from books import Book
from books.contents import roots
from books.verify import verify
from solver.notation import parse_cell
from solver.position import Position, Size

ROOT = Path(__file__).parent.parent
SIZE = Size(6, 6)


@pytest.fixture(scope="module")
def book() -> Iterator[Book]:
    with books.open(ROOT / "runs/books/6x6-checkmate.book") as opened:
        yield opened


def test_it_has_the_lengths_of_the_reference(book: Book) -> None:
    with (ROOT / "runs/reference/6x6-checkmate.csv").open() as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    start = Position.start(SIZE)
    found = {row["opening"]: book.probe(start.play(parse_cell(SIZE, row["opening"]))) for row in rows}
    assert len(found) == 36
    assert {cell: (str(entry.winner), entry.length) for cell, entry in found.items()} == {
        row["opening"]: (row["winner"], int(row["length"])) for row in rows
    }


def test_it_holds_all_replies_and_is_sound(book: Book) -> None:
    assert all(position in book for layer in roots(SIZE, 2) for position in layer)
    assert verify(book, samples=10, limits=shelf.SMALL) > 10


@pytest.mark.slow
def test_it_is_sound_throughout(book: Book) -> None:
    assert verify(book, samples=None) == len(book)
