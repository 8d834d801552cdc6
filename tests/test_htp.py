"""HTP: recorded sessions, a client that is as strict as HexGui, and whatever else may come in by a pipe."""

import doctest
import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from types import ModuleType
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
import shelf
from processes import started

from books import Entry
from solver import clock, game, protocol
from solver.analyst import Analyst
from solver.engine import Engine, Progress
from solver.htp import Server
from solver.notation import parse_moves, position_after
from solver.player import Choice, TimedEngine
from solver.position import Color, Position, Size
from solver.protocol import parse_command

ROOT = Path(__file__).parent.parent
DATA = Path(__file__).parent / "data"
REPLY = re.compile(r"([=?])([0-9]*) (.*)", re.DOTALL)


class Reply(NamedTuple):
    """What came back for a command."""

    succeeded: bool
    number: str
    text: str


def replies(text: str | bytes, seconds: float = 20.0) -> list[Reply]:
    """The replies to a whole session; between them is nothing, and in them no empty line."""
    output = io.BytesIO()
    lines = (text.encode() if isinstance(text, str) else text).splitlines(keepends=True)
    with closing(Analyst(lambda size, limits: TimedEngine(size, limits=limits), metric="checkmate", seconds=seconds, memory=16)) as analyst:
        Server(output, analyst).serve(lines)
    *chunks, rest = output.getvalue().decode().split("\n\n")
    assert rest == ""
    matches = [REPLY.fullmatch(chunk) for chunk in chunks]
    assert all(matches), chunks
    return [Reply(match[1] == "=", match[2], match[3]) for match in matches if match]


def answer(*commands: str) -> str:
    """The reply to the last of some commands that all succeed."""
    found = replies("\n".join(commands))
    assert all(reply.succeeded for reply in found) and len(found) == len(commands), found
    return found[-1].text


@pytest.mark.parametrize("module", [clock, game, protocol], ids=lambda module: module.__name__)
def test_docstring_examples(module: ModuleType) -> None:
    outcome = doctest.testmod(module)
    assert outcome.attempted and not outcome.failed


@pytest.mark.parametrize("name", ["basics", "solving", "playing"])
def test_recorded_sessions(name: str) -> None:
    text = (DATA / f"{name}.tst").read_text()
    expected = dict(re.findall(r"^([0-9]+) .*\n#\? \[(.*)\]$", text, re.MULTILINE))
    assert len(expected) == len(re.findall(r"^[0-9]+ ", text, re.MULTILINE)) > 10
    for reply in replies(text):
        pattern = expected.pop(reply.number, "")
        if not reply.number:
            assert reply.succeeded, reply
        elif pattern.startswith("!"):
            assert not re.fullmatch(pattern[1:], reply.text, re.DOTALL), (pattern, reply)
        else:
            assert re.fullmatch(pattern, reply.text, re.DOTALL), (pattern, reply)
    assert not expected


def test_games_are_loaded(tmp_path: Path) -> None:
    file = tmp_path / "my game.sgf"
    file.write_text("(;SZ[4:3];B[a1];W[b2];B[c3](;W[d1])(;W[d2]))")
    stones = "\n a b c d\n1 B . . {} 1\n 2 . W . . 2\n  3 . . {} . 3\n     a b c d"
    load = f'loadsgf "{file}"'
    assert answer(load, "showboard") == stones.format("W", "B")
    assert answer(load + " 3", "showboard") == stones.format(".", "B")
    assert answer(load + " 99", "undo", "undo", "showboard") == stones.format(".", ".")
    assert answer("play b b1", load + " 0", "all_legal_moves").startswith("a1 b1 c1 d1 a2")
    file.write_text("(;SZ[4];B[a1];W[a1])")
    *_, failed, board = replies(f"boardsize 2\nplay b a1\n{load}\nall_legal_moves")
    assert failed == Reply(False, "", "cannot load file: move 2 of the SGF game is on a1, which is occupied already")
    assert board.text == "b1 a2 b2"


