"""The explorer: what its page holds, what it shows in a browser, and the server behind it, all compared with the engine."""

import doctest
import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from browser import BACKSPACE, CHROMIUM, DOWN, DRIVER, ENTER, HOME, LEFT, RIGHT, UP, Browser, opened
from processes import started

import books.atlas
from books import Book
from books.atlas import ALPHABET, Atlas, Gathering, layers, name, usual_depth, value_letter, value_of
from books.explore import page, served_page
from solver.engine import Engine
from solver.notation import format_cell, parse_moves, parse_size, position_after
from solver.position import Color, Position, Size, Symmetry
from solver.solution import MoveValue

ROOT = Path(__file__).parent.parent
COMMAND = [sys.executable, "-m", "solver"]
HALF_TURN = Symmetry(rotate=True, reflect=False)


def gathered(engine: Engine, metric: str, depth: int, book: Book | None = None) -> Atlas:
    gathering = Gathering(engine.size, metric, depth, book)
    assert sum(1 for _ in gathering.steps(engine)) == len(gathering)
    return gathering.atlas


def position_of(size: Size, key: str) -> Position:
    """The position that has a name, read as books/atlas.py tells it."""
    cells = [ALPHABET.index(letter) for letter in key]
    blacks = (len(cells) + 1) // 2
    black, white = (sum(1 << cell for cell in part) for part in (cells[:blacks], cells[blacks:]))
    return Position(size, black, white, Color(len(cells) % 2))


