"""Connection Utility Search before the judge, and the figures of its paper that come out to the node."""

from random import Random

import oracle
import pytest
from positions import random_setup

from solver.kernel import Kernel
from solver.papers import connection_utility, pattern_reuse
from solver.papers.utility_studies import REUSED, SEARCHES, TABLE_1, solved

TERMINALS = [pattern_reuse.CONNECTION, pattern_reuse.CHECKMATE, pattern_reuse.CHECKMATE_AHEAD]
ORDERS = [pattern_reuse.UTILITIES, pattern_reuse.POTENTIALS, pattern_reuse.POTENTIALS_ALONE, pattern_reuse.REGIONS]


def test_pattern_search_takes_the_nodes_of_the_paper() -> None:
    """9,613 for 3x3: every first move, the cells row by row. (790,811,318 for 4x4 is in the study.)"""
    assert solved("pattern search", 3, "cells, row by row", every_move=True) == TABLE_1["pattern search", 3]


def test_utilities_save_most_of_them() -> None:
    assert solved("connection utility search", 3, "cells, row by row", every_move=True) < TABLE_1["pattern search", 3] / 2
    assert solved("alpha-beta", 3, "cells, row by row", every_move=True) > TABLE_1["pattern search", 3]


@pytest.mark.parametrize("order", range(3))
@pytest.mark.parametrize("search", SEARCHES)
def test_winners_and_carriers(search: str, order: int) -> None:
    rng = Random(f"{search} {order}")
    for _ in range(30):
        setup = random_setup(rng, *rng.choice([(3, 3), (4, 3), (3, 4), (4, 4)]), empty=rng.randint(3, 8))
        to_move = rng.randrange(2)
        searcher = connection_utility.Search(setup.columns, setup.rows, order=order, **SEARCHES[search])
        found = searcher.solve(setup.black, setup.white, to_move)
        assert found.finished and "BW"[found.winner] == oracle.winner(setup.board, "BW"[to_move]), (setup.board, to_move)
        outside = ~(setup.black | setup.white | found.carrier) & (1 << setup.columns * setup.rows) - 1
        stones = [setup.black, setup.white]
        stones[1 - found.winner] |= outside
        assert Kernel(setup.columns, setup.rows, memory=1 << 22).winner(*stones, to_move).winner == found.winner


def test_a_limit_leaves_nothing_known() -> None:
    searcher = connection_utility.Search(4, 4)
    assert not searcher.solve(0, 0, 0, limit=1000).finished
    assert not pattern_reuse.Search(4, 4).solve(0, 0, 0, limit=20).finished


@pytest.mark.parametrize("terminal", [*TERMINALS, pattern_reuse.DEDUCED])
@pytest.mark.parametrize("order", ORDERS)
def test_patterns_decide_later_positions_as_the_kernel_does(terminal: int, order: int) -> None:
    """One table serves all positions; every pattern that it hands out holds when the loser has all other cells."""
    rng, size = Random(f"reuse {terminal} {order}"), (5, 4)
    searcher, kernel = pattern_reuse.Search(*size, terminal=terminal, order=order), Kernel(*size, memory=1 << 24)
    for _ in range(60):
        setup = random_setup(rng, *size, empty=rng.randint(5, 18))
        to_move = rng.randrange(2)
        found = searcher.solve(setup.black, setup.white, to_move)
        assert found.finished and found.winner == kernel.winner(setup.black, setup.white, to_move).winner
        own = (setup.black, setup.white)[found.winner]
        assert found.support & ~own == 0
        least = [0, 0]
        least[found.winner] = found.support
        least[1 - found.winner] = (1 << 20) - 1 & ~(found.support | found.carrier)
        assert kernel.winner(*least, to_move).winner == found.winner, setup.board


@pytest.mark.parametrize("n", [3, 4, 5])
def test_patterns_save_nodes(n: int) -> None:
    ends = [pattern_reuse.Search(n, n, terminal=terminal).solve(0, 0, 0) for terminal in TERMINALS]
    connection, checkmate, ahead = (found.nodes for found in ends)
    assert all(found.winner == 0 for found in ends) and connection > checkmate > ahead


def test_images_save_nodes() -> None:
    assert pattern_reuse.Search(5, 5).solve(0, 0, 0).nodes < pattern_reuse.Search(5, 5, images=False).solve(0, 0, 0).nodes


@pytest.mark.parametrize(("n", "terminal"), [(5, pattern_reuse.CHECKMATE_AHEAD), (6, pattern_reuse.DEDUCED)])
def test_few_replies_first_needs_fewer_nodes_than_the_paper(n: int, terminal: int) -> None:
    found = pattern_reuse.Search(n, n, terminal=terminal, order=pattern_reuse.REGIONS).solve(0, 0, 0, limit=REUSED[n])
    assert found.finished and found.winner == 0


def test_the_index_tells_patterns_of_all_blocks() -> None:
    """After thousands of patterns, positions that were solved are still decided by the table alone."""
    searcher = pattern_reuse.Search(5, 5)
    assert searcher.solve(0, 0, 0).patterns > 4096
    assert searcher.solve(0, 0, 0).nodes == 0
