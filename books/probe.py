"""Books to ask: what is the value of a position?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from books.contents import Entry
from books.file import BookFile, naming
from books.format import Coder, Metadata, unpack
from solver.position import Position, Symmetry

D = TypeVar("D")


class NotInBook(KeyError):
    """The book does not hold a position."""

    def __str__(self) -> str:
        return str(self.args[0])


class Book:
    """An open book; a context manager. Any number of threads may ask it.

    Positions are found whichever of their symmetric images is asked for, and the answer is about the one that was asked for.
    """

    def __init__(self, path: Path) -> None:
        """Raises InputError, one line, for a file that is missing, damaged, of another version or no book."""
        self.path = path
        self._file = BookFile(path)
        self.metadata: Metadata = self._file.metadata
        self._coder = Coder(self.metadata.size)

    def probe(self, position: Position) -> Entry:
        """The value of a position. Raises NotInBook, and InputError for a position of another board."""
        entry = self.get(position)
        if entry is None:
            raise NotInBook(f"the book {self.path} does not hold this position")
        return entry

    def get(self, position: Position, default: D | None = None) -> Entry | D | None:
        """The value of a position, or `default`. Raises InputError for a position of another board."""
        canonical, symmetry = position.canonical()
        key = self._coder.key(canonical)
        value = self._file.get(key)
        return default if value is None else seen_through(symmetry, self._entry(key, value))

    def __contains__(self, position: Position) -> bool:
        return self.get(position) is not None

    def __len__(self) -> int:
        return self.metadata.positions

    def __iter__(self) -> Iterator[tuple[Position, Entry]]:
        """The canonical positions with their values, in the order of the file."""
        for key, value in self._file.records():
            with naming(self.path):
                position = self._coder.position(key)
            yield position, self._entry(key, value)

    def records(self) -> Iterator[tuple[bytes, bytes]]:
        """The positions as they stand in the file (see `books.format`)."""
        return self._file.records()

    def close(self) -> None:
        """Close the file; the book cannot be asked afterwards."""
        self._file.close()

    def _entry(self, key: bytes, value: bytes) -> Entry:
        with naming(self.path):
            return unpack(key, value, self.metadata.metric)

    def __enter__(self) -> Book:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def seen_through(symmetry: Symmetry, entry: Entry) -> Entry:
    """The value of the symmetric position; every symmetry is its own inverse."""
    return entry._replace(winner=symmetry.color(entry.winner))
