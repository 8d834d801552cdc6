"""The checker of certificates before the judge: what it accepts is true, and what is wrong with a certificate it finds."""

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from itertools import combinations
from pathlib import Path
from random import Random

import oracle
import pytest
from positions import Setup, bits, linked, starved_lattice
from proofs import Tries, true

from books import checker
from books.certificate import Certificate, Certifier
from books.checker import NEVER, Board, Claim, Hold, Join, Rejected, check
from solver.notation import parse_moves, parse_size, position_after
from solver.options import Limits

SOURCE = Path(checker.__file__)
EXAMPLE = [line[4:].split("   ")[0].rstrip() for line in (checker.__doc__ or "").splitlines() if line.startswith("    ")]
EXAMPLE = EXAMPLE[: EXAMPLE.index("end") + 1]
SMALL = [("3x3", ""), ("3x3", "a1"), ("3x3", "a2"), ("3x3", "c1 a3"), ("3x4", "b2"), ("4x3", "b2 c2"), ("4x3", "a3 b2")]
METRICS = ["winner", "checkmate", "connection"]


def checked(lines: list[str]) -> tuple[Claim, int]:
    return check(BytesIO("".join(f"{line}\n" for line in lines).encode()))


def reason(lines: list[str]) -> str:
    with pytest.raises(Rejected) as caught:
        checked(lines)
    return str(caught.value)


@cache
def honest(size: str, moves: str, metric: str) -> tuple[str, ...]:
    board = parse_size(size)
    with Certifier(board, limits=Limits(memory=32 << 20)) as certifier:
        certificate = certifier.certify(position_after(board, parse_moves(board, moves)), metric)
    assert isinstance(certificate, Certificate)
    return tuple(certificate.lines)


def small(metric: str) -> Iterator[tuple[str, ...]]:
    """Certificates of small boards: of values, and of upper bounds, which lack the part that holds out."""
    for size, moves in SMALL:
        lines = honest(size, moves, metric)
        yield lines
        if "hold" in lines:
            bound = [line.replace("wins in", "wins within") for line in lines[: lines.index("hold")]]
            yield (*bound, "end")


@cache
def is_true(claim: Claim) -> bool:
    board, to_move = Setup(claim.columns, claim.rows, *claim.stones).board, "BW"[claim.to_move]
    if "BW"[claim.winner] != oracle.winner(board, to_move):
        return False
    if claim.length is None:
        return True
    length = oracle.length(board, to_move, claim.metric)
    return length == claim.length if claim.exact else length <= claim.length


def test_the_example_of_the_documentation() -> None:
    claim, nodes = checked(EXAMPLE)
    assert str(claim) == "Black wins in 4 plies to checkmate" and nodes == 7 and is_true(claim)


@pytest.mark.parametrize("metric", METRICS)
def test_nodes_made_up_at_random_are_true(metric: str) -> None:
    rng, kinds = Random(f"nodes {metric}"), set()
    for _ in range(14):
        columns, rows = rng.choice([(3, 3), (2, 3), (3, 2), (4, 2), (2, 4), (1, 4), (4, 1), (2, 2), (4, 3), (3, 4)])
        owner = rng.randrange(2)
        tries = Tries(rng, columns, rows, owner, metric)
        for _ in range(120):
            node = tries.grow()
            if node is None or node.cells.bit_count() > 8:
                continue
            others = ((1 << columns * rows) - 1) & ~(node.stones | node.cells)
            more = rng.getrandbits(columns * rows) & rng.getrandbits(columns * rows) & (others | node.cells)
            worst = Setup(columns, rows).put(node.stones, owner).put(others, 1 - owner)
            better = Setup(columns, rows).put(node.stones | more, owner).put(others & ~more, 1 - owner)
            for setup in (worst, better):
                assert true(node, setup, owner, metric), (node, setup.board, owner, metric, tries.lines)
            kinds.add((tries.lines[-1][0], type(node), isinstance(node, Hold) and 0 < node.held < NEVER))
    assert {("c", Join, False), ("a", Join, False), ("d", Join, False)} <= kinds
    assert metric == "winner" or {("w", Hold, True), ("a", Hold, True)} <= kinds


@pytest.mark.parametrize("metric", METRICS)
def test_mutants_that_pass_are_true(metric: str) -> None:
    rng, tried, passed = Random(f"mutants {metric}"), 0, 0
    for lines in small(metric):
        assert is_true(checked(list(lines))[0])
        for _ in range(250):
            mutant = mutated(rng, list(lines))
            if mutant == list(lines):
                continue
            tried += 1
            passed += stands(mutant)
    assert passed < 0.25 * tried


