"""Solved positions on disk: an LMDB directory with one writer and any number of readers.

Key, 20 bytes, of the canonical position (so that symmetric positions share a record), big-endian so that records sort by
board, metric and side to move:

    columns u8 | rows u8 | metric u8 | to_move u8 | black u64 | white u64

Value, 20 bytes, little-endian:

    flags u8 | lower u8 | upper u8 | nodes u64 | milliseconds u64 | check u8

flags: bit 0 the winner is known, bit 1 it is White, bit 2 the upper bound is known; a field that is not known is written as
0 and never read, so that length 0 and absence are different things. check: the key and the value up to here, read as one
big-endian number, modulo the prime 251, which no single flipped bit leaves as it was.

One more record, whose key no board can have, names the format version.

Every batch is one synchronous transaction: a process killed at any moment loses at most the batch it had in hand, and never
harms an earlier one. Keep the directory on a local disk; LMDB does not work on network file systems.
"""

from __future__ import annotations

import os
import struct
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import lmdb

from solver.pages import check_metas, check_pages
from solver.position import MOST_CELLS, Color, InputError, Position, Symmetry

FORMAT = 1

_META_KEY = b"\0hexbook"
_META_WORDS = "hexbook store "
_METRICS = {"winner": 0, "checkmate": 1, "connection": 2}
_KEY = struct.Struct(">BBBBQQ")
_VALUE = struct.Struct("<BBBQQ")
_CHECK_MODULUS = 251
_MAP_SIZE = 64 << 30  # address space, not disk: the file holds only what was written
_LOCK_SIZE = 8192  # bytes; LMDB's, for its usual 126 readers
_BATCH = 10_000  # records a transaction: the cost of a sync vanishes, the memory of a batch does not matter


class Record(NamedTuple):
    """What is known of one position under one metric."""

    winner: Color | None  # None: unknown
    lower: int  # plies; the length is at least this
    upper: int | None  # plies; the length is at most this; None: no bound. Both say nothing for metric winner
    nodes: int  # of the search that told the last news
    milliseconds: int  # CPU time of that search

    def seen_through(self, symmetry: Symmetry) -> Record:
        """The record of the symmetric position; every symmetry is its own inverse."""
        return self if self.winner is None else self._replace(winner=symmetry.color(self.winner))


UNKNOWN = Record(None, 0, None, 0, 0)
"""Nothing is known."""


