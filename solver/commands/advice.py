"""What the commands that ask a book share: the option that names it, and the engine that knows it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from books import Book
from books.adviser import Adviser
from books.shelf import find
from solver.commands.session import limits, opened_store
from solver.engine import Engine
from solver.position import InputError, Size

BOOK_FOR_SIZE = "SIZE may be a book, too: a file that 'hexbook book build' made."


def add_book(parser: argparse.ArgumentParser) -> None:
    """Add the option that names a book."""
    parser.add_argument(
        "--book",
        metavar="FILE",
        help="the book to ask; none for none (default: the board's in runs/books or in hexbook/books in the user's cache directory)",
    )


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
def opened_engine(args: argparse.Namespace, size: Size, metric: str) -> Iterator[Engine]:
    """An engine for the board that has the store that the options ask for, and a book if there is one; closed at the end."""
    path = find(size, metric) if args.book is None else None if args.book == "none" else Path(args.book)
    with opened_store(args) as store:
        if path is None:
            with Engine(size, store=store, limits=limits(args)) as engine:
                yield engine
            return
        with Book(path) as book:
            _check(book, size, metric)
            with Adviser(book, store=store, limits=limits(args)) as engine:
                yield engine


def _check(book: Book, size: Size, metric: str) -> None:
    """Refuse a book that would answer none of the questions."""
    if book.metadata.size != size:
        raise InputError(f"the book {book.path} is of {book.metadata.size}, not of {size}; name another, or none")
    if metric not in ("winner", book.metadata.metric):
        raise InputError(f"the book {book.path} has metric {book.metadata.metric}, not {metric}; name another of the two")
