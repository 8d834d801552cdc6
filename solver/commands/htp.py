"""hexbook htp: the HTP server on standard input and output."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack, closing
from pathlib import Path

from books import Book
from books.adviser import Adviser
from books.shelf import find
from solver.analyst import Analyst, EngineMaker
from solver.cli import ANSWERED
from solver.commands.advice import add_book
from solver.commands.arguments import add_options
from solver.commands.session import opened_store
from solver.htp import Server
from solver.options import Limits
from solver.player import TimedEngine
from solver.position import Size
from solver.protocol import lines_of
from solver.store import Store

_STANDARD_INPUT = 0
_SECONDS = 10.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_book(parser)
    add_options(parser, "metric", "store", "seconds", "memory")
    parser.epilog = (
        f"Without --seconds a search has {_SECONDS:g} seconds; a move is made in this time, or in less if the controller's clock"
        " asks for it, even where nothing can be proved of it, which standard error then tells."
    )


def run(args: argparse.Namespace) -> int:
    seconds = _SECONDS if args.seconds is None else args.seconds
    with (
        opened_store(args) as store,
        ExitStack() as books,
        closing(Analyst(_maker(args, store, books), metric=args.metric, seconds=seconds, memory=args.memory)) as analyst,
    ):
        Server(sys.stdout.buffer, analyst).serve(lines_of(_STANDARD_INPUT))
    return ANSWERED


class _TimedAdviser(Adviser, TimedEngine):
    """An engine that asks a book first, and whose time is set anew for each question."""


def _maker(args: argparse.Namespace, store: Store | None, books: ExitStack) -> EngineMaker:
    """Makes the engines of boards, with the books that there are for them; `books` closes these at the end.

    Raises InputError for a book that is named and cannot be read.
    """
    named = None if args.book in (None, "none") else books.enter_context(Book(Path(args.book)))
    known = {} if named is None else {named.metadata.size: named}

    def make(size: Size, limits: Limits) -> TimedEngine:
        if args.book is None and size not in known and (path := find(size, args.metric)) is not None:
            known[size] = books.enter_context(Book(path))
        if size in known:
            return _TimedAdviser(known[size], store=store, limits=limits)
        return TimedEngine(size, store=store, limits=limits)

    return make
