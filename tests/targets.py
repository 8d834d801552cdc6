"""Everything in hexbook that reads what others wrote, each as a function of any bytes: a fault is whatever it raises.

What is refused is refused with one line; what is accepted means what a second reader says (tests/reader.py), can be written and read
again, and can be used. Hypothesis draws inputs in test_any_input.py, a coverage-guided fuzzer in fuzz.py.
"""

import io
import re
import socket
import sys
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeVar
from unittest import mock

import reader

from books import Book
from books.certificate import Certificate, Certifier
from books.checker import Rejected, check
from books.contents import Entry
from books.file import write
from books.format import Coder, Metadata, checksum, pack
from books.server import Answer, _Handler
from books.verify import Fault, verify
from solver.analyst import Analyst
from solver.cli import main
from solver.engine import Engine
from solver.files import decoded
from solver.htp import Server
from solver.notation import (
    format_board, format_hexworld, format_moves, moves_reaching, parse_board, parse_hexworld, parse_moves, parse_size, position_after,
)
from solver.options import OPTIONS, Limits
from solver.player import TimedEngine
from solver.position import Color, InputError, Position, Size, cells_of
from solver.protocol import parse_command
from solver.run import Run
from solver.sgf import format_sgf, parse_sgf
from solver.store import Record, Store

DATA = Path(__file__).parent / "data"
T = TypeVar("T")

_directory = tempfile.TemporaryDirectory(prefix="hexbook-any-")
SCRATCH = Path(_directory.name)
"""For the files that the targets read."""


class Target(NamedTuple):
    """A reader to be tried."""

    check: Callable[[bytes], None]
    seeds: Sequence[bytes]  # inputs that it understands
    words: Sequence[str]  # of which such inputs are made
    most: int = 512  # bytes that are worth trying


def accepted(read: Callable[[], T]) -> T | None:
    """What was read; None if it was refused, in one line that is not long."""
    try:
        return read()
    except InputError as error:
        assert len(str(error).splitlines()) == 1 and len(str(error)) < 400, str(error)
        return None


def argument(data: bytes) -> str:
    """Bytes as an argument of a command arrives."""
    return data.decode("utf-8", "surrogateescape")


def drawn(position: Position) -> reader.Board:
    """A position as the second readers see it."""
    columns = position.size.columns
    return {divmod(cell, columns): "BW"[color] for color in Color for cell in cells_of(position.stones(color))}


def check_moves(data: bytes) -> None:
    """A size, and on the next line moves."""
    head, _, text = argument(data).partition("\n")
    size = accepted(lambda: parse_size(head))
    moves = size and accepted(lambda: parse_moves(size, text))
    if size is None or moves is None:
        return
    assert parse_size(str(size)) == size and size.cells <= 64
    cells = reader.moves(text)
    assert cells == [divmod(cell, size.columns) for cell in moves] and parse_moves(size, format_moves(size, moves)) == moves
    position = accepted(lambda: position_after(size, moves))
    assert (position is not None) == (len(set(cells)) == len(cells))
    if position is not None:
        assert drawn(position) == reader.alternated(cells) and position.to_move == len(moves) % 2


def check_board(data: bytes) -> None:
    """The text of a --board FILE."""
    text = accepted(lambda: decoded(data, "board"))
    position = text and accepted(lambda: parse_board(text, Color.WHITE))
    if position:
        assert (position.size.columns, position.size.rows, drawn(position)) == reader.board(text)
        assert parse_board(format_board(position), Color.WHITE) == position


def check_hexworld(data: bytes) -> None:
    """A HexWorld link."""
    link = argument(data)
    game = accepted(lambda: parse_hexworld(link))
    if game is None:
        return
    position, moves = game
    assert (position.size.columns, position.size.rows, drawn(position), "BW"[position.to_move]) == reader.hexworld(link)
    assert moves is None or position_after(position.size, moves) == position
    assert parse_hexworld(format_hexworld(position.size, moves_reaching(position))).position == position


def check_sgf(data: bytes) -> None:
    """A game file."""
    text = accepted(lambda: decoded(data, "game", errors="replace"))
    game = text and accepted(lambda: parse_sgf(text))
    if not game:
        return
    start, *_, last = [*game.positions[:1], *game.positions]
    for before, after in zip(game.positions, game.positions[1:]):
        assert after.size == before.size
    if game.moves is None:
        moves = [move for move in moves_reaching(last) if move is not None]
        assert parse_sgf(format_sgf(last, [])).positions == [last] and len(moves) == (last.black | last.white).bit_count()
    else:
        assert game.positions == [position_after(start.size, game.moves[:ply]) for ply in range(len(game.moves) + 1)]
        assert parse_sgf(format_sgf(start, game.moves)) == game


