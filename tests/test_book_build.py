"""Building books: the right positions with the right values, the same for every builder, whatever happens on the way."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import oracle
import pytest
import shelf
from positions import Setup
from processes import started

import books
from books.contents import followers, quick, roots, strategic
from books.verify import verify
from solver.notation import parse_size
from solver.position import Color, InputError, Position, Size
from solver.solution import METRICS
from solver.store import Store

ROOT = Path(__file__).parent.parent


def truth(position: Position, metric: str) -> tuple[Color, int | None]:
    """Winner and length by the judge."""
    board = Setup(position.size.columns, position.size.rows, position.black, position.white).board
    player = "BW"[position.to_move]
    return Color("BW".index(oracle.winner(board, player))), None if metric == "winner" else oracle.length(board, player, metric)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("size", ["1x1", "2x2", "3x3", "4x2", "2x4", "3x4"])
def test_values_are_those_of_the_judge(size: str, metric: str) -> None:
    if size == "3x4" and metric != "checkmate":
        pytest.skip("this takes the judge too long")
    with books.open(shelf.book(size, metric)) as book:
        for position, entry in book:
            assert tuple(entry) == truth(position, metric), position


@pytest.mark.parametrize("size", ["1x1", "3x3", "4x3", "4x4", "5x5"])
def test_books_are_complete_and_sound(size: str) -> None:
    with books.open(shelf.book(size)) as book:
        for layer in roots(parse_size(size), 2):
            assert all(position in book for position in layer)
        assert verify(book, samples=None if size != "5x5" else 100, limits=shelf.SMALL) > 1


def test_the_openings_are_those_of_the_reference() -> None:
    for size in ("1x1", "2x2", "3x3", "4x4", "5x5"):
        rows = (ROOT / "runs" / "reference" / f"{size}-checkmate.csv").read_text().splitlines()[3:]
        start = Position.start(parse_size(size))
        with books.open(shelf.book(size)) as book:
            for cell, row in enumerate(rows):
                entry = book.probe(start.play(cell))
                assert row.split(",")[1:] == [str(entry.winner), str(entry.length)]


def test_strategies_lead_to_where_search_is_quick() -> None:
    """From every opening, by the moves of the book against every defence."""
    layers = roots(Size(5, 5), 2)
    with books.open(shelf.book("5x5")) as book:
        waiting, ends = list(layers[1]), 0
        while waiting:
            position = waiting.pop()
            entry = book.probe(position)
            onward = followers(position, entry, lambda reply, kept: book.get(reply) == kept)
            assert bool(onward) != quick(position, entry)
            waiting += onward
            ends += not onward
        assert ends > 300
        assert len(strategic(layers, book.probe)) < len(layers[1] + layers[2])


def records(path: Path) -> list[tuple[bytes, bytes]]:
    with books.open(path) as book:
        return list(book.records())


def test_all_builders_get_the_same_records(tmp_path: Path) -> None:
    alone = shelf.build_alone(tmp_path / "5x5.book", "5x5", workers=2)
    with books.open(shelf.book("5x5")) as book:
        assert book.metadata.checksum == alone.checksum and book.metadata.counts == alone.counts
    assert records(tmp_path / "5x5.book") == records(shelf.book("5x5"))


def test_a_book_that_is_complete_further_on(tmp_path: Path) -> None:
    for plies in (1, 3):
        metadata = shelf.build_alone(tmp_path / "book", "3x3", plies=plies)
        with books.open(tmp_path / "book") as book:
            assert metadata.plies == plies and verify(book, samples=None, limits=shelf.SMALL) == len(book)
            assert all(position in book for layer in roots(Size(3, 3), plies) for position in layer)


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "solver", "book", "build", *map(str, arguments)]


def test_a_killed_build_goes_on_and_makes_the_same_book(tmp_path: Path) -> None:
    arguments = "5", "-o", tmp_path / "5x5.book", "--store", tmp_path / "store", "--workers", "1", "--memory", "64"
    with started(command(*arguments), cwd=ROOT, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 60
        while stored(tmp_path / "store") < 40 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        process.kill()
    assert process.wait() == -signal.SIGKILL
    before = stored(tmp_path / "store")
    assert before >= 40 and not (tmp_path / "5x5.book").exists()
    subprocess.run(command(*arguments), cwd=ROOT, check=True, capture_output=True)
    assert stored(tmp_path / "store") > before
    assert records(tmp_path / "5x5.book") == records(shelf.book("5x5"))
    assert sorted(os.listdir(tmp_path)) == ["5x5.book", "store"]


def stored(directory: Path) -> int:
    """How many records a store has."""
    if not (directory / "data.mdb").exists():
        return 0
    try:
        with Store.open(directory, readonly=True) as store:
            return store._environment.stat()["entries"]
    except InputError:  # it is not yet a store
        return 0


def test_ctrl_c_ends_a_build(tmp_path: Path) -> None:
    book = tmp_path / "6x6.book"
    book.write_text("the old one")
    arguments = command("6", "-o", book, "--store", "none", "--workers", "2", "--memory", "64")
    with started(arguments, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(2)
        pressed = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert time.monotonic() - pressed < 3
    assert process.returncode == 130 and errors.splitlines()[-1:] == ["hexbook: interrupted"]
    assert os.listdir(tmp_path) == ["6x6.book"] and book.read_text() == "the old one"