def mutated(rng: Random, lines: list[str]) -> list[str]:
    """One field changed, or a line lost, doubled or moved."""
    index = rng.randrange(len(lines))
    action = rng.random()
    if action < 0.08:
        del lines[index]
    elif action < 0.16:
        lines.insert(rng.randrange(len(lines) + 1), lines[index])
    elif action < 0.24:
        other = rng.randrange(len(lines))
        lines[index], lines[other] = lines[other], lines[index]
    else:
        fields = fields_of(lines[index])
        field = rng.randrange(len(fields))
        fields[field] = rng.choice(others(fields[field]))
        lines[index] = "".join(fields)
    return lines


def fields_of(line: str) -> list[str]:
    return re.findall("[0-9]+|[a-z]+|.", line)


def others(field: str) -> list[str]:
    """What may stand in the place of a field."""
    for alternatives in (["checkmate", "connection"], ["black", "white"], [".", "B", "W"], ["<", ">"], ["c", "a", "d", "w"], ["join", "hold"], ["in", "within"]):
        if field in alternatives:
            return [other for other in alternatives if other != field]
    if field.isdecimal():
        number = int(field)
        near = [number - 2, number - 1, number + 1, number + 2, *(number ^ 1 << bit for bit in range(9)), *range(20)]
        return [str(other) for other in dict.fromkeys(near) if other != number] + [field + "9" * 18, "9" * 4000]
    return ["", field + field, "-", "x", " ", "0"]


@pytest.mark.parametrize("metric", METRICS)
def test_every_field_in_turn(metric: str) -> None:
    tried, passed = 0, 0
    for lines in small(metric):
        for index, line in enumerate(lines):
            fields = fields_of(line)
            for field, text in enumerate(fields):
                for other in others(text):
                    changed = "".join([*fields[:field], other, *fields[field + 1 :]])
                    tried += 1
                    passed += stands([*lines[:index], changed, *lines[index + 1 :]])
    assert passed < 0.25 * tried and tried > 1000


def stands(mutant: list[str]) -> bool:
    """Is it accepted? If so it has to be true."""
    try:
        claim, _ = checked(mutant)
    except Rejected:
        return False
    assert is_true(claim), mutant
    return True


@pytest.mark.parametrize("metric", METRICS)
def test_every_bit_and_byte_in_turn(metric: str) -> None:
    whole = "".join(f"{line}\n" for line in honest("3x3", "a2", metric)).encode()
    for place in range(len(whole)):
        before, after = whole[:place], whole[place + 1 :]
        mutants = [before + bytes([whole[place] ^ 1 << bit]) + after for bit in range(8)]
        mutants += [before + after, before + whole[place : place + 1] + whole[place:], whole[:place]]
        for mutant in mutants:
            if mutant != whole:
                try:
                    claim, _ = check(BytesIO(mutant))
                except Rejected:
                    continue
                assert is_true(claim), mutant


@pytest.mark.parametrize("metric", METRICS)
def test_a_missing_answer(metric: str) -> None:
    rng, found = Random(f"answers {metric}"), 0
    for size, moves in [*SMALL, ("4x4", "a2"), ("4x4", "b1 d3"), ("5x5", "e1")]:
        lines = honest(size, moves, metric)
        answers = [(index, option) for index, line in enumerate(lines) if line[0] == "a" for option in line.split(" ")[1:]]
        for index, option in rng.sample(answers, min(len(answers), 25)):
            rest = [word for word in lines[index].split(" ") if word != option]
            mutant = [*lines[:index], " ".join(rest), *lines[index + 1 :]]
            assert reason(mutant).startswith(f"line {index + 1}: there is no answer to a move on cell ")
            found += 1
    assert found > 25


