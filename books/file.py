"""Book files: written once, beside their place, and moved there whole; opened only when every byte is as it was written.

The whole file is read and compared with its seal before LMDB sees it, since LMDB itself trusts its files: a page that is missing
or that points nowhere would kill the process. That takes about a millisecond a megabyte. A book is never changed in place, so it
needs no lock file and can be read from read-only media, by any number of processes; do not write over one that is open, but move
another into its place.
"""

from __future__ import annotations

import errno
import hashlib
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import lmdb

from books.format import FORMAT, METADATA_KEY, SEAL_SIZE, DamagedBook, Metadata, read_seal, seal
from solver.files import replaced
from solver.position import InputError

_LMDB_MAGIC = 0xBEEFC0DE
_MAGIC_PLACE = slice(16, 20)  # of the first page, behind its header
_CHUNK = 1 << 20
_PAGE = 4096  # bytes
_OVERHEAD = 16  # bytes that LMDB adds to a record, at most


def write(path: Path, metadata: Metadata, records: Sequence[tuple[bytes, bytes]]) -> None:
    """Write a book of `records`, which are sorted by their keys, and put it in the place of an older one.

    Raises InputError when that fails; then an older book stands as it was.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replaced(path) as beside:
            _write_pages(beside, [(METADATA_KEY, metadata.packed()), *records])
            _add_seal(beside)
        _sync_directory(path.parent)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
    except lmdb.Error as error:
        words = str(error).rpartition(": ")[2]
        raise InputError(f"cannot write {path}: {words}; is there room on the disk?") from error


class BookFile:
    """The records of a book that is as it was written.

    A process may open a file several times; a forked child has to open it itself.
    """

    def __init__(self, path: Path) -> None:
        """Raises InputError, one line that says what to do, for whatever is not a sound book of this version."""
        self._pid = os.getpid()
        with naming(path), path.open("rb") as file:
            _check_seal(file)
            self._shared: _Environment | None = _Environment.of(path, file)
            try:
                self.metadata = Metadata.unpacked(self.get(METADATA_KEY) or b"")
            except BaseException:
                self.close()
                raise

    def get(self, key: bytes) -> bytes | None:
        """The value under a key."""
        with self._transaction() as transaction:
            value = transaction.get(key)
        return None if value is None else bytes(value)

    def records(self) -> Iterator[tuple[bytes, bytes]]:
        """Keys and values of all positions, in the order of the keys."""
        with self._transaction() as transaction:
            for key, value in transaction.cursor():
                if key != METADATA_KEY:
                    yield bytes(key), bytes(value)

    def close(self) -> None:
        """Close the file, here; asked once more, it does nothing."""
        if self._shared is not None:
            self._shared.let_go()
            self._shared = None

    def _transaction(self) -> lmdb.Transaction:
        if self._shared is None:
            raise ValueError("the book is closed")
        if os.getpid() != self._pid:
            raise RuntimeError("a book cannot be used in a forked child: open it there")
        return self._shared.environment.begin()


class _Environment:
    """The LMDB environment of a file, which a process must not open twice: all books of the file share it."""

    _of_files: dict[tuple[int, int], _Environment] = {}
    _lock = threading.Lock()

    def __init__(self, environment: lmdb.Environment, file: tuple[int, int]) -> None:
        self.environment = environment
        self._file = file
        self._users = 0

    @classmethod
    def of(cls, path: Path, file: BinaryIO) -> _Environment:
        """The environment of the file at `path`, to be let go at the end; `file` is the same one, open."""
        status = os.fstat(file.fileno())
        identity = status.st_dev, status.st_ino
        with cls._lock:
            shared = cls._of_files.get(identity)
            if shared is None:
                environment = lmdb.open(os.fsencode(path), subdir=False, readonly=True, lock=False, create=False)
                shared = cls._of_files[identity] = cls(environment, identity)
            shared._users += 1
            return shared

    def let_go(self) -> None:
        """One user less; the last one closes it."""
        with self._lock:
            self._users -= 1
            if not self._users and self._of_files.get(self._file) is self:
                del self._of_files[self._file]
                self.environment.close()

    @classmethod
    def forget_all(cls) -> None:
        """Close what a forked child has inherited, so that it can open the files itself."""
        for shared in cls._of_files.values():
            shared.environment.close()
        cls._of_files = {}
        cls._lock = threading.Lock()


os.register_at_fork(after_in_child=_Environment.forget_all)


def _write_pages(path: Path, records: Sequence[tuple[bytes, bytes]]) -> None:
    room = sum(len(key) + len(value) + _OVERHEAD for key, value in records)
    environment = lmdb.open(os.fsencode(path), map_size=2 * room + 64 * _PAGE, subdir=False, lock=False, mode=0o644)
    try:
        with environment.begin(write=True) as transaction:
            for key, value in records:
                transaction.put(key, value, append=True)
    finally:
        environment.close()


def _add_seal(path: Path) -> None:
    with path.open("rb+") as file:
        file.write(seal(_digest(file, path.stat().st_size)))
        file.flush()
        os.fsync(file.fileno())


def _digest(file: BinaryIO, size: int) -> str:
    """The digest of the first `size` bytes; the file is at their end then."""
    digest = hashlib.sha256()
    file.seek(0)
    while size and (chunk := file.read(min(size, _CHUNK))):
        digest.update(chunk)
        size -= len(chunk)
    return digest.hexdigest()


def _sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _check_seal(file: BinaryIO) -> None:
    """Refuse whatever is not, byte for byte, a book of this version that this machine reads."""
    magic = file.read(_MAGIC_PLACE.stop)[_MAGIC_PLACE]
    start = max(0, file.seek(0, os.SEEK_END) - SEAL_SIZE)
    file.seek(start)
    found = read_seal(file.read())
    if found is None:
        if _LMDB_MAGIC in (int.from_bytes(magic, "little"), int.from_bytes(magic, "big")):
            raise DamagedBook("is not a whole book: bring a whole copy, or build it again")
        raise InputError("is no book: name one that 'hexbook book build' made")
    version, digest = found
    if version != FORMAT:
        raise InputError(
            f"has format {version}, this program reads format {FORMAT}: use the hexbook that made it, or build it again"
        )
    if digest != _digest(file, start):
        raise DamagedBook("is damaged: bring a sound copy, or build it again")
    if int.from_bytes(magic, sys.byteorder) != _LMDB_MAGIC:
        raise InputError("was made on a machine with another byte order: build it again on this one")


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Turn whatever goes wrong with a file into an InputError that names it."""
    try:
        yield
    except InputError as error:
        raise type(error)(f"book {path}: {error}") from error
    except lmdb.Error as error:
        raise InputError(f"book {path}: was made by an LMDB that this machine cannot read: build it again here") from error
    except OSError as error:
        missing = error.errno == errno.ENOENT
        problem = "there is no such file; 'hexbook book build' makes one" if missing else f"cannot read it: {error.strerror}"
        raise InputError(f"book {path}: {problem}") from error
