"""hexbook query: every move with its value, the same from book, store and search."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import oracle
import pytest
import shelf
from positions import Setup

import books
from books.adviser import Adviser
from books.shelf import find, place
from solver.notation import parse_board, parse_cell, parse_moves, position_after
from solver.position import Color, Position, Size

ROOT = Path(__file__).parent.parent
COMMAND = [sys.executable, "-m", "solver"]
MOVE_KEYS = ["move", "winner", "length", "winning", "optimal", "source"]


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No book and no store but those of the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.chdir(tmp_path)


def hexbook(*arguments: str | Path, status: int = 0, typed: str = "") -> str:
    done = subprocess.run([*COMMAND, *map(str, arguments)], input=typed, capture_output=True, text=True, timeout=100)
    assert done.returncode == status, done.stderr
    if status == 2:
        assert re.fullmatch(r"hexbook: .+\n", done.stderr) and not done.stdout, done.stderr
        return done.stderr
    assert done.stderr == ""
    return done.stdout


def query(*arguments: str | Path, status: int = 0, typed: str = "") -> dict[str, Any]:
    answer = json.loads(hexbook("query", *arguments, "--json", status=status, typed=typed))
    assert isinstance(answer, dict)
    return answer


def check(answer: dict[str, Any], position: Position) -> None:
    """An answer is complete, in order, and consistent in itself."""
    size, mover = position.size, str(position.to_move)
    cells = [parse_cell(size, each["move"]) for each in answer["legal"]]
    assert sorted(cells) == position.legal()
    worth = [each["length"] if each["winning"] else -each["length"] for each in answer["legal"]]
    values = [(not each["winning"], length, cell) for each, length, cell in zip(answer["legal"], worth, cells)]
    assert all(one < other for one, other in pairwise(values))
    for each in answer["legal"]:
        assert list(each) == MOVE_KEYS and each["winning"] == (each["winner"] == mover)
        assert each["optimal"] == (each["winner"] == answer["winner"] and each["length"] == answer["legal"][0]["length"])
        assert each["source"] in ("book", "store", "search")
    if answer["length"]:
        assert answer["winner"] == answer["legal"][0]["winner"] and answer["length"] == answer["legal"][0]["length"] + 1
    assert len(answer["pv"].split()) == answer["length"]


def test_an_answer_from_the_book() -> None:
    answer = query(shelf.book("5x5"), "c3")
    assert list(answer)[:6] == ["size", "moves", "to_move", "metric", "winner", "length"] and list(answer)[-1] == "legal"
    assert (answer["size"], answer["moves"], answer["to_move"], answer["metric"]) == ("5x5", "c3", "white", "checkmate")
    assert (answer["winner"], answer["length"], answer["source"]) == ("black", 8, "book")
    assert {each["source"] for each in answer["legal"]} == {"book"}
    check(answer, position_after(Size(5, 5), [12]))


@pytest.mark.parametrize("moves", ["", "a1", "b2 c3", "d4 a1 b4 d1"])
def test_book_and_search_say_the_same(moves: str) -> None:
    position = position_after(Size(4, 4), parse_moves(Size(4, 4), moves))
    told = query("4", moves, "--book", shelf.book("4x4"), "--store", "none")
    searched = query("4", moves, "--book", "none", "--store", "none")
    check(told, position)
    check(searched, position)
    assert {each["source"] for each in searched["legal"]} == {searched["source"]} == {"search"}
    for answer in (told, searched):
        del answer["nodes"], answer["seconds"], answer["source"], answer["pv"]
        for each in answer["legal"]:
            del each["source"]
    assert told == searched


def test_any_position_is_answered_exactly() -> None:
    """Of 3x3 and 4x4, by the judge, whether the book holds it or not."""
    rng = Random(4)
    for size, book in ((Size(3, 3), "3x3"), (Size(4, 4), "4x4")):
        with books.open(shelf.book(book)) as opened, Adviser(opened, limits=shelf.SMALL) as adviser:
            for _ in range(12):
                position = Position.start(size)
                for _ in range(rng.randint(2 if size.rows == 3 else 7, 8)):
                    position = position.play(rng.choice(position.legal()))
                for value in adviser.moves(position):
                    after = position.play(value.move)
                    board = Setup(size.columns, size.rows, after.black, after.white).board
                    player = "BW"[after.to_move]
                    assert value.winner == "BW".index(oracle.winner(board, player))
                    assert value.length == oracle.length(board, player, "checkmate")


def test_sources() -> None:
    first = query("5", "c3 b3", "--book", shelf.book("5x5"))
    assert {each["source"] for each in first["legal"]} == {"book", "search"}
    second = query("5", "c3 b3", "--book", shelf.book("5x5"))
    assert {each["source"] for each in second["legal"]} == {"book", "store"} and second["nodes"] == 0


def test_books_are_found_where_they_stand(tmp_path: Path) -> None:
    size = Size(3, 3)
    assert find(size, "checkmate") is None and query("3", "--store", "none")["source"] == "search"
    place(size, "checkmate").parent.mkdir(parents=True)
    shutil.copy(shelf.book("3x3"), place(size, "checkmate"))
    assert find(size, "winner") == find(size, "checkmate") == place(size, "checkmate") and find(size, "connection") is None
    assert query("3", "--store", "none")["source"] == "book"
    assert query("3", "--store", "none", "--book", "none")["source"] == "search"
    assert query("3", "--store", "none", "--metric", "connection")["source"] == "search"
    Path("runs/books").mkdir(parents=True)
    shutil.copy(shelf.book("3x3", "winner"), "runs/books/3x3-winner.book")
    assert find(size, "winner") == Path("runs/books/3x3-winner.book")
    Path("runs/books/3x3-checkmate.book").write_text("torn")
    assert "is no book" in hexbook("query", "3", status=2)


def test_winners_only() -> None:
    for book in (shelf.book("3x3", "winner"), shelf.book("3x3")):
        answer = query("3", "a1", "--book", book, "--metric", "winner", "--store", "none")
        assert answer["winner"] == "white" and answer["source"] == "book"
        assert "length" not in answer and not any("length" in each for each in answer["legal"])
        winning = [each["winning"] for each in answer["legal"]]
        assert winning == sorted(winning, reverse=True)
    assert query(shelf.book("3x3", "winner"), "a1")["metric"] == "winner"


def test_positions_that_no_moves_lead_to() -> None:
    board = "B . .\n . . .\n . . B"
    answer = query("--board", "-", "--to-move", "white", typed=board, *["--store", "none"])
    check(answer, parse_board(board, Color.WHITE))
    assert "moves" not in answer and parse_board(answer["board"], Color.WHITE) == parse_board(board, Color.WHITE)
    assert query(shelf.book("3x3"), "--board", "-", "--to-move", "white", typed=board)["size"] == "3x3"


def test_a_full_board_and_a_finished_game() -> None:
    assert query("1", "a1", "--store", "none")["legal"] == []
    answer = query("3", "b2", "--store", "none")
    assert (answer["winner"], answer["length"], answer["pv"]) == ("black", 0, "")
    assert len(answer["legal"]) == 8


def test_text() -> None:
    text = hexbook("query", shelf.book("5x5"), "c3")
    board, rest = text.split("\n\n", 1)
    assert parse_board(board, Color.WHITE) == position_after(Size(5, 5), [12])
    assert board.count("7*") == 2
    assert "White to move: Black wins in 8 plies to checkmate." in rest
    assert "best  Black wins in 7 plies: d1 b5\n      Black wins in 5 plies: a1 b1" in rest
    assert "(book 24; " in rest
    assert "+" in hexbook("query", shelf.book("3x3"), "--metric", "winner").split("\n\n")[0]
    assert "no moves" in hexbook("query", "1", "a1", "--store", "none")


def test_a_limit_gives_an_honest_unknown() -> None:
    answer = query("8", "a2", "--seconds", "0.3", "--store", "none", status=3)
    assert len(answer["legal"]) == 63 and "lower" in answer
    assert any(each["winner"] == "unknown" and each["winning"] is None and "length" not in each for each in answer["legal"])
    assert "not known" in hexbook("query", "8", "a2", "--seconds", "0.3", "--store", "none", status=3)


BAD = [
    (["query"], "size"),
    (["query", "3", "--book", "/no/such.book"], "/no/such.book"),
    (["query", "/no/such.book"], "no such file"),
    (["query", "4", "--book", "BOOK"], "of 3x3, not of 4x4"),
    (["query", "3", "--book", "BOOK", "--metric", "connection"], "metric checkmate, not connection"),
    (["query", "BOOK", "--book", "BOOK"], "one book"),
    (["query", "BOOK", "d1"], "d1"),
    (["query", "3", "a1 a1"], "occupied"),
    (["book"], "ACTION"),
    (["book", "burn"], "burn"),
    (["book", "build"], "SIZE"),
    (["book", "build", "9"], "81 cells"),
    (["book", "build", "3", "--plies", "few"], "few"),
    (["book", "build", "3", "--plies", "0"], "1 or more"),
    (["book", "build", "3", "-o", "/dev/null/a.book"], "/dev/null/a.book"),
    (["book", "info", "/no/such.book"], "no such file"),
    (["book", "verify"], "FILE"),
]


@pytest.mark.parametrize(("arguments", "hint"), BAD, ids=lambda value: " ".join(value) if isinstance(value, list) else None)
def test_bad_input_is_one_line_and_status_2(arguments: list[str], hint: str) -> None:
    assert hint in hexbook(*(str(shelf.book("3x3")) if word == "BOOK" else word for word in arguments), status=2)


def test_build_and_info() -> None:
    assert "42 positions" in hexbook("book", "build", "3", "--workers", "1", "--store", "none")
    path = place(Size(3, 3), "checkmate")
    assert path.exists() and os.listdir(path.parent) == [path.name]
    assert "metric checkmate, complete for the first 2 moves" in hexbook("book", "info", path)
    said = json.loads(hexbook("book", "info", path, "--json"))
    with books.open(path) as book:
        assert said["positions"] == len(book) == 42 and said["checksum"] == book.metadata.checksum
    assert query("3", "--store", "none")["source"] == "book"


def test_solve_asks_the_book_that_is_named() -> None:
    book = shelf.book("4x4")
    answer = json.loads(hexbook("solve", "4", "b2", "--book", book, "--store", "none", "--json"))
    searched = json.loads(hexbook("solve", "4", "b2", "--store", "none", "--json"))
    assert (answer["source"], searched["source"]) == ("book", "search")
    assert answer["length"] == searched["length"] == len(answer["pv"].split()) and answer["winner"] == searched["winner"]
    assert "(book: " in hexbook("solve", "4", "--book", book, "--store", "none", "--metric", "winner")
    assert json.loads(hexbook("solve", "4", "b2 a1 d4", "--book", book, "--store", "none", "--json"))["source"] == "search"
    assert "of 4x4, not of 5x5" in hexbook("solve", "5", "--book", book, status=2)


def test_openings_from_the_book() -> None:
    """Also where the book holds none of them."""
    answers = {}
    for book in (shelf.book("3x3"), shelf.altered(shelf.book("3x3"), Path("empty.book"), lambda records: records.clear())):
        lines = hexbook("solve", "3", "--openings", "--book", book, "--store", "none", "--json", "--workers", "1").splitlines()
        answers[book] = {answer["moves"]: answer for answer in map(json.loads, lines)}
        tables = [hexbook("table", "3", "--book", name, "--store", "none") for name in (book, "none")]
        assert tables[0] == tables[1]
    told, searched = answers.values()
    assert len(told) == 9 and told.keys() == searched.keys()
    for moves, answer in told.items():
        assert (answer["source"], searched[moves]["source"]) == ("book", "search")
        assert answer["length"] == searched[moves]["length"] == len(answer["pv"].split())
    assert "of 3x3, not of 4x4" in hexbook("table", "4", "--book", shelf.book("3x3"), status=2)
    assert "metric checkmate, not connection" in hexbook("table", "3", "--book", shelf.book("3x3"), "--metric", "connection", status=2)


def test_books_as_json() -> None:
    said = json.loads(hexbook("book", "build", "2", "-o", "2.book", "--workers", "1", "--store", "none", "--json"))
    assert said == json.loads(hexbook("book", "info", "2.book", "--json"))
    assert (said["size"], said["metric"], said["bytes"]) == ("2x2", "checkmate", Path("2.book").stat().st_size)
    sound = json.loads(hexbook("book", "verify", "2.book", "--json", "--full"))
    assert sound == {"file": "2.book", "sound": True, "checked": said["positions"], "positions": said["positions"]}
    Path("2.book").write_bytes(Path("2.book").read_bytes()[:5000])
    torn = json.loads(hexbook("book", "verify", "2.book", "--json", status=1))
    assert not torn["sound"] and "not a whole book" in torn["fault"]


def all_from_the_book(path: Path) -> int:
    """Asks for all positions as far as the book is complete, and for their moves before the last one; how many positions they were."""
    with books.open(path) as book, Adviser(book, limits=shelf.SMALL) as adviser:
        positions, asked = [Position.start(adviser.size)], 0
        for moves_left in range(book.metadata.plies, -1, -1):
            asked += len(positions)
            for position in positions:
                solution = adviser.solve(position)
                assert solution.source == "book" and solution.solved
                if moves_left:
                    values = adviser.moves(position)
                    assert sorted(value.move for value in values) == position.legal() and {value.source for value in values} == {"book"}
            positions = [position.play(move) for position in positions for move in position.legal()] if moves_left else []
        assert adviser.nodes == 0
    return asked


def test_all_first_positions_are_answered_from_the_book(tmp_path: Path) -> None:
    assert all_from_the_book(shelf.book("4x4")) == 1 + 16 + 16 * 15
    shelf.build_alone(tmp_path / "further.book", "3x3", plies=3)
    assert all_from_the_book(tmp_path / "further.book") == 1 + 9 + 9 * 8 + 9 * 8 * 7


@pytest.mark.slow
def test_all_first_positions_of_6x6_are_answered_from_the_book() -> None:
    path = ROOT / "runs" / "books" / "6x6-checkmate.book"
    if not path.exists():
        pytest.skip("there is no book of 6x6 here; 'make books' builds it")
    assert all_from_the_book(path) >= 1 + 36 + 36 * 35


def test_a_query_from_the_book_is_quick() -> None:
    position = Position.start(Size(5, 5))
    with books.open(shelf.book("5x5")) as book, Adviser(book, limits=shelf.SMALL) as adviser:
        adviser.moves(position)
        start = time.process_time()
        for _ in range(10):
            adviser.moves(position)
        assert (time.process_time() - start) / 10 < 0.005
