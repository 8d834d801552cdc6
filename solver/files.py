"""Files that a user names: small texts, read whole, and results, written at the end."""

from __future__ import annotations

import os
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
