"""The kernel's two terminals before the judge, on boards of every shape."""

from random import Random

import oracle
import pytest
from positions import Setup, bits, bridge_lattice, from_board, random_setup, starved_lattice

from solver import kernel

SIZES = [(1, 1), (1, 8), (8, 1), (2, 2), (2, 7), (7, 2), (3, 3), (4, 4), (3, 6), (6, 4), (5, 5), (6, 6), (7, 7), (7, 8), (8, 7), (8, 8)]
LONG = [(2, 32), (32, 2), (1, 64), (64, 1), (4, 16), (21, 3)]


def agrees(setup: Setup) -> None:
    """Compares both terminals of both players with the judge, and checks every carrier that comes back."""
    for player in range(2):
        assert kernel.terminal("connection", *setup, player) == (0 if oracle.connection(setup.board, "BW"[player]) else None), setup.board
        carrier = kernel.terminal("checkmate", *setup, player)
        assert (carrier is not None) == oracle.checkmate(setup.board, "BW"[player]), (setup.board, player)
        if carrier is not None:
            assert carrier & ~setup.empty == 0, (setup.board, player, carrier)
            assert carrier.bit_count() % 2 == 0, (setup.board, player, carrier)
            alone = setup.put(setup.empty & ~carrier, 1 - player)
            assert oracle.checkmate(alone.board, "BW"[player]), (setup.board, player, carrier)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_random_positions(size: tuple[int, int]) -> None:
    rng = Random(f"terminal {size}")
    for _ in range(120):
        agrees(random_setup(rng, *size, empty=rng.randint(0, size[0] * size[1])))


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_boards_full_of_overlapping_bridges(size: tuple[int, int]) -> None:
    rng = Random(f"lattice {size}")
    for _ in range(120):
        setup, _ = bridge_lattice(rng, *size)
        agrees(setup)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_links_that_must_share_cells(size: tuple[int, int]) -> None:
    """On the larger boards more than half of these chains need a cell for two links."""
    rng = Random(f"starved {size}")
    for _ in range(40):
        agrees(starved_lattice(rng, *size, missing=0)[0])


@pytest.mark.parametrize("size", LONG, ids=str)
def test_long_boards(size: tuple[int, int]) -> None:
    rng = Random(f"long {size}")
    for _ in range(40):
        agrees(random_setup(rng, *size, empty=rng.randint(0, size[0] * size[1])))
        agrees(bridge_lattice(rng, *size)[0])


@pytest.mark.parametrize("size", [(5, 5), (6, 4), (8, 8)], ids=str)
def test_an_intrusion_into_the_carrier_can_be_answered_within_it(size: tuple[int, int]) -> None:
    rng = Random(f"intrusion {size}")
    for _ in range(40):
        setup, player = bridge_lattice(rng, *size)
        carrier = kernel.terminal("checkmate", *setup, player)
        for intrusion in bits(carrier or 0):
            alone = setup.put(setup.empty & ~carrier | 1 << intrusion, 1 - player)
            replies = (alone.put(1 << cell, player) for cell in bits(alone.empty))
            assert any(oracle.checkmate(reply.board, "BW"[player]) for reply in replies), (setup.board, intrusion)


def test_overlapping_two_bridges_are_no_chain() -> None:
    """The trap: stones on three alternate neighbours of c3, an opposing stone between two of them."""
    cut = from_board((".....", "..B..", ".W.B.", ".B...", "....."))
    assert kernel.terminal("checkmate", *cut, 0) is None
    assert kernel.terminal("checkmate", *cut._replace(white=0), 0) is not None


def test_every_setup_of_two_by_three_and_three_by_two() -> None:
    for columns, rows in [(3, 2), (2, 3)]:
        for black in range(64):
            for white in range(64):
                if not black & white:
                    agrees(Setup(columns, rows, black, white))
