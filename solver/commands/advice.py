"""What the commands that ask a book share: the option that names it, and the engine that knows it."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from books import Book
from books.adviser import Adviser, from_book
from books.shelf import find
from solver.commands.session import limits, opened_store
from solver.engine import Engine
from solver.position import InputError, Position, Size
from solver.solution import Solution
from solver.store import Store

BOOK_FOR_SIZE = "SIZE may be a book, too: a file that 'hexbook book build' made."


def add_book(parser: argparse.ArgumentParser, *, shelf: bool = True) -> None:
    """Add the option that names a book; with `shelf`, one is looked for where none is named."""
    default = "the board's in runs/books or in hexbook/books in the user's cache directory" if shelf else "none"
    parser.set_defaults(shelf=shelf)
    parser.add_argument("--book", metavar="FILE", help=f"the book to ask before any search; none for none (default: {default})")


def read_book(args: argparse.Namespace) -> None:
    """Where a book stands in the place of the size: let size, book and, if none is asked for, metric be those of the book."""
    path = Path(args.size or "")
    if path.suffix != ".book" and (path.suffix.lower() in (".sgf", ".hsgf") or path.name[:1].isdecimal() or not path.is_file()):
        return
    if args.book is not None:
        raise InputError("name one book: instead of the size or with --book")
    with Book(path) as book:
        args.book, args.size = str(path), str(book.metadata.size)
        args.metric = args.metric or book.metadata.metric


@contextmanager
def opened_book(args: argparse.Namespace, size: Size, metric: str) -> Iterator[Book | None]:
    """The book that the options ask for, closed at the end. Raises InputError for one that would answer none of the questions."""
    if args.book is None:
        path = find(size, metric) if args.shelf else None
    else:
        path = None if args.book == "none" else Path(args.book)
    if path is None:
        yield None
        return
    with Book(path) as book:
        if book.metadata.size != size:
            raise InputError(f"the book {path} is of {book.metadata.size}, not of {size}; name another, or none")
        if metric not in ("winner", book.metadata.metric):
            raise InputError(f"the book {path} has metric {book.metadata.metric}, not {metric}; name another of the two")
        yield book


@contextmanager
def opened_engine(args: argparse.Namespace, size: Size, metric: str, *, lines: bool = False) -> Iterator[Engine]:
    """An engine for the board that has the store that the options ask for, and a book if there is one; closed at the end."""
    with (
        opened_store(args) as store,
        opened_book(args, size, metric) as book,
        engine_with(book, store, args, size, lines=lines) as engine,
    ):
        yield engine


def engine_with(book: Book | None, store: Store | None, args: argparse.Namespace, size: Size, *, lines: bool = False) -> Engine:
    """An engine for the board within the limits that the options ask for; book and store stay the caller's to close."""
    if book is None:
        return Engine(size, store=store, limits=limits(args), lines=lines)
    return Adviser(book, store=store, limits=limits(args), lines=lines)


def book_openings(book: Book | None, metric: str, cells: Iterable[int]) -> dict[int, Solution]:
    """Those of the openings, Black's first moves, that the book knows."""
    if book is None:
        return {}
    start = Position.start(book.metadata.size)
    found = {cell: from_book(book, start.play(cell), metric) for cell in cells}
    return {cell: solution for cell, solution in found.items() if solution is not None}