@pytest.mark.parametrize("opening", ["", "a1", "b2 c3", "a2 b2 c3"])
@pytest.mark.parametrize("board", [Size(3, 3), Size(4, 4), Size(3, 5), Size(5, 3)], ids=str)
def test_games_against_itself_last_as_long_as_perfect_ones(board: Size, opening: str) -> None:
    """The winner reaches checkmate in the proved length, and then the connection in the proved length."""
    before = opening.split()
    colors = ("b", "w") * board.cells if len(before) % 2 == 0 else ("w", "b") * board.cells
    moves = [f"genmove {color}" for color in colors]
    found = replies("\n".join([f"boardsize {board.columns} {board.rows}", f"play-game {opening}", *moves, "final_score"]))
    after = [reply.text for reply in found[2:-1] if reply.text != "resign"]

    def position(ply: int) -> Position:
        return position_after(board, parse_moves(board, " ".join(before + after[:ply])))

    with Engine(board) as engine:
        value = engine.solve(position(0))
        assert value.length is not None and value.winner is not None and found[-1].text == f"{'BW'[value.winner]}+"
        for ply in range(value.length + 1):
            assert engine.solve(position(ply)).length == value.length - ply
        assert engine.solve(position(value.length), "connection").length == len(after) - value.length


def test_numbers_comments_blanks_and_control_characters() -> None:
    found = replies("007 name\r\n\n  \t\n# nothing\n#? [.*]\n name # a comment\n\x0112\tplay\tb\x00 a1  \n13\n14 # only a number\n")
    assert found == [
        Reply(True, "007", "hexbook"), Reply(True, "", "hexbook"), Reply(True, "12", ""),
        Reply(False, "13", "unknown command: "), Reply(False, "14", "unknown command: "),
    ]
    assert replies("name\nquit\nname\n") == [Reply(True, "", "hexbook"), Reply(True, "", "")]
    assert replies("name") == [Reply(True, "", "hexbook")] and replies("") == []


@pytest.mark.parametrize("begin", ["clear_board", "boardsize 4", "play-game a1 b1"])
def test_a_new_game_has_the_whole_time_again(begin: str) -> None:
    budgets = list[float | None]()

    class Witness(Analyst):
        def choice(self, position: Position, budget: float | None, progress: Progress) -> Choice:
            budgets.append(budget)
            return super().choice(position, budget, progress)

    session = f"boardsize 4\nreg_genmove b\ntime_settings 100 0 0\nreg_genmove b\ntime_left b 5 0\nreg_genmove b\n{begin}\nreg_genmove b"
    with closing(Witness(None, metric="checkmate", seconds=20, memory=16)) as analyst:
        Server(io.BytesIO(), analyst).serve(session.encode().splitlines())
    unlimited, whole, little, again = budgets
    assert unlimited is None and whole and little and again and little < whole and again >= whole


def test_every_advertised_analysis_works() -> None:
    for line in answer("hexgui-analyze_commands").split("\n"):
        kind, label, command = line.split("/")
        assert kind in ("string", "plist", "pspairs", "var", "param") and label
        assert answer("boardsize 3 3", "play b a1", command.replace("%m", "w"))


def test_what_was_not_proved_is_said_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    found = replies("boardsize 8\ngenmove b\nhexbook-winning\nhexbook-solve\nhexbook-pv\ndfpn-solve-state w", seconds=0.05)
    assert [reply.succeeded for reply in found] == [True, True, True, True, False, False]
    assert "unknown" in found[3].text and "unknown" in found[4].text and "unknown" in found[5].text
    errors = capsys.readouterr().err
    assert re.search(r"hexbook: black [a-h][1-8]: it is a guess", errors) and "of 63 moves was not found" in errors


def test_lengths_that_are_not_known_are_marked() -> None:
    found = replies("boardsize 8\nplay-game d4 e5\nhexbook-lengths", seconds=0.3)[-1].text.split()
    assert len(found) == 2 * 62 and all(re.fullmatch(r"\?|[WL](\?|[0-9]+)", label) for label in found[1::2])


def test_a_bug_is_a_reply_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.htp.format_board", lambda _: 1 // 0)
    assert replies("showboard\nname") == [
        Reply(False, "", "internal error: ZeroDivisionError: integer division or modulo by zero"), Reply(True, "", "hexbook")
    ]


