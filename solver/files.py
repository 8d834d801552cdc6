"""Text files that a user names: small ones, read whole."""

from __future__ import annotations

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
