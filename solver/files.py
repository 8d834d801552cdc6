"""Files that a user names: small texts, read whole, and results, written at the end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path

from solver.position import InputError

MOST_TEXT = 1 << 20
"""The bytes that a board or a game may have."""


def read_text(path: Path, *, most: int = MOST_TEXT, errors: str = "strict") -> str:
    """The UTF-8 text in a file, with or without a byte order mark; `errors` as for `bytes.decode`.

    Raises OSError if it cannot be read, InputError if it has more than `most` bytes or is no text.
    """
    with path.open("rb") as file:
        return decoded(file.read(most + 1), str(path), most=most, errors=errors)


def decoded(data: bytes, name: str, *, most: int = MOST_TEXT, errors: str = "strict") -> str:
    """The text in the bytes of a file of that name. Raises InputError as `read_text` does."""
    if len(data) > most:
        raise InputError(f"{name} has more than {most >> 10} KiB, too much for what it should be; name another file")
    try:
        return data.decode("utf-8-sig", errors)
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is no text file in UTF-8") from error


def require_writable(path: Path) -> None:
    """Raise InputError for a file that could not be written after a long search."""
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(f"{path} cannot be written; name a file in a directory that is there and open to you")


def append(path: Path, line: str) -> None:
    """Add a line to a file, which is made if it is missing. Raises InputError if that fails."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error


def beside(path: Path) -> Path:
    """Where this process writes what shall stand at `path`."""
    return path.with_name(f"{path.name}.{os.getpid()}.part")


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """Where to write what shall stand at `path`: beside it, and moved there at the end, so that what stands there is always whole.

    Whatever goes wrong, an older file stands as it was and nothing is left; only a process that is killed leaves its file beside, until
    the next one writes there. What is no plain file, such as /dev/stdout, is written itself. Raises InputError instead of OSError.
    """
    try:
        if path.exists() and not path.is_file():
            yield path
            return
        place = path.resolve()  # a link stays one
        _remove_left(place)
        try:
            yield beside(place)
            os.replace(beside(place), place)
        finally:
            beside(place).unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error


def _remove_left(path: Path) -> None:
    """Remove what processes that were killed have left beside a file."""
    for left in path.parent.glob(f"{escape(path.name)}.*.part"):
        process = left.name.removeprefix(f"{path.name}.").removesuffix(".part")
        if process.isdecimal():
            try:
                os.kill(int(process), 0)
            except ProcessLookupError:
                left.unlink(missing_ok=True)
            except OSError:  # it runs, as another user
                pass
