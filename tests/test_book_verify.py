"""Re-checking books: every kind of fault is found, and named with its position."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
import shelf

import books
from books.contents import Entry
from books.format import Metadata
from books.verify import Fault, _Checker, verify
from solver.notation import parse_moves, position_after
from solver.position import Color, Position, Size

ROOT = Path(__file__).parent.parent
START = Position.start(Size(5, 5))
Records = dict[bytes, bytes]


def after(moves: str) -> Position:
    return position_after(START.size, parse_moves(START.size, moves))


def fault(path: Path, samples: int | None = None) -> str:
    with books.open(path) as book, pytest.raises(Fault) as caught:
        verify(book, samples=samples, limits=shelf.SMALL)
    return str(caught.value)


def spoilt(tmp_path: Path, change: Callable[[Records], object], describe: Callable[[Metadata], Metadata] | None = None) -> Path:
    return shelf.altered(shelf.book("5x5"), tmp_path / "spoilt.book", change, describe)


def replaced(position: Position, entry: Entry) -> Callable[[Records], object]:
    def change(records: Records) -> None:
        assert shelf.key(position) in records
        records[shelf.key(position)] = shelf.value(position, entry)

    return change


def follower(stones: int) -> Position:
    """The first position of the strategies that has so many stones."""
    with books.open(shelf.book("5x5")) as book:
        return next(position for position in _Checker(book).all() if (position.black | position.white).bit_count() == stones)


@pytest.mark.parametrize("moves", ["", "b2", "b2 d3"])
@pytest.mark.parametrize("wrong", [Entry(Color.BLACK, 5), Entry(Color.WHITE, 14)])
def test_a_wrong_value_of_a_root(tmp_path: Path, moves: str, wrong: Entry) -> None:
    message = fault(spoilt(tmp_path, replaced(after(moves), wrong)), samples=None if len(moves) > 2 else 0)
    assert "the book says" in message or "lacks" in message or "no optimal answer" in message
    assert "to move" in message and " a b c d e" in message


def test_a_wrong_value_in_the_strategies(tmp_path: Path) -> None:
    position = follower(3)
    with books.open(shelf.book("5x5")) as book:
        entry = book.probe(position)
    assert entry.length is not None
    for wrong in (Entry(entry.winner, entry.length + 2), Entry(entry.winner.other, entry.length - 1)):
        message = fault(spoilt(tmp_path, replaced(position, wrong)))
        assert "the book says" in message or "no optimal answer" in message


def test_missing_positions(tmp_path: Path) -> None:
    for position in (START, after("b2"), after("b2 d3"), follower(4)):
        message = fault(spoilt(tmp_path, lambda records: records.pop(shelf.key(position))))
        assert "lacks this position" in message or "no optimal answer" in message


def test_positions_that_do_not_belong_there(tmp_path: Path) -> None:
    stray = after("a1 e5 a2 e4 a3 e3 a4 e2 a5 e1")

    def add(records: Records) -> None:
        records[shelf.key(stray)] = shelf.value(stray, Entry(Color.BLACK, 1))

    assert "follow from the roots" in fault(spoilt(tmp_path, add, more(10)))


def more(stones: int) -> Callable[[Metadata], Metadata]:
    """One position more of so many stones, as the book describes itself."""

    def describe(metadata: Metadata) -> Metadata:
        counts = [*metadata.counts, *[0] * (stones + 1 - len(metadata.counts))]
        counts[stones] += 1
        return metadata._replace(counts=tuple(counts))

    return describe


def test_a_book_that_describes_itself_wrongly(tmp_path: Path) -> None:
    for describe, hint in ((more(3), "positions"), (lambda metadata: metadata._replace(checksum="0" * 64), "checksum")):
        wrong = shelf.altered(shelf.book("4x4"), tmp_path / "wrong.book", lambda records: None, describe)
        assert hint in fault(wrong, samples=0)


def test_samples_find_faults_that_are_not_rare(tmp_path: Path) -> None:
    def change(records: Records) -> None:
        with books.open(shelf.book("5x5")) as book:
            for position, entry in book:
                if (position.black | position.white).bit_count() > 2 and entry.length is not None:
                    records[shelf.key(position)] = shelf.value(position, Entry(entry.winner, entry.length + 2))

    message = fault(spoilt(tmp_path, change), samples=30)
    assert "the book says" in message or "no optimal answer" in message


def test_samples_depend_on_the_seed_alone() -> None:
    with books.open(shelf.book("5x5")) as book:
        checker = _Checker(book)
        drawn = [list(checker.some(20, seed)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def verified(*arguments: str | Path, status: int) -> str:
    command = [sys.executable, "-m", "solver", "book", "verify", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == status and "Traceback" not in done.stderr, done.stderr
    return done.stdout + done.stderr


def test_the_command(tmp_path: Path) -> None:
    assert "sound; 129 of 129" in verified(shelf.book("4x4"), "--full", status=0)
    assert "sound; " in verified(shelf.book("4x4"), "--seed", "3", status=0)
    wrong = shelf.altered(shelf.book("4x4"), tmp_path / "wrong.book", lambda records: records.popitem())
    assert "lacks this position" in verified(wrong, status=1)
    assert "no such file" in verified(tmp_path / "missing.book", status=2)


def test_the_command_finds_flipped_bits_and_truncations(tmp_path: Path) -> None:
    whole, file, rng = shelf.book("4x4").read_bytes(), tmp_path / "spoilt.book", Random(8)
    for bit in rng.sample(range(8 * len(whole)), 4):
        spoilt = bytearray(whole)
        spoilt[bit // 8] ^= 1 << bit % 8
        file.write_bytes(spoilt)
        assert str(file) in verified(file, status=1)
    file.write_bytes(whole[:9000])
    assert "not a whole book" in verified(file, status=1)