WORDS = (
    "1 22 a1 b2 c9 zz1 b w black white genmove reg_genmove play play-game undo boardsize clear_board showboard final_score "
    "all_legal_moves 2 3 2 3x2 0 65 hexbook-solve hexbook-lengths hexbook-winning hexbook-pv dfpn-solve-state dfpn-clear-tt "
    "time_left time_settings swap-pieces resign param_hexbook metric winner connection loadsgf known_command name - \" # é \x07"
).split()
"""What controllers say, without what sets the time of a search."""

lines = st.one_of(
    st.binary(max_size=30),
    st.text(max_size=30).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.lists(st.sampled_from(WORDS), max_size=4).map(lambda words: " ".join(words).encode()),
).map(lambda line: line.replace(b"\n", b" ").replace(b"\r", b" "))


@settings(deadline=None, max_examples=150)
@given(st.lists(lines, max_size=25))
def test_any_line_gets_one_reply(session: list[bytes]) -> None:
    commands = [parse_command(line.decode("utf-8", "replace")) for line in session]
    expected = [command.number for command in commands if command]
    names = [command.name for command in commands if command]
    if "quit" in names:
        expected = expected[: names.index("quit") + 1]
    found = replies(b"\n".join(session), seconds=0.01)
    assert [reply.number for reply in found] == expected
    assert not [reply for reply in found if "internal error" in reply.text]


@pytest.mark.parametrize("unit", ["a", "1", "1 ", '"', "#", "play b a1 ", "b "])
def test_long_lines(unit: str) -> None:
    for start in ("", "play ", "loadsgf ", "boardsize ", "play b "):
        found = replies(start + unit * 20_000)
        assert len(found) <= 1 and all(len(reply.text) < 300 and not reply.succeeded for reply in found)


