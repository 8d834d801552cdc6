"""The command line as a user meets it: every test here starts `python -m solver` as a process of its own."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from processes import started

from solver.notation import format_board, parse_board, parse_moves, position_after
from solver.position import Color, Position, Size

ROOT = Path(__file__).parent.parent
COMMAND = [sys.executable, "-m", "solver"]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The default store of a test is its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "120")


def hexbook(*arguments: str | Path, status: int = 0, typed: str = "") -> str:
    """What a command prints; its exit status is checked, and that there is a message if and only if it is not 0 or 3."""
    done = subprocess.run([*COMMAND, *map(str, arguments)], input=typed, capture_output=True, text=True, cwd=ROOT, timeout=100)
    assert done.returncode == status, done.stderr
    if status == 2:
        assert re.fullmatch(r"hexbook: .+\n", done.stderr) and not done.stdout, done.stderr
        return done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def answers(*arguments: str | Path, status: int = 0, typed: str = "") -> list[dict[str, Any]]:
    """The JSON objects that a command prints."""
    return [json.loads(line) for line in hexbook(*arguments, "--json", status=status, typed=typed).splitlines()]


def check_pv(answer: dict[str, Any]) -> None:
    """The pv can be played, and is as long as the length says."""
    columns, rows = map(int, answer["size"].split("x"))
    size = Size(columns, rows)
    moves = parse_moves(size, answer["moves"]) + parse_moves(size, answer["pv"])
    position_after(size, moves)
    if "length" in answer:
        assert len(answer["pv"].split()) == answer["length"]


def test_help_names_the_commands_and_is_quick() -> None:
    start = time.monotonic()
    text = hexbook("--help")
    assert time.monotonic() - start < 2
    assert all(command in text for command in ("show", "solve", "table", "run", "bench"))
    assert "usage: hexbook solve" in hexbook("solve", "--help")
    assert re.fullmatch(r"hexbook \d+\.\d+.*\n", hexbook("--version"))


def test_quick_commands_do_not_load_the_kernel() -> None:
    code = "import sys, solver.cli; solver.cli.main(['show', '6', 'c3']); sys.exit(len({'solver.kernel', 'tqdm'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT).returncode == 0


def test_the_script_does_the_same() -> None:
    script = Path(sys.executable).parent / "hexbook"
    if not script.exists():
        pytest.skip("the project is not installed here")
    done = subprocess.run([script, "show", "3", "b2"], capture_output=True, text=True)
    assert done.stdout == hexbook("show", "3", "b2")


def test_show_prints_what_it_reads(tmp_path: Path) -> None:
    board = hexbook("show", "6x7", "c3 D4, e5")
    position = position_after(Size(6, 7), parse_moves(Size(6, 7), "c3 d4 e5"))
    assert parse_board(board, Color.WHITE) == position and board.strip("\n") == format_board(position)
    assert hexbook("show", "6x7", "c3", "d4", "e5") == board
    assert hexbook("show", "--board", "-", "--to-move", "white", typed=board) == board
    (tmp_path / "board.txt").write_text(board)
    assert hexbook("show", "6x7", "--board", tmp_path / "board.txt", "--to-move", "black") == board
    assert hexbook("show", "https://hexworld.org/board/#6x7c1,c3d4e5") == board


def test_solve_answers_in_json() -> None:
    (answer,) = answers("solve", "3", "a1 B1", "--metric", "connection")
    assert answer.keys() == {"size", "moves", "to_move", "winner", "metric", "length", "pv", "nodes", "seconds", "source"}
    assert (answer["size"], answer["moves"], answer["to_move"], answer["metric"]) == ("3x3", "a1 b1", "black", "connection")
    assert answer["source"] == "search" and answer["nodes"] > 0 and answer["seconds"] >= 0
    check_pv(answer)
    (again,) = answers("solve", "3", "a1 b1", "--metric", "connection")
    assert again["source"] == "store" and again["pv"] == answer["pv"] and again["length"] == answer["length"]
    (third,) = answers("solve", "3", "a1 b1", "--metric", "connection", "--store", "none")
    assert third["source"] == "search"


def test_options_may_stand_anywhere() -> None:
    for arguments in (["--metric", "winner", "4", "b1"], ["4", "--metric", "winner", "b1"], ["4", "b1", "--metric=winner"]):
        (answer,) = answers("solve", *arguments)
        assert answer["winner"] == "white" and "length" not in answer and answer["metric"] == "winner"
        check_pv(answer)


def test_solve_for_people() -> None:
    text = hexbook("solve", "3", "a1")
    assert "White to move: White wins in 1 ply to checkmate." in text and "Line: " in text
    assert parse_board(text.partition("\n\n")[0], Color.WHITE) == Position.start(Size(3, 3)).play(0)
    assert "White wins." in hexbook("solve", "3", "a1", "--metric", "winner")
    assert "Black wins in 0 plies" in hexbook("solve", "3", "b2")


def test_a_board_that_no_moves_lead_to(tmp_path: Path) -> None:
    board = ". . .\n B . .\n  . B ."
    (answer,) = answers("solve", "--board", "-", "--to-move", "white", typed=board)
    assert "moves" not in answer and parse_board(answer["board"], Color.WHITE) == parse_board(board, Color.WHITE)
    assert answer["winner"] == "black" and answer["size"] == "3x3" and answer["to_move"] == "white"
    (answer,) = answers("solve", "3", "--board", "-", "--to-move", "white", typed="B . .\n . . .\n . . .")
    assert answer["moves"] == "a1" and answer["length"] == 1


@pytest.mark.parametrize("workers", ["1", "2"])
def test_openings(workers: str) -> None:
    found = answers("solve", "3x3", "--openings", "--workers", workers)
    assert sorted(answer["moves"] for answer in found) == ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]
    winning = {answer["moves"] for answer in found if answer["winner"] == "black"}
    assert winning == {"c1", "a2", "b2", "c2", "a3"}
    for answer in found:
        assert answer["to_move"] == "white" and answer["length"] % 2 == (answer["winner"] == "white")
        check_pv(answer)
    again = {answer["moves"]: answer for answer in answers("solve", "3", "--openings", "c2", "A1")}
    assert again.keys() == {"a1", "c2"} and {answer["source"] for answer in again.values()} == {"store"}
    for answer in found:
        if answer["moves"] in again:
            assert again[answer["moves"]]["length"] == answer["length"]


def test_openings_for_people() -> None:
    lines = hexbook("solve", "2x3", "--openings").splitlines()
    assert sorted(line.split()[0] for line in lines) == ["a1", "a2", "a3", "b1", "b2", "b3"]
    assert all(re.search(r"(Black|White) wins in \d+ pl(y|ies) to checkmate", line) for line in lines)


def test_table_formats() -> None:
    (table,) = answers("table", "3")
    assert hexbook("table", "3", "--format", "json") == json.dumps(table) + "\n"
    assert (table["size"], table["metric"], len(table["openings"])) == ("3x3", "checkmate", 9)
    assert table["openings"]["a1"] == {"winner": "white", "length": 1}
    assert table["openings"]["b2"] == {"winner": "black", "length": 0}
    rows = list(csv.DictReader(hexbook("table", "3", "--format", "csv").splitlines()))
    assert {row["opening"]: {"winner": row["winner"], "length": int(row["length"])} for row in rows} == table["openings"]
    assert {row["metric"] for row in rows} == {"checkmate"}
    text = hexbook("table", "3")
    assert "W1" in text and "B0" in text and "5 of 9 openings win" in text


def test_table_of_winners() -> None:
    (table,) = answers("table", "4", "--metric", "winner")
    assert {cell for cell, value in table["openings"].items() if value == {"winner": "black"}} == {"d1", "c2", "b3", "a4"}
    assert "4 of 16 openings win" in hexbook("table", "4", "--metric", "winner")
    rows = list(csv.DictReader(hexbook("table", "4", "--metric", "winner", "--format", "csv").splitlines()))
    assert {row["length"] for row in rows} == {""}


def test_a_run_and_its_second_go(tmp_path: Path) -> None:
    keys = 'size = "3x2"', 'metric = "connection"', 'openings = "all"', "workers = 1", 'reference = "small.csv"'
    (tmp_path / "small.toml").write_text("\n".join(keys))
    first = hexbook("run", tmp_path / "small.toml")
    assert "3x2: winner and plies to connection" in first
    assert (tmp_path / "small.csv").read_text().count("\n") == 9 and (tmp_path / "logs" / "small.log").exists()
    (tmp_path / "small.csv").unlink()
    assert hexbook("run", tmp_path / "small.toml") == first
    assert (tmp_path / "small.csv").exists()


def test_benchmarks() -> None:
    (measured,) = answers("bench", "winner6")
    assert measured["job"] == "winner6" and measured["nodes"] > 1000 and measured["peak"] > 1 and measured["seconds"] > 0


def test_a_limit_gives_an_honest_unknown() -> None:
    (answer,) = answers("solve", "8", "a2", "--seconds", "0.5", status=3)
    assert answer["lower"] < answer["upper"] <= 63 and "length" not in answer and "pv" not in answer
    assert answer["winner"] in ("unknown", "white")
    text = hexbook("solve", "8", "a2", "--seconds", "0.1", status=3)
    assert re.search(r"at least \d+ and at most \d+ plies to checkmate", text)
    found = answers("solve", "8", "--openings", "a2", "h7", "a3", "--seconds", "0.1", "--workers", "2", status=3)
    assert {answer["moves"] for answer in found} == {"a2", "h7", "a3"} and not any("length" in answer for answer in found)


@pytest.mark.parametrize("arguments", [["solve", "8"], ["solve", "8", "--openings", "--workers", "2"], ["table", "8", "--workers", "1"]])
def test_ctrl_c(arguments: list[str]) -> None:
    with started([*COMMAND, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(1.5)
        assert process.poll() is None
        pressed = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert time.monotonic() - pressed < 2
    assert process.returncode == 130 and "Traceback" not in errors and "interrupted" in errors


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    arguments = "solve", "3", "--openings", "--workers", "1"
    with started([*COMMAND, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.close()
        assert process.stderr.read() == "" and process.wait(30) == 0


BAD = [
    ([], "COMMAND"),
    (["sovle", "3"], "sovle"),
    (["solve"], "size"),
    (["solve", "0x3"], "0x3"),
    (["solve", "9x9"], "81 cells"),
    (["solve", "six"], "six"),
    (["solve", "-3"], "-3"),
    (["solve", "3", "d1"], "d1"),
    (["solve", "3", "a0"], "a0"),
    (["solve", "3", "a1 b2 a1"], "a1 is occupied"),
    (["solve", "3", "a1", "--frob"], "--frob"),
    (["solve", "3", "--metric", "chess"], "choose winner, checkmate, connection"),
    (["solve", "3", "--metri", "winner"], "--metri"),
    (["solve", "3", "--seconds", "0"], "seconds"),
    (["solve", "3", "--seconds", "soon"], "soon"),
    (["solve", "3", "--memory", "0"], "at least 1"),
    (["solve", "3", "--memory", "9" * 30], "MiB"),
    (["solve", "3", "--workers", "none"], "none"),
    (["solve", "3", "--workers", "5" * 5000], "5..."),
    (["solve", "3", "--workers", "2000"], "at most 1024"),
    (["solve", "3", "--store", ""], "none"),
    (["solve", "3", "--store", "/dev/null/store"], "/dev/null/store"),
    (["solve", "3", "a1", "--openings"], "first moves"),
    (["solve", "3", "--openings", "d4"], "d4"),
    (["solve", "3", "--to-move", "black"], "--board"),
    (["solve", "--board", "-"], "--to-move"),
    (["solve", "3", "a1", "--board", "-", "--to-move", "white"], "either"),
    (["solve", "--board", "/no/such/file", "--to-move", "white"], "/no/such/file"),
    (["solve", "--board", "/dev", "--to-move", "white"], "/dev"),
    (["solve", "https://hexworld.org/board/#3c1,a1b9"], "b9"),
    (["solve", "#3c1,a1", "b1"], "HexWorld"),
    (["table", "3", "--format", "html"], "html"),
    (["table"], "SIZE"),
    (["run", "/no/such/run.toml"], "/no/such/run.toml"),
    (["run"], "FILE"),
    (["bench", "everything"], "everything"),
    (["show", "6", "c3 c3"], "c3 is occupied"),
]


@pytest.mark.parametrize(("arguments", "hint"), BAD, ids=lambda value: " ".join(value) if isinstance(value, list) else None)
def test_bad_input_is_one_line_and_status_2(arguments: list[str], hint: str) -> None:
    assert hint in hexbook(*arguments, status=2)


@pytest.mark.parametrize("arguments", [
    "solve 3 --workers", "solve 3 --memory", "show game.sgf --ply", "book build 3 -o 3.book --plies", "certify 3 b2 -o b2.cert --within",
    "explore 3 -o 3.html --depth", "serve 3 --port", "bench",
])
def test_a_page_of_digits_gets_one_short_line(arguments: str) -> None:
    message = hexbook(*arguments.split(), "7" * 5000, status=2)
    assert "'777777" in message and "Error" not in message and len(message) < 250


@pytest.mark.parametrize(
    "board", ["", "# nothing\n", ". . .\n . .\n", ". ? .\n . . .\n", "B W\n W X Z", ". B . 7\n . . . 8\n", " a b\n1 . . . 1"]
)
def test_boards_that_are_none(board: str) -> None:
    assert "board" in hexbook("solve", "--board", "-", "--to-move", "white", status=2, typed=board)


def test_a_board_of_another_size_and_a_file_that_is_no_text(tmp_path: Path) -> None:
    assert "2x2" in hexbook("solve", "3", "--board", "-", "--to-move", "white", status=2, typed=". .\n . .")
    (tmp_path / "picture").write_bytes(b"\x89PNG\xff\xfe")
    assert "no text" in hexbook("solve", "--board", tmp_path / "picture", "--to-move", "white", status=2)
    assert "1024 KiB" in hexbook("show", "--board", "/dev/zero", "--to-move", "white", status=2)
    assert "1024 KiB" in hexbook("show", "--board", "-", "--to-move", "white", status=2, typed="." * (2 << 20))
    (tmp_path / "board").write_text(". .\n . .\n", encoding="utf-8-sig")
    assert "a b" in hexbook("show", "--board", tmp_path / "board", "--to-move", "white")


def test_a_store_that_is_something_else(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "data.mdb").write_text("hello" * 10_000)
    assert str(tmp_path / "store") in hexbook("solve", "3", "--store", tmp_path / "store", status=2)
    (tmp_path / "file").write_text("")
    assert str(tmp_path / "file") in hexbook("solve", "3", "--store", tmp_path / "file", status=2)


def test_answers_alone_stand_on_standard_output() -> None:
    done = subprocess.run([*COMMAND, "solve", "3", "--openings", "--json"], capture_output=True, text=True, cwd=ROOT)
    assert [line[0] for line in done.stdout.splitlines()] == ["{"] * 9 and done.stderr == ""