def check_run(data: bytes) -> None:
    """A run file."""
    file = SCRATCH / "any.toml"
    file.write_bytes(data)
    run = accepted(lambda: Run.load(file))
    if run is None:
        return
    keys = tomllib.loads(data.decode("utf-8-sig"))
    sizes = keys["size"] if isinstance(keys["size"], list) else [keys["size"]]
    assert list(run.openings) == list(dict.fromkeys(map(parse_size, sizes))) and run.metric == keys["metric"]
    for size, cells in run.openings.items():
        named = [reader.cell(name.strip().lower()) for name in keys["openings"]] if keys["openings"] != "all" else None
        assert cells == tuple(range(size.cells)) if named is None else set(named) == {divmod(cell, size.columns) for cell in cells}
    assert run.workers == keys.get("workers") and run.limits.seconds == keys.get("seconds") and run.limits.memory > 0


class Hasty(Analyst):
    """An analyst whose searches take a few milliseconds, whatever is set."""

    def __init__(self) -> None:
        super().__init__(lambda size, limits: TimedEngine(size, limits=limits), metric="checkmate", seconds=0.003, memory=1)

    def set(self, name: str, text: str) -> None:
        super().set(name, text)
        self._settings |= {"seconds": 0.003, "memory": 1}


def check_htp(data: bytes) -> None:
    """A session of the Hex Text Protocol."""
    lines = data.splitlines(keepends=True)
    commands = [command for line in lines if (command := parse_command(line.decode("utf-8", "replace")))]
    names = [command.name for command in commands]
    expected = commands[: names.index("quit") + 1] if "quit" in names and not commands[names.index("quit")].arguments else commands
    output, errors = io.BytesIO(), io.StringIO()
    with redirect_stderr(errors), closing(Hasty()) as analyst:
        Server(output, analyst).serve(lines)
    *replies, rest = output.getvalue().decode().split("\n\n")
    assert rest == "" and "internal error" not in output.getvalue().decode(), output.getvalue()
    for command, reply in zip(expected, replies, strict="quit" not in names):
        assert re.match(rf"[=?]{command.number} ", reply), (command, reply)
    assert "Traceback" not in errors.getvalue()


def check_request(data: bytes) -> None:
    """A request to the explorer's server."""

    def answer(moves: str, metric: str, _: object) -> Answer:
        size = Size(3, 3)
        return Answer({"position": str(position_after(size, parse_moves(size, moves))), "metric": OPTIONS["metric"].read(metric)}, True)

    server: Any = SimpleNamespace(server_port=80, page=b"page", address="http://127.0.0.1:80/", answer=answer)
    ours, theirs = socket.socketpair()
    with ours, theirs, redirect_stderr(io.StringIO()):
        ours.sendall(data)
        ours.shutdown(socket.SHUT_WR)
        _Handler(theirs, ("127.0.0.1", 1), server)
        theirs.close()
        reply = b"".join(iter(lambda: ours.recv(1 << 16), b""))
    assert reply == b"" or re.match(rb"HTTP/1\.[01] [1-5]\d\d |<!DOCTYPE|page|\{", reply), reply


def said(arguments: Sequence[str], typed: bytes = b"") -> tuple[int, str]:
    """The exit status of a command and what it says to its caller, run in this process."""
    output, errors = io.StringIO(), io.StringIO()
    stdin = io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8")
    with redirect_stdout(output), redirect_stderr(errors), mock.patch.object(sys, "stdin", stdin):
        try:
            status = main(arguments)
        except SystemExit as end:  # --help
            assert end.code == 0
            status = 0
    assert status in (0, 2, 3) and (status != 2 or re.fullmatch(r"hexbook: .+\n", errors.getvalue())), (status, errors.getvalue())
    return status, output.getvalue()


def check_arguments(data: bytes) -> None:
    """The arguments of hexbook show, separated by zero bytes; a last one may stand for standard input."""
    said(["show", *argument(data).split("\0")], typed=b". B\n W .\n")


def check_dialogue(data: bytes) -> None:
    """What a person types in a game."""
    status, answer = said(["play", "3", "--store", "none", "--memory", "1", "--swap", "--side", "white"], typed=data)
    assert status == 0 and answer.startswith("Moves are cells")