class Client:
    """Reads and writes as HexGui does, which takes any other line on the pipe for the end of the world."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin and process.stdout
        self.process, self._input, self._output = process, process.stdin, process.stdout

    def send(self, line: str) -> None:
        self._input.write(line.encode() + b"\n")
        self._input.flush()

    def receive(self) -> Reply:
        block = ""
        while (line := self._output.readline().decode().replace("\r", "")) not in ("", "\n"):
            block += line
        assert block[:2] in ("= ", "? ") and line == "\n", block
        return Reply(block[0] == "=", "", block[2:].strip())

    def ask(self, line: str) -> str:
        self.send(line)
        reply = self.receive()
        assert reply.succeeded, reply
        return reply.text

    def close(self) -> None:
        """End of the input."""
        self._input.close()


@contextmanager
def connected(*arguments: str) -> Iterator[Client]:
    command = [sys.executable, "-m", "solver", "htp", "--store", "none", *arguments]
    with started(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        yield Client(process)


def finished(client: Client) -> tuple[int, str]:
    """The exit status of a server that ends by itself, and its messages."""
    assert client.process.stderr
    status = client.process.wait(10)
    errors = client.process.stderr.read().decode()
    assert "Traceback" not in errors and "Fatal" not in errors
    return status, errors


def greet(client: Client, size: int) -> None:
    """What HexGui asks when it connects."""
    assert client.ask("name") == "hexbook" and client.ask("version")
    assert all(line.count("/") == 2 for line in client.ask("hexgui-analyze_commands").split("\n"))
    client.ask(f"boardsize {size} {size}")
    client.ask("showboard")


def play_game(client: Client, size: int, choose: Callable[[list[str]], str], human: str) -> str:
    """A game against somebody who chooses cells from the legal ones; the score."""
    client.ask("clear_board")
    server = "white" if human == "black" else "black"
    if server == "black":
        client.ask("genmove black")
    for _ in range(size * size):
        legal = client.ask("all_legal_moves").split()
        client.ask(f"play {human} {choose(legal)}")
        client.ask("showboard")
        move = client.ask(f"genmove {server}")
        score = client.ask("final_score")
        if score != "cannot score":
            assert move == "resign" or move not in client.ask("all_legal_moves").split()
            return score
    raise AssertionError("a full board has a winner")


@pytest.mark.parametrize("size", [4, 5])
def test_full_games_with_a_client(size: int) -> None:
    rng = Random(size)
    with connected() as client:
        greet(client, size)
        for _ in range(3):  # the first player wins these boards, and so does the second after a bad opening
            assert play_game(client, size, rng.choice, "white") == "B+"
        assert play_game(client, size, lambda legal: legal[0], "black") == "W+"
        client.send("quit")
        assert client.receive().succeeded
        assert finished(client) == (0, "")


def test_a_server_that_is_stronger_takes_over() -> None:
    """The server for both sides, a stone of the loser given away: it must turn the game, in the fewest moves."""
    with connected() as client:
        greet(client, 5)
        client.ask("play black a1")
        for color in ("white", "black") * 12:
            if client.ask(f"genmove {color}") == "resign":
                break
        assert client.ask("final_score") == "W+"
        client.close()
        assert finished(client) == (0, "")


def test_a_script_by_a_pipe_is_answered_to_its_end() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "solver", "htp", "--store", "none"], input=b"boardsize 4\n1 genmove b\n# end\n2 name",
        capture_output=True, cwd=ROOT, timeout=60,
    )
    assert done.returncode == 0 and done.stderr == b""
    assert re.fullmatch(rb"= \n\n=1 (c2|b3)\n\n=2 hexbook\n\n", done.stdout)


def test_the_book_is_asked(tmp_path: Path) -> None:
    """A false one shows that it is; on a board of another size nothing is taken from it."""
    opening = Position.start(Size(4, 4)).play(5)
    false = shelf.value(opening, Entry(Color.WHITE, 3))
    book = shelf.altered(shelf.book("4x4"), tmp_path / "false.book", lambda records: records.update({shelf.key(opening): false}))
    session = "boardsize 4\nplay black b2\nhexbook-solve white\nboardsize 3\nplay black b2\nhexbook-solve white\n"

    def said(name: Path | str, status: int = 0) -> str:
        command = [sys.executable, "-m", "solver", "htp", "--store", "none", "--book", str(name)]
        done = subprocess.run(command, input=session, capture_output=True, text=True, cwd=ROOT, timeout=60)
        assert done.returncode == status
        return done.stderr if status else done.stdout

    assert "White wins in 3 plies" in said(book) and "White wins in 3 plies" not in said("none")
    assert said(book).split("\n\n")[5] == said("none").split("\n\n")[5] == "= Black wins in 0 plies to checkmate"
    assert "no such file" in said(tmp_path / "missing.book", status=2)


def test_no_input_at_all() -> None:
    done = subprocess.run(f"{sys.executable} -m solver htp --store none <&-", shell=True, capture_output=True, cwd=ROOT, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_interrupts_end_the_search_in_hand_and_no_other() -> None:
    with connected("--seconds", "60") as client:
        client.ask("boardsize 8 8")
        start = time.monotonic()
        for command, succeeds in ("genmove b", True), ("hexbook-lengths", False), ("dfpn-solve-state w", False):
            client.send(command)
            time.sleep(0.5)
            client.send("# interrupt")
            assert client.receive().succeeded == succeeds
        assert time.monotonic() - start < 8
        client.send("# interrupt")
        client.ask("boardsize 3 3")
        assert client.ask("hexbook-solve") == "Black wins in 1 ply to checkmate"


def test_a_move_comes_in_time() -> None:
    with connected("--seconds", "60") as client:
        client.ask("boardsize 8 8")
        client.ask("time_settings 0 1 1")
        start = time.monotonic()
        assert re.fullmatch("[c-f][3-6]", client.ask("genmove b"))
        assert time.monotonic() - start < 2
        client.close()
        status, errors = finished(client)
        assert status == 0 and "guess" in errors


@pytest.mark.parametrize("command", [None, "genmove b"])
def test_ctrl_c(command: str | None) -> None:
    with connected("--seconds", "60") as client:
        client.ask("boardsize 8 8")
        if command:
            client.send(command)
            time.sleep(0.5)
        pressed = time.monotonic()
        os.killpg(client.process.pid, signal.SIGINT)
        assert finished(client) == (130, "hexbook: interrupted\n")
        assert time.monotonic() - pressed < 2


def test_a_controller_that_has_gone_is_no_error() -> None:
    with connected() as client:
        client.ask("boardsize 5 5")
        assert client.process.stdout
        client.process.stdout.close()
        client.send("genmove b")
        client.send("name")
        assert finished(client) == (0, "")