def data_in(text: str) -> dict[str, Any]:
    """The data of a page."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])


def test_examples() -> None:
    assert doctest.testmod(books.atlas).failed == 0


@pytest.mark.parametrize(("size", "metric", "depth"), [
    ("3", "checkmate", 3), ("3", "connection", 2), ("4", "checkmate", 2), ("4", "winner", 1), ("3x4", "connection", 1), ("1", "checkmate", 1),
])  # fmt: skip
def test_what_a_page_holds_is_what_the_engine_says(size: str, metric: str, depth: int) -> None:
    board = parse_size(size)
    with Engine(board) as engine:
        atlas = gathered(engine, metric, depth)
        assert atlas.solved and atlas.values.keys() <= atlas.lines.keys()
        for key, letters in atlas.lines.items():
            position = position_of(board, key)
            assert name(position)[0] == name(HALF_TURN.position(position))[0] == key
            solution = engine.solve(position, metric)
            own = value_of(letters[0], position.to_move, metric)
            assert own == (solution.winner, solution.length)
            line = [ALPHABET.index(letter) for letter in letters[1:]]
            check_line(engine, position, metric, line)
            if key in atlas.values:
                values = sorted(engine.moves(position, metric))
                assert len(values) == len(atlas.values[key])
                told = [value_of(letter, position.to_move.other, metric) for letter in atlas.values[key]]
                assert told == [(value.winner, value.length) for value in values]


def check_line(engine: Engine, position: Position, metric: str, line: list[int]) -> None:
    """The moves are optimal, and lead to the terminal where there are lengths."""
    winner, length = (solution := engine.solve(position, metric)).winner, solution.length
    if length is not None:
        assert len(line) == length
    for move in line:
        position = position.play(move)
    if length is not None:
        end = engine.solve(position, metric)
        assert (end.winner, end.length) == (winner, 0)


def test_a_page_reaches_as_far_as_it_says() -> None:
    size = Size(3, 3)
    with Engine(size) as engine:
        atlas = gathered(engine, "checkmate", 2)
        for played, layer in enumerate(layers(size, 2)):
            for position in layer:
                key, _ = name(position)
                assert key in atlas.lines and (played == 2 or key in atlas.values)
        for opening in range(size.cells):  # and all values along the best game after each opening
            key, symmetry = name(Position.start(size).play(opening))
            position = symmetry.position(Position.start(size).play(opening))
            for letter in atlas.lines[key][1:]:
                assert name(position)[0] in atlas.values
                position = position.play(ALPHABET.index(letter))


def test_all_values_can_be_written() -> None:
    for winner in Color:
        for to_move in Color:
            for length in [0, *range(2 - (winner == to_move), 65, 2)]:
                assert value_of(value_letter(winner, length), to_move, "checkmate") == (winner, length)
    assert value_of(value_letter(None, None), Color.BLACK, "checkmate") == (None, None)
    assert value_of(value_letter(Color.WHITE, None, "winner"), Color.BLACK, "winner") == (Color.WHITE, None)
    assert len(set(ALPHABET)) == 66


def test_pages_fetch_nothing() -> None:
    size = parse_size("2")
    with Engine(size) as engine:
        text = page(size, {"checkmate": gathered(engine, "checkmate", 2)})
    for each in (text, served_page(size, ["checkmate"])):
        assert set(re.findall(r"[a-z]+://[^\s\"'`)]+", each)) == {"http://www.w3.org/2000/svg"}
        assert not re.search(r"<(?:link|script|img|iframe)\b[^>]*\b(?:src|href)=\"(?!data:)", each) and "@import" not in each


def run(*arguments: str | Path, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, cwd=ROOT, timeout=100)
    assert done.returncode == status and "Traceback" not in done.stderr, done.stderr
    return done


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The default store of a test is its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_the_command_writes_a_page_and_says_how_far_it_reaches(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    told = run("explore", "3", "-o", file, "--metric", "connection", "--metric", "winner", "--depth", "1").stdout
    data = data_in(file.read_text())
    assert list(data["metrics"]) == ["connection", "winner"] and data["size"] == "3x3"
    assert "the first move" in told and "the first move" in data["extent"] and str(file) in told and "MB" in told


def test_bad_input_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    bad = [
        ("explore", "x", "-o", file),
        ("explore", "3", "-o", tmp_path),
        ("explore", "3", "-o", tmp_path / "no" / "page.html"),
        ("explore", "3", "-o", file, "--depth", "0"),
        ("explore", "3", "-o", file, "--metric", "fun"),
        ("serve", "9"),
        ("serve", "3", "--port", "65536"),
    ]
    for arguments in bad:
        done = run(*arguments, status=2)
        assert re.fullmatch(r"hexbook: .+\n", done.stderr) and not done.stdout
    assert not file.exists()


def test_the_usual_depth_suits_the_board() -> None:
    assert usual_depth(Size(6, 6)) == 2 and usual_depth(Size(2, 2)) == 4 and usual_depth(Size(1, 1)) == 1


class Served:
    """A running `hexbook serve`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.address = self.process.stdout.readline().strip()
        self.port = int(self.address.rstrip("/").rpartition(":")[2])

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        try:
            with urlopen(Request(self.address + path, headers=headers), timeout=60) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as error:
            return error.code, error.read().decode()

    def leave_after(self, path: str, seconds: float) -> None:
        """Ask, and go before the answer comes."""
        with socket.create_connection(("127.0.0.1", self.port)) as client:
            client.sendall(f"GET /{path} HTTP/1.0\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
            time.sleep(seconds)

    def interrupt(self) -> tuple[int, str]:
        """Exit status and what stands on standard error after Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        _, errors = self.process.communicate(timeout=20)
        return self.process.returncode, errors


@pytest.fixture
def serve() -> Iterator[Any]:
    with ExitStack() as running:

        def start(*arguments: str) -> Served:
            command = [*COMMAND, "serve", *arguments, "--port", "0", "--store", "none"]
            process = started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
            return Served(running.enter_context(process))

        yield start


def test_the_server_answers_as_a_query_does(serve: Any) -> None:
    served = serve("3x4")
    status, text = served.get("query?moves=b2%20c1&metric=connection")
    asked = json.loads(run("query", "3x4", "b2 c1", "--metric", "connection", "--store", "none", "--json").stdout)
    answer = json.loads(text)
    assert status == 200 and answer.keys() == asked.keys()
    same = [key for key in asked if key not in ("nodes", "seconds", "source", "pv", "legal")]
    assert {key: answer[key] for key in same} == {key: asked[key] for key in same}
    for moves in (answer["legal"], asked["legal"]):
        assert all(move.pop("source") for move in moves)
    assert answer["legal"] == asked["legal"]
    assert data_in(served.get("")[1])["server"] is True


def test_the_server_refuses_in_one_line(serve: Any) -> None:
    served = serve("3")
    refused = {
        "query?moves=b2+b2": 400,
        "query?moves=d9": 400,
        "query?metric=fun": 400,
        "nothing": 404,
    }
    for path, status in refused.items():
        found, text = served.get(path)
        assert found == status and json.loads(text).keys() == {"error"} and "\n" not in json.loads(text)["error"]
    assert served.get("", Host="elsewhere.example")[0] == 403


def test_a_limit_is_told(serve: Any) -> None:
    status, text = serve("7", "--seconds", "0.1").get("query?moves=a4")
    answer = json.loads(text)
    assert status == 503 and answer["error"] and len(answer["legal"]) == 48


def test_a_search_ends_when_its_client_goes_and_at_ctrl_c(serve: Any) -> None:
    served = serve("7")
    served.leave_after("query?moves=a4", 0.5)
    start = time.monotonic()
    assert served.get("query?moves=d4+d5+e4+e5+f4+f5+c5&metric=winner")[0] == 200
    assert time.monotonic() - start < 10
    served.leave_after("query?moves=a4", 0.3)
    status, errors = served.interrupt()
    assert status == 130 and errors == "hexbook: interrupted\n"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if not (CHROMIUM and DRIVER):
        pytest.skip("there is no chromium with chromedriver here (on Debian: apt-get install chromium chromium-driver)")
    with opened(tmp_path_factory.mktemp("browser")) as window:
        yield window


def shown(browser: Browser) -> dict[str, dict[str, Any]]:
    """What stands on each cell: for people who see it, and for those who hear it."""
    return browser.run("""
        return Object.fromEntries([...document.querySelectorAll('.cell')].map((cell) => [cell.dataset.cell, {
            number: cell.querySelector('.label')?.textContent ?? null,
            mark: cell.querySelector('.mark')?.classList[1] ?? null,
            stone: cell.querySelector('.stone')?.classList[1] ?? null,
            best: cell.querySelector('.best') !== null,
            label: cell.getAttribute('aria-label'),
        }]));
    """)


def text_of(browser: Browser, identity: str) -> str:
    return browser.run("return document.getElementById(arguments[0]).innerText", identity)


def check_cells(browser: Browser, position: Position, values: list[MoveValue]) -> None:
    """All that the board shows is what the engine says of the moves."""
    cells = shown(browser)
    assert len(cells) == position.size.cells
    for color in Color:
        for cell in range(position.size.cells):
            if position.stones(color) >> cell & 1:
                found = cells[format_cell(position.size, cell)]
                assert found["stone"] == str(color) and found["number"] is None and f"{color}'s stone" in found["label"].lower()
    for value in values:
        cell, winner = format_cell(position.size, value.move), str(value.winner)
        found = cells[cell]
        number = None if value.length is None else str(value.length)
        assert (found["number"], found["mark"], found["stone"], found["best"]) == (number, winner, None, value.optimal), cell
        told = f"{cell}, {winner.capitalize()} wins" + ("" if number is None else f" in {number}") + (", best" if value.optimal else "")
        assert found["label"] == told


def click_through(browser: Browser, engine: Engine, metric: str, opening: str) -> None:
    """Play the best game after an opening on the page that is open, to its end: each number is what the engine says."""
    board = engine.size
    position = Position.start(board)
    check_cells(browser, position, engine.moves(position, metric))
    (move,) = parse_moves(board, opening)
    length = engine.solve(position.play(move), metric).length
    for left in range(length, -1, -1):
        browser.click(f'[data-cell="{format_cell(board, move)}"]')
        position = position.play(move)
        values = engine.moves(position, metric)
        winner = str(engine.solve(position, metric).winner).capitalize()
        verdict = text_of(browser, "outcome")
        assert verdict.startswith(f"{winner} wins in {left} pl" if left else f"{winner} has won")
        check_cells(browser, position, values)
        line = parse_moves(board, text_of(browser, "line").replace("–", ""))
        assert len(line) == left
        move = line[0] if line else 0
    assert browser.messages() == []


@pytest.mark.parametrize(("size", "metric", "opening"), [("3", "checkmate", "a1"), ("3", "connection", "b2"), ("4", "checkmate", "d2")])
def test_a_perfect_game_by_clicks(browser: Browser, tmp_path: Path, size: str, metric: str, opening: str) -> None:
    board = parse_size(size)
    with Engine(board) as engine:
        (tmp_path / "page.html").write_text(page(board, {metric: gathered(engine, metric, 2)}), encoding="utf-8")
        browser.open((tmp_path / "page.html").as_uri())
        click_through(browser, engine, metric, opening)


def test_keys_addresses_and_metrics(browser: Browser, tmp_path: Path) -> None:
    board = parse_size("3")
    with Engine(board) as engine:
        atlases = {metric: gathered(engine, metric, 2) for metric in ("checkmate", "connection", "winner")}
        at = (tmp_path / "page.html").as_uri()
        (tmp_path / "page.html").write_text(page(board, atlases), encoding="utf-8")
        browser.open(f"{at}#c1/connection")
        position = position_after(board, parse_moves(board, "c1"))
        check_cells(browser, position, engine.moves(position, "connection"))
        browser.click('label:has([value="winner"])')
        assert browser.run("return location.hash") == "#c1/winner"
        check_cells(browser, position, engine.moves(position, "winner"))
        browser.click('label:has([value="checkmate"])')
        assert browser.run("return location.hash") == "#c1"

        browser.run("document.querySelector('.cell[tabindex=\"0\"]').focus()")
        browser.press(UP + LEFT + DOWN + DOWN + RIGHT + ENTER)
        played = browser.run("return location.hash")
        assert played == "#c1" + browser.run("return document.activeElement.dataset.cell") and len(played) == 5
        browser.press(BACKSPACE)
        assert browser.run("return location.hash") == "#c1"
        browser.press("f")
        assert browser.run("return location.hash") == played
        browser.press(HOME)
        assert browser.run("return location.hash") == ""
        browser.run("history.back()")
        deadline = time.monotonic() + 10
        while browser.run("return location.hash") != played and time.monotonic() < deadline:
            time.sleep(0.05)
        assert shown(browser)["c1"]["stone"] == "black"

        browser.open(f"{at}#a1a1b9")  # as much of it as can be played
        assert [cell for cell, found in shown(browser).items() if found["stone"]] == ["a1"]
        browser.open(f"{at}#a1b1c3a3")  # where the page ends
        assert "hexbook serve" in text_of(browser, "detail")
        assert all(found["number"] is None for found in shown(browser).values())
    assert browser.messages() == []


def test_the_served_page_asks_the_solver(browser: Browser, serve: Any) -> None:
    board, served = parse_size("4"), serve("4")
    browser.open(f"{served.address}#a1d4b1")
    deadline = time.monotonic() + 30
    while "wins" not in text_of(browser, "outcome") and time.monotonic() < deadline:
        time.sleep(0.1)
    position = position_after(board, parse_moves(board, "a1 d4 b1"))
    with Engine(board) as engine:
        check_cells(browser, position, engine.moves(position))
    assert browser.messages() == []