def check_book(data: bytes) -> None:
    """What a book says of itself and, after a line end, a value for every position, in a file that is sealed as it should be."""
    metadata, _, values = data.partition(b"\n")
    path = SCRATCH / "any.book"
    keys, _ = _book()
    rest = iter(values.ljust(2 * len(keys), b"\0"))
    described: Any = SimpleNamespace(packed=lambda: metadata)
    write(path, described, [(key, bytes([next(rest), next(rest)])) for key in keys])
    book = accepted(lambda: Book(path))
    if book is None:
        return
    with book:
        assert isinstance(book.metadata.to_json(), dict) and len(book) >= 0
        position = Position.start(book.metadata.size)
        accepted(lambda: book.get(position))
        accepted(lambda: list(book))
        if book.metadata.size.cells <= 4:
            try:
                accepted(lambda: verify(book, limits=Limits(memory=1 << 20)))
            except Fault:
                pass


@cache
def _book() -> tuple[list[bytes], bytes]:
    """The keys of some positions of 2x2, and a book of them as `check_book` takes it."""
    size = Size(2, 2)
    coder, entry = Coder(size), Entry(Color.BLACK, 1)
    positions = {Position(size, black, 0, Color.WHITE).canonical()[0] for black in range(4)}
    records = sorted((coder.key(position), pack(coder.key(position), entry)) for position in positions)
    metadata = Metadata(size, "checkmate", 0, (0, 0, len(records)), checksum(records), "tests", "2026-11-28T12:00:00Z")
    return [key for key, _ in records], metadata.packed() + b"\n" + b"".join(value for _, value in records)


def check_book_file(data: bytes) -> None:
    """A file that should be a book."""
    path = SCRATCH / "any.book"
    path.write_bytes(data)
    book = accepted(lambda: Book(path))
    if book is not None:
        with book:
            assert data == _book_file()


@cache
def _book_file() -> bytes:
    check_book(_book()[1])
    return (SCRATCH / "any.book").read_bytes()


def check_certificate(data: bytes) -> None:
    """A certificate: what is accepted is true."""
    try:
        claim, _ = check(io.BytesIO(data))
    except Rejected as error:
        assert len(str(error).splitlines()) == 1 and len(str(error)) < 400, str(error)
        return
    position = Position(Size(claim.columns, claim.rows), *claim.stones, Color(claim.to_move))
    if position.empty.bit_count() <= 12:
        with Engine(position.size, limits=Limits(memory=1 << 20)) as engine:
            found = engine.solve(position, claim.metric)
        assert (found.winner, found.length) == (claim.winner, claim.length)


@cache
def certificates() -> list[bytes]:
    """Some that are true."""
    size, written = Size(3, 3), list[bytes]()
    with Certifier(size, limits=Limits(memory=1 << 20)) as certifier:
        for metric, moves in (("winner", [0]), ("checkmate", [0]), ("connection", [2]), ("checkmate", [1, 4])):
            certificate = certifier.certify(position_after(size, moves), metric)
            assert isinstance(certificate, Certificate)
            written.append("".join(f"{line}\n" for line in certificate.lines).encode())
    return written


@cache
def _store() -> Store:
    return Store.open(SCRATCH / "store")


def check_store(data: bytes) -> None:
    """The record of a position."""
    position = Position(Size(3, 2), 0b000100, 0b001000, Color.WHITE)
    store = _store()
    with store._environment.begin(write=True) as transaction:
        transaction.put(bytes.fromhex("030202010000000000000004" + "0000000000000008"), data)
    record = accepted(lambda: store.get(position, "connection"))
    if record is not None:
        assert record.upper is None or 0 <= record.lower <= record.upper <= 64
        assert record.lower <= 64
    accepted(lambda: store.put_many([(position, "connection", Record(Color.WHITE, 2, 4, 1, 1))]))


def recorded(ending: str) -> list[bytes]:
    """The files of tests/data with this ending."""
    return [file.read_bytes() for file in sorted(DATA.glob(f"*.{ending}"))]


METADATA_WORDS = re.findall(r'"\w+"|\d+', _book()[1].partition(b"\n")[0].decode())

