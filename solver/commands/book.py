"""hexbook book: opening books are built, described and re-checked."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tqdm import tqdm

from books import Book
from books.contents import PLIES
from books.format import DamagedBook, Metadata
from books.shelf import place
from books.verify import SAMPLES, Fault, verify
from solver.cli import ANSWERED, FAILED
from solver.commands.answers import print_json
from solver.commands.arguments import add_options
from solver.commands.session import opened_store
from solver.notation import parse_size, quoted, whole_number
from solver.options import Limits
from solver.store import Store


_JSON = "print a JSON object on one line"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(metavar="ACTION", required=True)

    def add(name: str, purpose: str, run: object) -> argparse.ArgumentParser:
        action = actions.add_parser(name, allow_abbrev=False, help=purpose, description=f"{purpose.capitalize()}.")
        action.set_defaults(run=run)
        return action

    action = add("build", "make the book of a board", _build)
    action.add_argument("size", metavar="SIZE", help="6 for 6x6, 6x7 for 6 columns and 7 rows")
    where = "the book (default: in hexbook/books in the user's cache directory)"
    action.add_argument("-o", "--output", metavar="FILE", type=Path, help=where)
    complete = f"hold all positions after up to N moves, at least 1 (default {PLIES})"
    action.add_argument("--plies", metavar="N", type=_plies, default=PLIES, help=complete)
    action.add_argument("--json", action="store_true", help=_JSON)
    add_options(action, "metric", "store", "workers", "memory")
    action = add("info", "describe a book", _info)
    action.add_argument("file", metavar="FILE", type=Path)
    action.add_argument("--json", action="store_true", help=_JSON)
    action = add("verify", "re-check a book: status 1 if something is wrong with it", _verify)
    action.add_argument("file", metavar="FILE", type=Path)
    action.add_argument("--full", action="store_true", help=f"check every position, not only the first ones and {SAMPLES} others")
    action.add_argument("--seed", metavar="N", type=_whole, default=0, help="which others (default 0)")
    action.add_argument("--json", action="store_true", help=_JSON)
    add_options(action, "memory")


def run(args: argparse.Namespace) -> int:
    status: int = args.run(args)
    return status


def _build(args: argparse.Namespace) -> int:
    from books.build import build

    logging.basicConfig(level=logging.INFO, format="%(message)s")
    size = parse_size(args.size)
    path = args.output or place(size, args.metric)
    with _memory(args) as store:
        metadata = build(
            path, size, args.metric, store=store, plies=args.plies, workers=args.workers, limits=Limits(memory=args.memory << 20)
        )
    if args.json:
        print_json(_described(path, metadata))
    else:
        print(f"{path}: {metadata.positions:,} positions, {path.stat().st_size:,} bytes")
    return ANSWERED


@contextmanager
def _memory(args: argparse.Namespace) -> Iterator[Store]:
    """The store that the options ask for, or one that is gone afterwards."""
    if args.store != "none":
        with opened_store(args) as store:
            assert store is not None
            yield store
        return
    with TemporaryDirectory(prefix="hexbook-") as directory, Store.open(Path(directory)) as store:
        yield store


def _info(args: argparse.Namespace) -> int:
    with Book(args.file) as book:
        metadata = book.metadata
    if args.json:
        print_json(_described(args.file, metadata))
        return ANSWERED
    positions = ", ".join(f"{count:,} with {stones}" for stones, count in enumerate(metadata.counts) if count)
    print(f"{args.file}: a book of {metadata.size}, metric {metadata.metric}, complete for the first {metadata.plies} moves")
    print(f"Positions: {metadata.positions:,} in {args.file.stat().st_size:,} bytes; by their stones: {positions}")
    print(f"Made: {metadata.made} by {metadata.program}")
    print(f"Checksum of the records: {metadata.checksum}")
    return ANSWERED


def _described(path: Path, metadata: Metadata) -> dict[str, Any]:
    """A book as an object for a JSON writer."""
    return {"file": str(path), "bytes": path.stat().st_size} | metadata.to_json()


def _verify(args: argparse.Namespace) -> int:
    try:
        with (
            Book(args.file) as book,
            tqdm(
                total=len(book) if args.full else None, unit=" positions", disable=None, mininterval=0.5, dynamic_ncols=True, leave=False
            ) as bar,
        ):
            samples = None if args.full else SAMPLES
            limits = Limits(memory=args.memory << 20)
            checked = verify(book, samples=samples, seed=args.seed, limits=limits, progress=bar.update)
    except (Fault, DamagedBook) as error:
        fault = f"{args.file}: {error}" if isinstance(error, Fault) else str(error)
        if args.json:
            print_json({"file": str(args.file), "sound": False, "fault": fault})
        else:
            print(fault)
        return FAILED
    positions = book.metadata.positions
    if args.json:
        print_json({"file": str(args.file), "sound": True, "checked": checked, "positions": positions})
    else:
        print(f"{args.file}: sound; {checked:,} of {positions:,} positions checked")
    return ANSWERED


def _whole(text: str) -> int:
    number = whole_number(text)
    if number is None:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no whole number")
    return number


def _plies(text: str) -> int:
    if not (plies := _whole(text)):
        raise argparse.ArgumentTypeError("a book holds the openings at least; write 1 or more")
    return plies
