"""Certificates as they are written, and the commands: what certify writes, check proves, and nothing half written stands anywhere."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from positions import read_data
from processes import started
from test_kills import READY
from test_cli import COMMAND, ROOT, answers, hexbook, own_cache  # noqa: F401  the fixture is for all tests here

from books.certificate import Certificate, Certifier
from books.checker import Claim, Rejected, check
from solver.bounds import read_bounds
from solver.kernel import terminal
from solver.notation import format_board, parse_cell, parse_moves, parse_size, position_after
from solver.options import Limits
from solver.position import Color, Position
from solver.solution import METRICS, Solution

REFERENCES = ROOT / "runs" / "reference"
QUICK_7X7 = ("d1", "e1", "b6", "d4")  # the others take minutes together
FIRST = "hexbook certificate 1"


@pytest.mark.parametrize(("size", "moves"), [("4", "a2"), ("3x5", "b3"), ("5x3", "c2 b1"), ("1", "a1"), ("1x4", ""), ("4", "b1 d3 c2")])
@pytest.mark.parametrize("metric", METRICS)
def test_what_solve_says_is_proved(tmp_path: Path, size: str, moves: str, metric: str) -> None:
    board = parse_size(size)
    with Certifier(board, limits=Limits(memory=32 << 20)) as certifier:
        certificate = certifier.certify(position_after(board, parse_moves(board, moves)), metric)
    assert isinstance(certificate, Certificate)
    solution, path = certificate.solution, tmp_path / "some.cert"
    assert certificate.write(path) == path.stat().st_size
    with path.open("rb") as file:
        claim, nodes = check(file)
    claimed = Position(board, *claim.stones, Color(claim.to_move))
    assert (claimed, claim.winner, claim.metric, claim.length) == (solution.position, solution.winner, metric, solution.length)
    assert nodes == sum(line.split()[0] in ("c", "a", "d", "w") for line in certificate.lines[board.rows + 4 :])


@pytest.mark.parametrize("size", ["1x1", "5x1", "1x5", "2x6", "3x3", "5x3", "3x5", "5x5", "6x4", "2x32", "32x2"])
def test_positions_that_no_game_leads_to(size: str) -> None:
    """Also won ones, full boards, and many more stones of one side."""
    board, random = parse_size(size), Random(f"certificates {size}")
    with Certifier(board, limits=Limits(memory=8 << 20)) as certifier:
        for _ in range(12):
            stones = random.sample(range(board.cells), random.randint(max(0, board.cells - 12), board.cells))
            cut = random.randint(0, len(stones))
            black, white = (sum(1 << cell for cell in some) for some in (stones[:cut], stones[cut:]))
            if all(terminal("connection", board.columns, board.rows, black, white, player) is not None for player in Color):
                continue
            for metric in METRICS:
                certificate = certifier.certify(Position(board, black, white, random.choice(list(Color))), metric)
                claim, _ = checked(certificate)
                assert claim.stones == (black, white) and claim.metric == metric


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["checkmate", "connection"])
def test_lengths_of_5x5(metric: str) -> None:
    """All of them, written and checked in less than 30 seconds."""
    start, size = time.process_time(), parse_size("5x5")
    rows = csv.DictReader(line for line in (REFERENCES / f"5x5-{metric}.csv").open() if line[0] != "#")
    with Certifier(size) as certifier:
        for row in rows:
            certificate = certifier.certify(position_after(size, [parse_cell(size, row["opening"])]), metric)
            claim, _ = checked(certificate)
            assert (str(Color(claim.winner)), claim.length) == (row["winner"], int(row["length"]))
    assert time.process_time() - start < 30


@pytest.mark.slow
@pytest.mark.parametrize("name", ["6x6", "7x7"])
def test_winners(name: str) -> None:
    """As published; all of 6x6 written and checked in less than 30 seconds."""
    start, size = time.process_time(), parse_size(name)
    with Certifier(size) as certifier:
        for row in read_data("winners.csv"):
            if row["size"] == name and (name != "7x7" or row["opening"] in QUICK_7X7):
                claim, _ = checked(certifier.certify(position_after(size, [parse_cell(size, row["opening"])]), "winner"))
                assert str(Color(claim.winner)) == row["winner"]
    assert name != "6x6" or time.process_time() - start < 30


def test_the_disputed_opening() -> None:
    """c3 on 6x6, of which Queenbee said 16 plies."""
    with (ROOT / "runs" / "certificates" / "6x6-c3-checkmate.cert").open("rb") as file:
        claim, _ = check(file)
    size = parse_size("6x6")
    position = Position(size, *claim.stones, Color(claim.to_move))
    assert position == position_after(size, parse_moves(size, "c3")) and (claim.winner, claim.length) == (Color.BLACK, 24)
    assert claim.metric == "checkmate"


@pytest.mark.parametrize("path", sorted((ROOT / "runs" / "certificates").glob("7x7-*-checkmate*.cert")), ids=lambda path: path.stem)
def test_lengths_of_7x7(path: Path) -> None:
    size = parse_size("7x7")
    cell = parse_cell(size, path.stem.split("-")[1])
    known = read_bounds(REFERENCES / "7x7-checkmate.csv", size, "checkmate")[cell]
    with path.open("rb") as file:
        claim, _ = check(file)
    assert known.solved and (claim.winner, claim.length, claim.metric) == (known.winner, known.length, known.metric)
    assert Position(size, *claim.stones, Color(claim.to_move)) == Position.start(size).play(cell)


def checked(certificate: Certificate | Solution) -> tuple[Claim, int]:
    assert isinstance(certificate, Certificate)
    return check(BytesIO("".join(f"{line}\n" for line in certificate.lines).encode()))


@pytest.mark.parametrize(("size", "moves"), [("4", "a2"), ("3x5", "b3"), ("1", "a1"), ("4", "b1 d3 c2")])
@pytest.mark.parametrize("metric", ["checkmate", "connection"])
def test_upper_bounds(size: str, moves: str, metric: str) -> None:
    """Of the length and of what is more; none of less. What proves one is no proof of less, nor of the length."""
    board = parse_size(size)
    position = position_after(board, parse_moves(board, moves))
    with Certifier(board, limits=Limits(memory=32 << 20)) as certifier:
        exact = certifier.certify(position, metric)
        assert isinstance(exact, Certificate) and (length := exact.solution.length) is not None
        for most in range(length, min(length + 5, board.cells)):
            bound = certifier.certify(position, metric, most=most)
            claim, _ = checked(bound)
            assert (claim.winner, claim.length, claim.exact) == (exact.solution.winner, most - (most - length) % 2, length == most == 0)
        assert checked(certifier.certify(position, metric, most=10**20))[0].length in (board.cells - len(moves.split()), board.cells - len(moves.split()) - 1)
        if length:
            least = certifier.certify(position, metric, most=length)
            assert isinstance(least, Certificate)
            for claimed in (f"wins in {length} plies", *([f"wins within {length - 2} plies"] if length > 1 else [])):
                lines = [line.replace(f"wins within {length} plies", claimed) for line in least.lines]
                assert lines != least.lines
                with pytest.raises(Rejected):
                    checked(least._replace(lines=lines))
            refused = certifier.certify(position, metric, most=length - 1)
            assert isinstance(refused, Solution) and refused.lower == length


@pytest.mark.parametrize("metric", ["winner", "connection"])
def test_certify_and_check(tmp_path: Path, metric: str) -> None:
    path = tmp_path / "a.cert"
    (written,) = answers("certify", "4", "b2", "-o", path, "--metric", metric)
    (solved,) = answers("solve", "4", "b2", "--metric", metric)
    assert written == {key: solved[key] for key in written if key in solved} | {"file": str(path), "bytes": path.stat().st_size}
    (proved,) = answers("check", path)
    assert proved.pop("nodes") > 0
    shared = ("size", "to_move", "winner", "length", "metric")
    assert proved == {"file": str(path), "proved": True, "board": board_of("4", "b2")} | {key: solved[key] for key in shared if key in solved}


def board_of(size: str, moves: str) -> str:
    return format_board(position_after(parse_size(size), parse_moves(parse_size(size), moves)))


def test_certify_an_upper_bound(tmp_path: Path) -> None:
    path = tmp_path / "a.cert"
    (solved,) = answers("solve", "4", "b2")
    most = str(solved["length"] + 2)
    (written,) = answers("certify", "4", "b2", "-o", path, "--within", most)
    assert (written["winner"], written["upper"]) == (solved["winner"], solved["length"] + 2)
    (proved,) = answers("check", path)
    assert (proved["proved"], proved["upper"], "length" in proved) == (True, solved["length"] + 2, False)
    assert f"wins within {most} plies to checkmate" in hexbook("certify", "4", "b2", "-o", path, "--within", most)
    assert "wins within 15 plies" in hexbook("certify", "4", "b2", "-o", path, "--within", "100")
    before = path.read_bytes()
    assert "not written, since it takes longer" in hexbook("certify", "4", "b2", "-o", path, "--within", "2", status=1)
    (refused,) = answers("certify", "4", "b2", "-o", path, "--within", "2", status=1)
    assert refused["unproved"] == "since it takes longer" and "file" not in refused
    assert path.read_bytes() == before
    for wrong in (("--within", "-1"), ("--within", "9", "--metric", "winner"), ("--within", "x"), ("--within", "1_0"), ("--within", "1" * 5000)):
        hexbook("certify", "4", "b2", "-o", path, *wrong, status=2)


def test_certify_and_check_for_people(tmp_path: Path) -> None:
    path = tmp_path / "a.cert"
    wins = re.fullmatch(rf"{path}: (\w+ wins in \d+ pl\w+ to checkmate): [\d,]+ bytes\n", hexbook("certify", "4", "a1 b4", "-o", path))
    assert wins
    said = hexbook("check", path)
    assert said.startswith(f"{board_of('4', 'a1 b4')}\n\nBlack to move.\n{path}: proved: {wins[1]} (")


def test_a_board_and_standard_streams() -> None:
    text = hexbook("certify", "--board", "-", "--to-move", "white", "-o", "/dev/stdout", typed=". . .\n B . .\n  . B .")
    assert text.startswith(f"{FIRST}\nboard 3 3\n...\nB..\n.B.\nwhite to move\n") and text.endswith("end\n")
    assert "-: proved: Black wins in 0 plies to checkmate" in hexbook("check", "-", typed=text)


def test_openings(tmp_path: Path) -> None:
    written = answers("certify", "3x4", "--openings", "-o", tmp_path / "all", "--metric", "connection")
    assert sorted(Path(answer["file"]).name for answer in written) == sorted(f"3x4-{c}{r}-connection.cert" for c in "abc" for r in "1234")
    proved = answers("check", *(answer["file"] for answer in written))
    assert [(each["winner"], each["length"]) for each in proved] == [(each["winner"], each["length"]) for each in written]
    assert len(answers("certify", "3", "--openings", "b2", "A1", "-o", tmp_path / "all", "--metric", "winner")) == 2
    assert len(list((tmp_path / "all").iterdir())) == 14


def test_a_false_certificate_is_status_1(tmp_path: Path) -> None:
    good, bad, short = (tmp_path / name for name in ("good", "bad", "short"))
    hexbook("certify", "4", "a2", "-o", good)
    lines = good.read_text().splitlines(keepends=True)
    length = int(re.findall(r"in (\d+) plies", good.read_text())[0])
    bad.write_text(good.read_text().replace(f"in {length} plies", f"in {length - 2} plies"))
    short.write_text("".join(lines[:-1]))
    assert re.fullmatch(rf"{bad}: rejected: line \d+: the winner may need \d+ stones, not \d+\n", hexbook("check", bad, status=1))
    assert f"{short}: rejected: line {len(lines)}: the file is cut off here" in hexbook("check", short, status=1)
    found = answers("check", good, short, bad, status=1)
    assert [answer["proved"] for answer in found] == [True, False, False] and "cut off" in found[1]["reason"]
    for text in ("", "\0" * 10_000):
        bad.write_text(text)
        assert "rejected: line 1: " in hexbook("check", bad, status=1)


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["certify", "3", "a1"], "-o"),
        (["certify", "3", "a1", "-o", "/no/such/directory/file"], "/no/such/directory/file"),
        (["certify", "3", "a1", "-o", "/dev"], "/dev"),
        (["certify", "3", "a1 a1", "-o", "/dev/null"], "a1 is occupied"),
        (["certify", "3", "a1", "--openings", "-o", "/dev"], "first moves"),
        (["certify", "3", "--openings", "d1", "-o", "/dev/null/x"], "d1"),
        (["certify", "3", "--openings", "-o", "/dev/null/x"], "/dev/null"),
        (["certify", "3", "-o", "/dev/null", "--metric", "chess"], "chess"),
        (["check"], "FILE"),
        (["check", "/no/such/file"], "/no/such/file"),
        (["check", "/dev"], "/dev"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_input(arguments: list[str], hint: str) -> None:
    assert hint in hexbook(*arguments, status=2)


def test_a_file_among_others_that_is_missing(tmp_path: Path) -> None:
    hexbook("certify", "3", "-o", tmp_path / "good")
    done = subprocess.run([*COMMAND, "check", tmp_path / "bad", tmp_path / "good"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and str(tmp_path / "bad") in done.stderr and "good: proved" in done.stdout


def test_a_limit_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.cert"
    path.write_text("older")
    assert "not written, for lack of time: " in hexbook("certify", "8", "a2", "-o", path, "--seconds", "0.3", status=3)
    (answer,) = answers("certify", "8", "a2", "-o", path, "--seconds", "0.3", status=3)
    assert "file" not in answer and answer["lower"] < answer["upper"]
    assert path.read_text() == "older" and len(list(tmp_path.iterdir())) == 2  # with the store


@pytest.mark.parametrize("seconds", [0.01, 1])
def test_ctrl_c(tmp_path: Path, seconds: float) -> None:
    command = [sys.executable, "-c", READY, "certify", "7", "g2", "--metric", "winner", "--store", "none", "-o", str(tmp_path / "a.cert")]
    with started(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        time.sleep(seconds)
        assert process.poll() is None
        pressed = time.monotonic()
        process.send_signal(signal.SIGINT)
        said, errors = process.communicate(timeout=20)
    assert time.monotonic() - pressed < 2
    assert (process.returncode, said, errors) == (130, "", "hexbook: interrupted\n") and not list(tmp_path.iterdir())


@pytest.mark.parametrize("kills", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_what_stands_after_a_kill_is_whole(tmp_path: Path, kills: int) -> None:
    """The next time all of it is written, and nothing else is left."""
    random, directory = Random(kills), tmp_path / "all"
    command = [*COMMAND, "certify", "5", "--openings", "a1", "e1", "b4", "c2", "-o", str(directory), "--store", str(tmp_path / "store")]
    for _ in range(kills):
        with started(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(random.uniform(0.2, 1.2))
            os.killpg(process.pid, signal.SIGKILL)
        for path in directory.glob("*.cert"):
            with path.open("rb") as file:
                check(file)
            path.unlink()
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    assert {path.name for path in directory.iterdir()} == {f"5x5-{cell}-checkmate.cert" for cell in ("a1", "e1", "b4", "c2")}


def test_check_loads_nothing_of_the_solver_that_searches(tmp_path: Path) -> None:
    hexbook("certify", "3", "a2", "-o", tmp_path / "a.cert")
    code = (
        "import json, sys, solver.cli; status = solver.cli.main(['check', sys.argv[1]]);"
        "print(json.dumps([status, [name for name in sys.modules if name.split('.')[0] in ('solver', 'books')]]))"
    )
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "a.cert"], capture_output=True, text=True, cwd=ROOT, check=True)
    status, modules = json.loads(done.stdout.splitlines()[-1])
    assert status == 0 and "books.checker" in modules
    searching = re.compile(r"solver\.(kernel|proof|papers|engine|worker)|books\.certificate")
    assert not [name for name in modules if searching.match(name)]