def default_directory() -> Path:
    """The store's place when none is named: under XDG_CACHE_HOME, or ~/.cache."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(cache) if os.path.isabs(cache) else Path.home() / ".cache"
    return base / "hexbook" / "store"


def merge(old: Record, new: Record) -> Record:
    """Everything that `old` or `new` knows; `old` itself when `new` brings nothing.

    Raises InputError when they contradict each other.

    >>> merge(Record(None, 5, None, 70, 1), Record(Color.WHITE, 3, 9, 80, 2))
    Record(winner=<Color.WHITE: 1>, lower=5, upper=9, nodes=80, milliseconds=2)
    """
    winner = old.winner if new.winner is None else new.winner
    lower = max(old.lower, new.lower)
    uppers = [bound for bound in (old.upper, new.upper) if bound is not None]
    upper = min(uppers) if uppers else None
    if old.winner not in (None, winner) or (upper is not None and lower > upper):
        raise InputError(
            f"a new result ({_words(new)}) contradicts the stored one ({_words(old)}): "
            "move the store away, solve again and report the one that was wrong"
        )
    if (winner, lower, upper) == old[:3]:
        return old
    return Record(winner, lower, upper, new.nodes, new.milliseconds)


class Store:
    """Records by position and metric. Opened with `Store.open`, closed with `close` or by leaving its `with` block.

    One process opens a directory once and hands the open store on. Threads may share it; a forked child may not use it.
    """

    def __init__(self, environment: lmdb.Environment, directory: Path) -> None:
        self.directory = directory
        self._environment = environment
        self._lock = threading.RLock()  # the map may be resized only while no transaction of this process is open
        self._pid = os.getpid()

    @classmethod
    def open(cls, directory: Path, readonly: bool = False, *, map_size: int = _MAP_SIZE) -> Self:
        """The store in `directory`, made if it is missing, unless `readonly`.

        `map_size` (bytes) is only where the map starts: it grows when it is full.
        Raises InputError when the directory cannot be made or written, is open already in this process, or holds
        something else, another format version or a truncated file.
        """
        with _one_line("open", directory):
            if directory.exists() and not directory.is_dir():
                raise InputError("is not a directory")
            if readonly:
                return cls._opened(directory, readonly, map_size)
            with _removed_on_failure(directory):
                directory.mkdir(parents=True, exist_ok=True)
                _allocate(directory / "lock.mdb")
                return cls._opened(directory, readonly, map_size)

    @classmethod
    def _opened(cls, directory: Path, readonly: bool, map_size: int) -> Self:
        if (file := directory / "data.mdb").exists():
            check_metas(file)
        environment = lmdb.open(os.fsencode(directory), map_size=map_size, readonly=readonly, create=not readonly)
        try:
            environment.reader_check()  # a killed reader's slot would keep old pages from being used again
            store = cls(environment, directory)
            store._check_pages(file)
            store._check_format(readonly)
        except BaseException:
            environment.close()
            raise
        return store

    def get(self, position: Position, metric: str) -> Record | None:
        """What is known of `position`, or None. Raises InputError for a damaged record."""
        key, symmetry = _key(position, metric)
        with _one_line("read", self.directory), self._transaction() as transaction:
            record = _record(transaction, key)
        return None if record is None else record.seen_through(symmetry)

    def put_many(self, records: Iterable[tuple[Position, str, Record]]) -> None:
        """Add what `records` know to what is known; on return it is on disk.

        Written in batches of one transaction each. Bounds only become tighter: a worse record changes nothing.
        Raises InputError when the disk is full and for a record that contradicts the stored one; that batch is not written.
        """
        rows = iter(records)
        while batch := list(islice(rows, _BATCH)):
            self._write(batch)

    def close(self) -> None:
        """Close the files; the store cannot be used afterwards."""
        self._environment.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, batch: list[tuple[Position, str, Record]]) -> None:
        rows = []
        for position, metric, record in batch:
            key, symmetry = _key(position, metric)
            rows.append((key, record.seen_through(symmetry)))
        with _one_line("write", self.directory), self._lock:
            while not self._written(rows):
                self._environment.set_mapsize(2 * self._environment.info()["map_size"])

    def _written(self, rows: list[tuple[bytes, Record]]) -> bool:
        """Commit `rows` as one transaction; False, and nothing written, when the map is too small for them."""
        try:
            with self._transaction(write=True) as transaction:
                for key, record in rows:
                    old = _record(transaction, key)
                    merged = record if old is None else merge(old, record)
                    if merged is not old:
                        transaction.put(key, _pack(key, merged))
            return True
        except lmdb.MapFullError:
            return False

    @contextmanager
    def _transaction(self, write: bool = False) -> Iterator[lmdb.Transaction]:
        if os.getpid() != self._pid:
            raise RuntimeError("a store cannot be used in a forked child: open it there")
        with self._lock:
            try:
                transaction = self._environment.begin(write=write)
            except lmdb.MapResizedError:  # another process let the map grow
                self._environment.set_mapsize(0)
                transaction = self._environment.begin(write=write)
            with transaction:
                yield transaction

    def _check_pages(self, file: Path) -> None:
        """Refuse a file in which LMDB would lose its way."""
        size, sound = self._environment.stat()["psize"], False
        while not sound:
            with self._transaction() as transaction:
                sound = check_pages(file, transaction.id(), size)

    def _check_format(self, readonly: bool) -> None:
        """Refuse another format version and files of other programs; write the format into a new store."""
        ours = f"{_META_WORDS}{FORMAT}"
        with self._transaction() as transaction:
            found = transaction.get(_META_KEY)
        if found is None and not readonly:
            with self._transaction(write=True) as transaction:
                if transaction.stat()["entries"] == 0:
                    transaction.put(_META_KEY, ours.encode())
                found = transaction.get(_META_KEY)
        words = bytes(found or b"").decode(errors="replace")
        if not words.startswith(_META_WORDS):
            raise InputError("the directory holds something else: name another one")
        if words != ours:
            version = words.removeprefix(_META_WORDS)
            raise InputError(
                f"has format {version}, this program reads format {FORMAT}: use the hexbook that made it, "
                "name another directory, or move this one away and solve again"
            )


@contextmanager
def _one_line(action: str, directory: Path) -> Iterator[None]:
    """Turn whatever goes wrong into an InputError that names the store."""
    try:
        yield
    except lmdb.InvalidError as error:
        problem = "holds no file that this LMDB reads: name another directory, or move this one away"
        raise InputError(f"store {directory}: {problem}") from error
    except OSError as error:
        raise InputError(f"store {directory}: cannot {action} it: {error.strerror}") from error
    except lmdb.Error as error:
        problem = str(error).removeprefix(f"{directory}: ")
        raise InputError(f"store {directory}: cannot {action} it: {problem}") from error
    except InputError as error:
        raise InputError(f"store {directory}: {error}") from error


@contextmanager
def _removed_on_failure(directory: Path) -> Iterator[None]:
    """Remove the files and directories of a store that were not there before, if it cannot be made."""
    files = [file for file in (directory / "data.mdb", directory / "lock.mdb") if not file.exists()]
    made = [parent for parent in (directory, *directory.parents) if not parent.exists()]
    try:
        yield
    except BaseException:
        for file in files:
            file.unlink(missing_ok=True)
        for parent in made:
            with suppress(OSError):
                parent.rmdir()
        raise


def _allocate(lock: Path) -> None:
    """Let a full disk say so: LMDB maps a lock file of holes, and would be killed when it fills one."""
    if not hasattr(os, "posix_fallocate"):  # macOS
        return
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        os.posix_fallocate(descriptor, 0, _LOCK_SIZE)
    finally:
        os.close(descriptor)


def _key(position: Position, metric: str) -> tuple[bytes, Symmetry]:
    """The key, and the symmetry that maps `position` onto the canonical position it names."""
    if metric not in _METRICS:
        raise InputError(f"unknown metric {metric!r}: choose {', '.join(_METRICS)}")
    canonical, symmetry = position.canonical()
    size = canonical.size
    key = _KEY.pack(size.columns, size.rows, _METRICS[metric], canonical.to_move, canonical.black, canonical.white)
    return key, symmetry


def _record(transaction: lmdb.Transaction, key: bytes) -> Record | None:
    value = transaction.get(key)
    return None if value is None else _unpack(key, bytes(value))


def _pack(key: bytes, record: Record) -> bytes:
    known_winner, known_upper = record.winner is not None, record.upper is not None
    flags = known_winner | (record.winner == Color.WHITE) << 1 | known_upper << 2
    body = _VALUE.pack(flags, record.lower, record.upper or 0, record.nodes, record.milliseconds)
    return body + bytes([_check(key, body)])


def _unpack(key: bytes, value: bytes) -> Record:
    body = value[:-1]
    if len(body) == _VALUE.size and value[-1] == _check(key, body):
        flags, lower, upper, nodes, milliseconds = _VALUE.unpack(body)
        if flags < 8 and lower <= (upper if flags & 4 else MOST_CELLS) <= MOST_CELLS:
            winner = Color(flags >> 1 & 1) if flags & 1 else None
            return Record(winner, lower, upper if flags & 4 else None, nodes, milliseconds)
    raise InputError(f"the record {key.hex()} is damaged: move the store away and solve again")


def _words(record: Record) -> str:
    winner = "unknown" if record.winner is None else str(record.winner)
    return f"winner {winner}, length {record.lower} to {'any' if record.upper is None else record.upper}"


def _check(key: bytes, body: bytes) -> int:
    return int.from_bytes(key + body, "big") % _CHECK_MODULUS