@pytest.mark.parametrize("metric", ["checkmate", "connection"])
def test_a_bound_off_by_one(metric: str) -> None:
    for size, moves in [*SMALL, ("4x4", "a2"), ("4x4", "b1 d3"), ("5x5", "b2"), ("5x5", "e2"), ("5x5", "a3")]:
        lines = honest(size, moves, metric)
        (line,) = (number for number, line in enumerate(lines) if " plies to " in line)
        length = int(lines[line].split()[3])
        for wrong, words in ((-2, "the winner may need"), (-1, ""), (1, ""), (2, "the loser holds out")):
            if length + wrong >= 0:
                claim = lines[line].replace(f" {length} ", f" {length + wrong} ")
                assert words in reason([*lines[:line], claim, *lines[line + 1 :]]) or length == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("a 5:5 6:1", "a 5:5 2:1"), "line 14: a move on a cell that is occupied"),
        (("a 5:5 6:1", "a 5:5"), "line 14: there is no answer to a move on cell 8"),
        (("a 5:5 6:1", "a 5:0 6:1"), "line 14: there is no node 0 lines before"),
        (("a 5:5 6:1", "a 5:6 6:1"), "line 14: there is no node 6 lines before"),
        (("a 5:5 6:1", "a 5:5 9:1"), "line 14: there is no cell 9"),
        (("a 5:5 6:1", "a 5:5  6:1"), "line 14: '' is no number"),
        (("a 5:5 6:1", "a 5:5 6:01"), "line 14: '01' is no number"),
        (("c < 6=1 >", "c < 6=4 >"), "line 13: the node does not join what stands before 6=4"),
        (("c < 6=1 >", "c < 3=1 >"), "line 13: the node does not join what stands before 3=1"),
        (("c < 6=1 >", "c <=1 6 >"), "line 13: a chain begins with a point"),
        (("c < 2 5 >", "c < 2 6 >"), "line 9: there is no link to 6"),
        (("c < 2 5 >", "c < 2 2 >"), "line 9: there is no link to 2"),
        (("c < 2 5 >", "c < 2 > 5"), "line 9: there is no link to >"),
        (("c < 2 5 >", "c 2 < 1"), "line 9: a chain has two points or more, and edges only at its ends"),
        (("c < 2 5 >", "e < 2 5 >"), "line 9: this is no node"),
        (("w 80 17a", "w 80 1fa"), "line 17: a stone of the wall stands on one of its free cells"),
        (("w 80 17a", "w 80 17b0"), "line 17: '17b0' is no mask of cells of the board"),
        (("w 80 17a", "w 80 17A"), "line 17: '17A' is no mask of cells of the board"),
        (("w 80 17a", "w 80 13a"), "line 18: an answer does not hold out: it joins other points than the edges, or comes when no stone is left"),
        (("root 7:1", "root 2:1"), "line 18: the root's move cannot be made: the other side is to move, or the cell is occupied"),
        (("root 7:1", "root -:1"), "line 18: the position does not fit the root's pattern"),
        (("root -:1", "root 4:1"), "line 15: the root's move cannot be made: the other side is to move, or the cell is occupied"),
        (("root -:1", "root -:2"), "line 15: the position does not fit the root's pattern"),
        (("a 5:5 6:1", "c < 2"), "line 15: the root does not join the winner's edges"),
        (("..B", "..W"), "line 15: the position does not fit the root's pattern"),
        (("..B", ".."), "line 3: a row has 3 cells: . or B or W"),
        (("board 3 3", "board 3 33"), "line 2: a board has 64 cells at most"),
        (("board 3 3", "board 3 0"), "line 2: this line of the claim cannot be read"),
        (("white to move", "black to move"), "line 7: such a game would not end with a move of the winner"),
        (("hold", "end"), "line 16: here should be the line 'hold'"),
        (("hexbook certificate 1", "hexbook certificate 2"), "line 1: here should be the line 'hexbook certificate 1'"),
    ],
)
def test_what_is_wrong_is_named(change: tuple[str, str], words: str) -> None:
    assert reason([change[1] if line == change[0] else line for line in EXAMPLE]) == words


def test_parts_that_share_a_cell() -> None:
    """5 is a two-bridge over 1 and 2 from the first edge, and one over 2 and 6 from 3."""
    claim = ["hexbook certificate 1", "board 4 3", "...B", ".B..", "....", "white to move", "black wins", "join"]
    assert checked([*claim, "c < 3 5 >", "root -:1", "end"])[1] == 1
    assert reason([*claim, "c < 5 3"]) == "line 9: two parts of the chain share a cell"
    assert reason([*claim, "c < 5", "c 5 3", "c < 5=2 3=1"]) == "line 11: two parts of the chain share a cell"