TARGETS = {
    "moves": Target(check_moves, [b"6\nc3 d4, e5", b"6x7\n A2 f7", b"64x1\nbl1 aa1", b"1\n"], ["a1", "c3", "b", "x", ",", " ", "\n", "0", "9"]),
    "board": Target(
        check_board,
        [
            b" a b c\n1 . . B 1\n 2 . W . 2\n    a b c\n", b". x\n O .\n# note\n. .", b"1 . B\n2 W .",
            format_board(Position(Size(3, 2), 4, 0, Color.WHITE), {0: "W18", 1: "L9", 3: "*"}).encode(), "\ufeff.".encode(),
        ],
        [" a b c", ". ", "B ", "w", "x", "O", "1 ", " 2", "W18", "*", "\n", "# ", "\t", "\u2028", "\u0661"],
    ),
    "link": Target(
        check_hexworld,
        [b"#6c1,a2c3,d4", b"https://hexworld.org/board/#6x7r9nc1m,A2:sc3:p", b"#3c1,a2:s", b"#21x3c1,:p:rb", b"#6c1%2Ca2c3"],
        ["#", ",", ":s", ":p", ":S", ":rb", ":fw", "c1", "6x7", "a2", "r9", "%2C", "aa1"],
    ),
    "sgf": Target(
        check_sgf,
        [
            b"(;FF[4]GM[11]SZ[6];B[a2]C[a \\] note];W[d3](;B[c4];W[b5])(;B[d4]))", b"(;SZ[3:4]AB[a1][b2]AW[c4]PL[W];W[a4];B[b1])",
            b"(;EV[null]PB[lazy\\player]PW[Shumacher;]]SZ[8]RE[B];W[ad];B[swap];W[eg];B[resign])",
            b"(;SZ[6];B[a2];W[swap-pieces];B[c3];AE[c3]AW[d4])", b"(;AP[HexGui:0.9]SZ[6];B[a2];W[swap-pieces];W[c3])",
        ],
        ["(;", ")", ";", "B[a1]", "W[", "]", "AB[", "AW[b2]", "AE[a1]", "PL[W]", "SZ[", "swap-pieces", "swap-sides", "pass", "\\", "ab"],
    ),
    "run": Target(
        check_run,
        [
            b'size = "4x4"\nmetric = "winner"\nopenings = "all"\nworkers = 2\nseconds = 1.5\nmemory = 64\nreference = "r.csv"\nnodes = true\n',
            b'size = ["2x1", "3"]\nmetric = "connection"\nopenings = ["a1", "B1"]\n',
        ],
        ['size = "', "metric", "openings", "workers = ", "seconds", "memory", "reference", "nodes = ", '"all"', "[", "]", '"', "\n", "0x",
         "1e9", "nan", "true", "{", "}", "''", "1979-05-27"],
        1024,
    ),
    "htp": Target(
        check_htp,
        [*recorded("tst"), b"boardsize 3\nplay b a1\nplay w swap-pieces\ngenmove b\nundo\nshowboard\n", b"1 hexbook-lengths w\n2 hexbook-pv\n",
         b'loadsgf "none.sgf" 3\ntime_settings 60 10 5\ntime_left b 4 2\n# interrupt\nfinal_score\nquit\n', b"param_hexbook metric winner\n"],
        ["boardsize ", "play ", "b ", "white ", "a1", "genmove ", "reg_genmove w", "hexbook-", "solve", "lengths", "winning", "pv", "param_hexbook ",
         "seconds ", "memory ", "metric ", "winner", "undo", "loadsgf ", "play-game ", "time_left ", "time_settings ", "dfpn-solve-state", "\n", '"', "#"],
    ),
    "request": Target(
        check_request,
        [b"GET / HTTP/1.0\r\nHost: 127.0.0.1:80\r\n\r\n", b"GET http://[ HTTP/1.0\r\n\r\n", b"GET /query?moves=a1+b2&metric=winner HTTP/1.1\r\nHost: localhost:80\r\n\r\n"],
        ["GET ", "/query?", "moves=", "metric=", "&", "+", "%20", " HTTP/1.1", "\r\n", "Host: ", "localhost:80", "http://[", "//"],
    ),
    "arguments": Target(
        check_arguments,
        [b"6\0c3 d4", b"6x7\0--format\0hexwiki\0a1", b"--board\0-\0--to-move\0black", b"#6c1,a2c3\0--format\0sgf", b"--help", b"3\0--ply\0001"],
        ["\0", "--format", "--board", "--to-move", "white", "--ply", "--help", "diamond", "upside-down", "ascii", "--", "-", "a1", "6", "#3c1,"],
    ),
    "dialogue": Target(
        check_dialogue,
        [b"swap\nhint\nmoves\nundo\nnew\nhelp\nquit\n", b"b2\na1\nundo\nC3\nc1\n", "\u00e9\n".encode()],
        ["swap\n", "hint\n", "moves\n", "undo\n", "new\n", "help\n", "quit\n", "a1\n", "b2\n", "c3\n", "\n"],
    ),
    "book": Target(check_book, [_book()[1]], [*METADATA_WORDS, "{", "}", "[", "]", ",", ":", "\n"]),
    "book-file": Target(check_book_file, [_book_file()], ["hexbook book 1 sha256 "], 1 << 16),
    "certificate": Target(
        check_certificate, certificates(),
        ["c < ", "a ", "w ", "d ", "root ", "-:1", " >", "=1", ":2", " 4", "join\n", "hold\n", "end\n", "black", "white", "checkmate", "plies", "."],
        2048,
    ),
    "store": Target(check_store, [bytes.fromhex("070004020100000000000003000000000000000a")], ["\0", "\x07"], 64),
}
"""The targets by their names."""
