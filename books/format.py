"""The bytes of a book: how positions, values and what is said of the book as a whole are written. Nothing here touches a file.

A book is an LMDB file (`books.file`) of one record for each position and one for the book, and a seal behind it.

Position, the key: a number in base 3, most significant byte first, in as many bytes as the largest one of the board needs, but at
least 2. Its last digit is the side to move, the one before it cell 0, and so on: 0 for Black and for an empty cell, 1 for White and
for a black stone, 2 for a white stone. Positions are canonical; on square boards it is Black's move in all of them.

Value, 2 bytes: twice the length, plus 1 if White wins (length 0 for metric winner, where it says nothing); then a check, the key
and the byte before it read as one number, modulo the prime 251, which no single flipped bit leaves as it was.

The book, under the key of one zero byte, before all positions: a JSON object as in `Metadata`, keys sorted, without blanks.

The seal, after the last page of LMDB: a line with the version of all this and the SHA-256 of everything before it.

>>> size = Size(3, 3)
>>> key = Coder(size).key(Position(size, 0, 0b10000, Color.BLACK))  # White in the centre, Black to move
>>> key.hex()  # 2 * 3**5
'01e6'
>>> pack(key, Entry(Color.BLACK, 6)).hex()
'0cb7'
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from books.contents import Entry
from solver.notation import parse_size
from solver.position import Color, InputError, Position, Size
from solver.solution import METRICS

FORMAT = 1
"""The version of all this."""

METADATA_KEY = b"\0"
SEAL_SIZE = 96
"""Bytes."""

_SEAL = re.compile(rb"\nhexbook book (\d+) sha256 ([0-9a-f]{64}) *\n")
_CHECK_MODULUS = 251


class DamagedBook(InputError):
    """A book that is not as it was written."""


class Metadata(NamedTuple):
    """What a book says of itself."""

    size: Size
    metric: str
    plies: int
    """Moves up to which the book is complete."""
    counts: tuple[int, ...]
    """Positions without stones, with one stone, with two, and so on."""
    checksum: str
    """SHA-256 of the records of all positions, in their order: the same for all builders."""
    program: str
    """What made the book."""
    made: str
    """When it was made: 2026-11-28T12:00:00Z."""

    @property
    def positions(self) -> int:
        """The number of positions."""
        return sum(self.counts)

    def to_json(self) -> dict[str, Any]:
        """As an object for a JSON writer."""
        return self._asdict() | {"size": str(self.size), "positions": self.positions}

    def packed(self) -> bytes:
        """As it stands in the file."""
        return json.dumps(self.to_json(), sort_keys=True, separators=(",", ":")).encode()

    @classmethod
    def unpacked(cls, data: bytes) -> Metadata:
        """What stands in a file; raises DamagedBook if it is not understood."""
        try:
            fields = json.loads(data)
            texts = [fields[name] for name in ("size", "metric", "checksum", "program", "made")]
            numbers = [fields["plies"], *fields["counts"]]
            if all(type(text) is str and text.isprintable() for text in texts) and all(type(number) is int for number in numbers):
                metadata = cls(parse_size(texts[0]), texts[1], numbers[0], tuple(numbers[1:]), *texts[2:])
                if metadata.packed() == data and min(numbers) >= 0 and metadata.metric in METRICS:
                    return metadata
        except (ValueError, LookupError, TypeError, RecursionError):
            pass
        raise DamagedBook("says nothing sensible of itself: build it again")


class Coder:
    """Keys for the positions of one board and of its mirror image."""

    def __init__(self, size: Size) -> None:
        self._size = Position.start(size).canonical()[0].size
        self._bytes = max(2, ((3 ** (size.cells + 1) - 1).bit_length() + 7) // 8)

    def key(self, canonical: Position) -> bytes:
        """The key of a canonical position. Raises InputError for one of another board."""
        if canonical.size != self._size:
            raise InputError(f"a book of {self._size} knows nothing of {canonical.size}; ask the book of that size")
        digits = int(f"{canonical.black:b}", 3) + 2 * int(f"{canonical.white:b}", 3)
        return (3 * digits + canonical.to_move).to_bytes(self._bytes, "big")

    def position(self, key: bytes) -> Position:
        """The canonical position that a key names; raises DamagedBook if it names none."""
        digits, to_move = divmod(int.from_bytes(key, "big"), 3)
        stones = [0, 0, 0]
        for cell in range(self._size.cells):
            digits, content = divmod(digits, 3)
            stones[content] |= 1 << cell
        if len(key) == self._bytes and digits == 0 and to_move < 2:
            position = Position(self._size, stones[1], stones[2], Color(to_move))
            if position.canonical()[0] == position:
                return position
        raise DamagedBook(f"has a record {key.hex()}, which is no canonical position")


def pack(key: bytes, entry: Entry) -> bytes:
    """The value of a position, as it stands in the file; `entry` is that of the canonical position."""
    body = bytes([2 * (entry.length or 0) + entry.winner])
    return body + _check(key, body)


def unpack(key: bytes, value: bytes, metric: str) -> Entry:
    """The value that stands in a file; raises DamagedBook if it cannot be what was written."""
    body, check = value[:1], value[1:]
    if check != _check(key, body):
        raise DamagedBook(f"has a damaged record {key.hex()}")
    length, winner = divmod(body[0], 2)
    return Entry(Color(winner), None if metric == "winner" else length)


def checksum(records: Iterable[tuple[bytes, bytes]]) -> str:
    """The digest of keys and values in their order, for `Metadata.checksum`."""
    digest = hashlib.sha256()
    for key, value in records:
        digest.update(key + value)
    return digest.hexdigest()


def seal(sha256: str) -> bytes:
    """The last line of a file whose other bytes have that digest."""
    return f"\nhexbook book {FORMAT} sha256 {sha256}".encode().ljust(SEAL_SIZE - 1) + b"\n"


def read_seal(tail: bytes) -> tuple[int, str] | None:
    """The version and the digest that the last SEAL_SIZE bytes of a file tell; None if they are no seal."""
    match = _SEAL.fullmatch(tail)
    return None if match is None else (int(match[1]), match[2].decode())


def _check(key: bytes, body: bytes) -> bytes:
    return bytes([int.from_bytes(key + body, "big") % _CHECK_MODULUS])