@pytest.mark.parametrize(("columns", "rows"), [(4, 4), (5, 3), (3, 6), (6, 5), (1, 5), (5, 1)])
def test_walls_before_the_judge(columns: int, rows: int) -> None:
    """Chains and distances, also where two-bridges share cells."""
    rng, board, overlaps = Random(f"walls {columns} {rows}"), Board(columns, rows), 0
    for _ in range(60):
        setup, player = starved_lattice(rng, columns, rows, rng.choice([0, 0, 1, 2]))
        if setup.empty.bit_count() > 9:
            continue
        own = setup[2 + player]
        assert board.checkmate(player, own, setup.empty) == oracle.checkmate(setup.board, "BW"[player])
        for bridges, joined in ((True, linked), (False, lambda after, player: oracle.connection(after.board, "BW"[player]))):
            least = board.distance(player, own, setup.empty, bridges)
            for stones in range(3):
                more = [setup.put(sum(1 << cell for cell in cells), player) for cells in combinations(bits(setup.empty), stones)]
                assert (least <= stones) == (least < stones or any(joined(after, player) for after in more)), (setup.board, player)
        overlaps += linked(setup, player) and not oracle.checkmate(setup.board, "BW"[player])
    assert overlaps or min(columns, rows) == 1 or (columns, rows) == (5, 3)


def test_a_wall_that_is_hard_to_see(monkeypatch: pytest.MonkeyPatch) -> None:
    """A maze of two-bridges that share cells: the checker gives up rather than to search for long."""
    board = Board(8, 8)
    stones = sum(1 << 8 * row + column for row in range(7) for column in range(8) if (row - column) % 3 == 0)
    empty = board.full & ~(stones | 0xFF << 56)
    assert not board.checkmate(0, stones, empty)
    monkeypatch.setattr(checker, "_MOST_STEPS", 100)
    with pytest.raises(Rejected, match="too long"):
        board.checkmate(0, stones, empty)


def test_no_move_undoes_a_checkmate() -> None:
    """Once Black is on 4 it has checkmate. That White can spoil a two-bridge then, by a move on 7, is no delay."""
    claim = ["hexbook certificate 1", "board 3 3", "...", "...", "...", "black to move"]
    proof = ["join", "c < 4 >", "root 4:1"]
    assert checked([*claim, "black wins in 1 plies to checkmate", *proof, "hold", "w 0 1ff", "root -:1", "end"])[1] == 2
    walls = [f"w 0 {0x1FF & ~(1 << cell):x}" for cell in range(9) if cell != 4]
    options = [f"-:{number}" for number in range(2, 10)]
    lines = [*claim, "black wins in 3 plies to checkmate", *proof, "hold", *walls]
    assert reason([*lines, "w 80 16f", " ".join(["a 7:1", *options])]) == "line 21: " + (
        "an answer does not hold out: it joins other points than the edges, or comes when no stone is left"
    )
    assert reason([*lines, "w 0 1ef"]) == "line 20: there is no wall here"


def test_truncated_and_padded_files() -> None:
    whole = "".join(f"{line}\n" for line in honest("4x4", "a2", "checkmate")).encode()
    rng = Random("truncated")
    for size in [0, 1, len(whole) - 1, *rng.sample(range(len(whole)), 60)]:
        with pytest.raises(Rejected):
            check(BytesIO(whole[:size]))
    for more in (b"\n", b" ", b"end\n", b"\0", whole):
        with pytest.raises(Rejected, match="goes on after its end"):
            check(BytesIO(whole + more))
    with pytest.raises(Rejected, match="too long"):
        check(BytesIO(b"hexbook certificate 1" + b" " * 10_000))
    with pytest.raises(Rejected, match="no ASCII"):
        check(BytesIO(b"hexbook \xc3\xa9\n"))


def test_it_runs_alone(tmp_path: Path) -> None:
    copy, good, bad = tmp_path / "checker.py", tmp_path / "good.cert", tmp_path / "bad.cert"
    copy.write_bytes(SOURCE.read_bytes())
    good.write_text("".join(f"{line}\n" for line in EXAMPLE))
    bad.write_text("".join(f"{line}\n" for line in EXAMPLE[:-1]))

    def run(*files: Path) -> tuple[int, str]:
        done = subprocess.run([sys.executable, "-I", "-S", copy, *files], capture_output=True, text=True)
        assert not done.stderr
        return done.returncode, done.stdout

    assert run(good) == (0, f"{good}: proved by 7 nodes: Black wins in 4 plies to checkmate\n")
    assert run(good, bad)[0] == 1 and "bad.cert: rejected: line 19: the file is cut off here" in run(bad)[1]
    assert run(tmp_path / "missing")[0] == 1 and run()[0] == 2
