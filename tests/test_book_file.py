"""Book files: a sound one is read anywhere, by many at once; any other is refused in one line, and never kills the process."""

import multiprocessing
import os
import shutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from random import Random

import lmdb
import pytest
import shelf
from disks import mounted, remount
from processes import started

import books
from books import Book, Entry, NotInBook
from books import file as module
from books.file import write
from books.format import SEAL_SIZE, Metadata, checksum, seal
from solver.position import SYMMETRIES, Color, InputError, Position, Size

START = Position.start(Size(4, 4))
HELD = START.play(1)
OUTSIDE = HELD.play(5).play(6)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A copy of the book of 4x4, to be spoilt."""
    return Path(shutil.copy(shelf.book("4x4"), tmp_path / "4x4.book"))


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        books.open(path).close()
    message = str(caught.value)
    assert "\n" not in message and str(path) in message
    return message


def resealed(path: Path) -> None:
    """Put the right seal under a file that was changed."""
    pages = path.read_bytes()[:-SEAL_SIZE]
    path.write_bytes(pages)
    with path.open("rb") as file:
        line = seal(module._digest(file, len(pages)))
    path.write_bytes(pages + line)


def test_a_book_is_asked() -> None:
    with books.open(shelf.book("4x4")) as book:
        assert book.probe(START) == book.get(START) == Entry(Color.BLACK, 5)
        assert START in book and OUTSIDE not in book
        assert book.get(OUTSIDE) is None and book.get(OUTSIDE, 7) == 7
        with pytest.raises(NotInBook, match="does not hold"):
            book.probe(OUTSIDE)
        with pytest.raises(KeyError):
            book.probe(OUTSIDE)
        assert len(book) == len(list(book)) == book.metadata.positions
        for position, entry in book:
            assert position == position.canonical()[0] and book.probe(position) == entry
            for symmetry in SYMMETRIES:
                assert book.probe(symmetry.position(position)) == Entry(symmetry.color(entry.winner), entry.length)
        with pytest.raises(InputError, match="5x5"):
            book.get(Position.start(Size(5, 5)))


def test_a_closed_book_says_so() -> None:
    book = books.open(str(shelf.book("4x4")))
    book.close()
    book.close()
    with pytest.raises(ValueError, match="closed"):
        book.get(START)


def test_a_book_leaves_nothing_beside_it(path: Path) -> None:
    with books.open(path) as book:
        assert book.probe(START)
        assert os.listdir(path.parent) == [path.name]
    assert os.listdir(path.parent) == [path.name]


def test_a_book_on_read_only_media(path: Path, tmp_path: Path) -> None:
    media = tmp_path / "media"
    with mounted(media, "size=1m"):
        shutil.copy(path, media)
        remount(media, "ro")
        with books.open(media / path.name) as book:
            assert book.probe(START) == Entry(Color.BLACK, 5)


def test_a_book_opened_twice(path: Path) -> None:
    os.link(path, path.with_name("link"))
    with books.open(path) as one:
        with books.open(path.with_name("link")) as other:
            assert one.probe(START) == other.probe(START)
        assert one.probe(START)
        with pytest.raises(ValueError, match="closed"):
            other.probe(START)
    with books.open(path) as one:
        assert one.probe(START)


def test_many_threads_ask_one_book(path: Path) -> None:
    with books.open(path) as book, ThreadPoolExecutor(8) as threads:
        assert set(threads.map(book.probe, [START] * 2000)) == {Entry(Color.BLACK, 5)}


def probe(path: Path) -> Entry:
    with books.open(path) as book:
        return book.probe(START)


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_many_processes_ask_one_book(path: Path, method: str) -> None:
    with books.open(path) as book, ProcessPoolExecutor(3, multiprocessing.get_context(method)) as processes:
        assert set(processes.map(probe, [path] * 9)) == {book.probe(START)}


def test_a_forked_child_has_to_open_the_book_itself(path: Path) -> None:
    with books.open(path) as book:
        child = os.fork()
        if not child:
            try:
                book.get(START)
            except RuntimeError:
                os._exit(0 if probe(path) else 2)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert book.probe(START)


def test_killed_readers_hold_nothing(path: Path) -> None:
    code = f"import books, sys, time; book = books.open({str(path)!r}); print(len(book), flush=True); time.sleep(60)"
    for _ in range(2):
        with started([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent.parent) as reader:
            assert reader.stdout.readline()
    assert probe(path) and os.listdir(path.parent) == [path.name]


def test_a_new_book_takes_the_place_of_one_that_is_open(path: Path) -> None:
    with books.open(path) as old:
        shelf.altered(path, path, lambda records: records.pop(shelf.key(START)))
        with books.open(path) as new:
            assert START in old and START not in new


def test_any_truncation_is_seen(path: Path) -> None:
    whole = path.read_bytes()
    for length in [0, 1, 15, 16, 20, 100, 4095, 4096, 8192, len(whole) - SEAL_SIZE, len(whole) - 1]:
        path.write_bytes(whole[:length])
        message = refusal(path)
        assert "build it again" in message if length >= 20 else "is no book" in message
    path.write_bytes(whole + b"\n")
    assert "not a whole book" in refusal(path)


def test_any_flipped_bit_is_seen(path: Path) -> None:
    whole, rng = path.read_bytes(), Random(5)
    for bit in [*rng.sample(range(8 * (len(whole) - SEAL_SIZE)), 200), 8 * (len(whole) - SEAL_SIZE) + 200, 8 * len(whole) - 1]:
        spoilt = bytearray(whole)
        spoilt[bit // 8] ^= 1 << bit % 8
        path.write_bytes(spoilt)
        refusal(path)


def test_a_record_that_is_spoilt_while_the_book_is_open(path: Path) -> None:
    place = path.read_bytes().index(shelf.key(START) + shelf.value(START, Entry(Color.BLACK, 5)))
    with books.open(path) as book, path.open("rb+") as file:
        file.seek(place + len(shelf.key(START)))
        file.write(b"\xff")
        file.flush()
        with pytest.raises(InputError, match="damaged record") as caught:
            book.get(START)
        assert str(path) in str(caught.value)


def test_files_of_others(tmp_path: Path) -> None:
    file = tmp_path / "file"
    for content in (b"", b"PK\3\4" + bytes(5000), "Schachbuch\n".encode() * 9):
        file.write_bytes(content)
        assert "is no book" in refusal(file)
    file.unlink()
    environment = lmdb.open(str(file), subdir=False, lock=False)
    environment.close()
    assert "not a whole book" in refusal(file)
    resealed_copy = tmp_path / "sealed"
    resealed_copy.write_bytes(file.read_bytes() + b"-" * SEAL_SIZE)
    resealed(resealed_copy)
    assert "says nothing sensible of itself" in refusal(resealed_copy)
    assert "no such file" in refusal(tmp_path / "missing")
    assert "cannot read it" in refusal(tmp_path)


def test_another_version(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"\nhexbook book 1 ", b"\nhexbook book 7 "))
    assert "format 7, this program reads format 1" in refusal(path)


def test_another_byte_order_and_another_lmdb(path: Path) -> None:
    whole = path.read_bytes()
    for place, hint in ((16, "byte order"), (20, "LMDB")):  # the magic number and the version, in both of LMDB's first pages
        spoilt = bytearray(whole)
        for page in (0, 4096):
            spoilt[page + place : page + place + 4] = spoilt[page + place : page + place + 4][::-1]
        path.write_bytes(spoilt)
        resealed(path)
        assert hint in refusal(path)


RECORDS = [(bytes([0, high, low]), b"ab") for high in range(256) for low in range(256)]
METADATA = Metadata(Size(3, 3), "checkmate", 2, (len(RECORDS),), checksum(RECORDS), "tests", "2026-11-28T12:00:00Z")


def test_a_full_disk_leaves_the_old_book(path: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with mounted(disk, "size=400k"):
        shutil.copy(path, disk / "a.book")
        with pytest.raises(InputError, match="No space left on device|room on the disk") as caught:
            write(disk / "a.book", METADATA, RECORDS)
        assert str(disk / "a.book") in str(caught.value) and "\n" not in str(caught.value)
        assert os.listdir(disk) == ["a.book"] and probe(disk / "a.book")


def test_a_failed_write_leaves_the_old_book(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(InputError, match="Input/output error"):
        write(path, METADATA, RECORDS)
    assert os.listdir(path.parent) == [path.name] and probe(path)


def test_places_where_no_book_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file" / "a.book", tmp_path):
        with pytest.raises(InputError, match="cannot write "):
            write(place, METADATA, RECORDS[:3])
    assert os.listdir(tmp_path) == ["file"]


def test_the_same_records_make_the_same_pages(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, METADATA, RECORDS)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    with Book(tmp_path / "one") as book:
        assert list(book.records()) == RECORDS
