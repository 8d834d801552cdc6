"""The search toolbox before a plain negamax: tools change the nodes, never the value."""

from random import Random

import pytest
from positions import random_setup

from solver.kernel import Kernel, terminal
from solver.papers.toolbox import Search
from solver.papers.toolbox_studies import ALL, HISTORY, KILLER, PVS, SCHEMES, positions, searched
from solver.papers.two_distance import assess
from solver.position import Color, Position, Size

MATE = 1_000_000
SETTINGS = [
    {}, {"aspiration": 100}, PVS, KILLER, HISTORY, KILLER | {"history": 4}, HISTORY | {"exact": True}, HISTORY | {"bounds": True},
    HISTORY | {"order": True}, *(HISTORY | ALL | {"aspiration": 50, "replacement": scheme, "table_bits": 6} for scheme in SCHEMES.values()),
]  # fmt: skip


def negamax(position: Position, plies: int) -> int:
    board = position.size.columns, position.size.rows, position.black, position.white
    if terminal("checkmate", *board, position.to_move.other) is not None:
        return (position.black | position.white).bit_count() - MATE
    if not plies:
        return assess(*board)[0] * (1 if position.to_move == Color.WHITE else -1)
    return max(-negamax(position.play(move), plies - 1) for move in position.legal())


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_no_tool_changes_the_value(settings: dict[str, int]) -> None:
    rng = Random("toolbox")
    for _ in range(12):
        columns, rows = rng.choice([(4, 4), (5, 4), (4, 5)])
        setup = random_setup(rng, columns, rows, empty=rng.randint(5, 9))
        position = Position(Size(columns, rows), setup.black, setup.white, rng.choice(list(Color)))
        if any(terminal("checkmate", columns, rows, setup.black, setup.white, color) is not None for color in Color):
            continue
        for plies in (1, 2, 3):
            found = Search(columns, rows, **settings).search(setup.black, setup.white, position.to_move, plies)
            assert found.value == negamax(position, plies)
            assert len(found.nodes) == plies and position.empty >> found.move & 1
            assert -negamax(position.play(found.move), plies - 1) == found.value


def test_tools_save_what_they_are_known_to_save() -> None:
    position = positions(Size(6, 6))[0]
    plain, pvs, killer, history, table = (searched(position, 4, tools).nodes[-1] for tools in ({}, PVS, KILLER, HISTORY, HISTORY | ALL))
    assert plain > 1.1 * pvs > 1.5 * killer > 1.5 * history > 1.5 * table


def test_short_keys_confuse_positions_and_long_ones_do_not() -> None:
    def errors(key_bits: int, checks: bool = True) -> tuple[int, list[int]]:
        search = Search(5, 5, exact=True, bounds=True, replacement=1, table_bits=10, key_bits=key_bits, checks=checks)
        found = [search.search(1 << 12, 1 << cell, 0, 4) for cell in (1, 6, 8, 13)]
        return sum(one.confusions for one in found), [one.value for one in found]

    assert errors(10)[0] > errors(18)[0] > errors(64)[0] == 0
    assert errors(10)[1] == errors(18)[1] == errors(64)[1]  # checked
    assert errors(10, checks=False)[1] != errors(64)[1]


def test_a_pass_proves_no_win_that_is_not_there() -> None:
    """An extra stone never hurts in Hex, so that who wins after a pass wins without one."""
    rng, searcher, decided = Random("null move"), Kernel(5, 4, memory=1 << 22), 0
    for _ in range(60):
        setup = random_setup(rng, 5, 4, empty=rng.randint(8, 14))
        if any(terminal("checkmate", 5, 4, setup.black, setup.white, color) is not None for color in Color):
            continue
        to_move = rng.randrange(2)
        found = Search(5, 4, pvs=True, null_move=2).search(setup.black, setup.white, to_move, 5)
        if abs(found.value) > MATE // 2:
            decided += 1
            assert (searcher.winner(setup.black, setup.white, to_move).winner == to_move) == (found.value > 0)
    assert decided > 10
