"""Books for the tests, each built once, and copies of them to be spoilt."""

import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from books import Book
from books.build import build
from books.contents import Entry
from books.file import write
from books.format import Coder, Metadata, checksum, pack
from solver.notation import parse_size
from solver.options import Limits
from solver.position import Position
from solver.store import Store

SMALL = Limits(memory=64 << 20)

_directory = tempfile.TemporaryDirectory(prefix="hexbook-books-")


@cache
def book(size: str, metric: str = "checkmate") -> Path:
    """The book of a board."""
    path = Path(_directory.name) / f"{size}-{metric}.book"
    build_alone(path, size, metric)
    return path


def build_alone(path: Path, size: str, metric: str = "checkmate", *, workers: int = 1, plies: int = 2) -> Metadata:
    """Build a book with a store of its own."""
    with tempfile.TemporaryDirectory() as directory, Store.open(Path(directory)) as store:
        return build(path, parse_size(size), metric, store=store, plies=plies, workers=workers, limits=SMALL, progress=False)


def altered(
    path: Path, copy: Path, change: Callable[[dict[bytes, bytes]], object], describe: Callable[[Metadata], Metadata] | None = None
) -> Path:
    """A copy of a book with other records, under a seal and a checksum that are right for them."""
    with Book(path) as book:
        records, metadata = dict(book.records()), book.metadata
    change(records)
    ordered = sorted(records.items())
    metadata = metadata._replace(checksum=checksum(ordered))
    write(copy, describe(metadata) if describe else metadata, ordered)
    return copy


def key(position: Position) -> bytes:
    """The key of a position."""
    canonical, _ = position.canonical()
    return Coder(canonical.size).key(canonical)


def value(position: Position, entry: Entry) -> bytes:
    """How a book writes the value of a position."""
    _, symmetry = position.canonical()
    return pack(key(position), entry._replace(winner=symmetry.color(entry.winner)))
