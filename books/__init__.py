"""Opening books: files that know the values of positions, and so how to play on from them.

>>> import books
>>> with books.open("6x6-checkmate.book") as book:  # doctest: +SKIP
...     book.probe(position_after(Size(6, 6), [6]))
Entry(winner=<Color.WHITE: 1>, length=19)
"""

from __future__ import annotations

from pathlib import Path

from books.contents import Entry
from books.probe import Book, NotInBook

__all__ = ["Book", "Entry", "NotInBook", "open"]


def open(path: str | Path) -> Book:
    """The book at `path`, a context manager (see `Book`).

    Raises InputError, one line, for a file that is missing, damaged, of another version or no book.
    """
    return Book(Path(path))
