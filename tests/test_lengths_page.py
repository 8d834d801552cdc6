"""The page on lengths: every number on it is what the program says."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import solver.engine
from solver.engine import Engine
from solver.kernel import terminal
from solver.notation import parse_board, parse_moves, parse_size, position_after
from solver.position import Color, Position
from solver.solution import plies

ROOT = Path(__file__).parent.parent
PAGE = (Path(solver.engine.__file__).parent / "LENGTHS.md").read_text()


def drawn(to_move: str) -> Position:
    """The board that the page draws."""
    (board,) = re.findall(r"```\n( a b c d\n.*?)```", PAGE, re.DOTALL)
    return parse_board(board, Color[to_move.upper()])


def test_the_commands_print_what_the_page_shows() -> None:
    examples = re.findall(r"^\$ hexbook ([^\n]*)\n(.*?)```", PAGE, re.MULTILINE | re.DOTALL)
    assert len(examples) == 3
    for command, shown in examples:
        done = subprocess.run(
            [sys.executable, "-m", "solver", *shlex.split(command)], cwd=ROOT, capture_output=True, text=True, check=True, timeout=100
        )
        if "--json" in command:
            assert json.loads(shown).items() <= json.loads(done.stdout).items()
        else:  # all lines but those that depend on the version, in their order
            printed = iter(done.stdout.splitlines())
            assert all(line in printed for line in shown.splitlines())


def test_the_worked_examples() -> None:
    rows = re.findall(r"^\| (\dx\d) \| (.*?) \| (black|white) \| (black|white) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)
    assert len(rows) == 10
    for board, after, to_move, winner, *lengths in rows:
        size = parse_size(board)
        if after == "the board above":
            position = drawn(to_move)
        else:
            position = position_after(size, parse_moves(size, "" if after == "nothing" else after))
            assert str(position.to_move) == to_move
        with Engine(size) as engine:
            for metric, length in zip(("checkmate", "connection"), lengths):
                found = engine.solve(position, metric)
                assert (str(found.winner), found.length) == (winner, int(length)), (board, after, metric)


def test_the_chain_that_is_no_checkmate() -> None:
    position = drawn("white")
    assert [terminal("checkmate", 4, 4, position.black, position.white, color) for color in Color] == [None, None]
    without = position.white & ~(1 << 5)  # without White's b2 another two-bridge joins c1 and b3
    assert terminal("checkmate", 4, 4, position.black, without, Color.BLACK) is not None
    (cut,) = parse_moves(position.size, "c2")
    after = position.play(cut)
    assert terminal("checkmate", 4, 4, after.black, after.white, Color.BLACK) is None


def test_plies_and_stones() -> None:
    position = Position.start(parse_size("3"))
    for stones in range(1, 20):
        assert plies(stones, position, Color.BLACK) == 2 * stones - 1 and plies(stones, position, Color.WHITE) == 2 * stones
