"""Queenbee's search before a plain minimax and before the judge, its styles, and matches between them."""

from random import Random

import oracle
import pytest
from positions import BLACK, WHITE, Setup, quiet_setup

from solver.papers.matches import Score, match, queenbee
from solver.papers.queenbee import Search
from solver.papers.styles import FULL_WIDTH, ONE_PLY, STYLES
from solver.papers.two_distance import assess
from solver.position import Position, Size

MATE = 1_000_000
ALL = 10**9


def minimax(setup: Setup, mover: int, plies: int) -> int:
    """The value for the mover of a search of fixed depth without any cut."""
    if oracle.checkmate(setup.board, "BW"[1 - mover]):
        return (setup.full ^ setup.empty).bit_count() - MATE
    if plies == 0:
        return assess(*setup)[0] * (1 if mover == WHITE else -1)
    cells = [cell for cell in range(setup.columns * setup.rows) if setup.empty >> cell & 1]
    return max(-minimax(setup.put(1 << cell, mover), 1 - mover, plies - 1) for cell in cells)


@pytest.mark.parametrize(("style", "plies"), [(FULL_WIDTH, 1), (FULL_WIDTH, 3), ("defensive", 2), ("defensive", 4)])
def test_full_width_search_has_the_value_of_minimax(style: str, plies: int) -> None:
    rng = Random(f"minimax {style} {plies}")
    for _ in range(15):
        setup, mover = quiet_setup(rng, 4, 3, empty=rng.randint(5, 7)), rng.randrange(2)
        if any(oracle.checkmate(setup.board, player) for player in "BW"):
            continue
        found = STYLES[style].search(Size(4, 3)).search(setup.black, setup.white, mover, ALL, plies=plies)
        expected = minimax(setup, mover, min(found.plies, plies))
        assert found.value == expected, (setup.board, mover)


@pytest.mark.parametrize("style", [FULL_WIDTH, "defensive", "null move", "without reversible moves"])
def test_searches_that_drop_no_move_find_winner_and_length(style: str) -> None:
    rng = Random(f"exact {style}")
    search = STYLES[style].search(Size(4, 3))
    for _ in range(20):
        setup, mover = quiet_setup(rng, 4, 3, empty=rng.randint(6, 9)), rng.randrange(2)
        if any(oracle.checkmate(setup.board, player) for player in "BW"):
            continue
        found = search.search(setup.black, setup.white, mover, ALL)
        assert found.won == (oracle.winner(setup.board, "BW"[mover]) == "BW"[mover]), setup.board
        if style in (FULL_WIDTH, "defensive"):
            assert found.length == oracle.length(setup.board, "BW"[mover], "checkmate"), setup.board


def test_weights_of_half_a_ply_search_twice_as_deep() -> None:
    start = Size(5, 5)
    fixed = Search(5, 5, weights=ONE_PLY).search(1 << 6, 1 << 13, BLACK, ALL, plies=3)
    halves = Search(5, 5, weights=[5] * 13).search(1 << 6, 1 << 13, BLACK, ALL, plies=1)
    assert (fixed.value, fixed.plies) == (halves.value, 3) and halves.plies == 1 and start.square


@pytest.mark.parametrize("style", STYLES)
def test_every_style_keeps_to_its_nodes_and_plays_legal_moves(style: str) -> None:
    search = STYLES[style].search(Size(6, 6))
    position = Position.start(Size(6, 6)).play(8)
    for nodes in (1, 300, 3000):
        found = search.search(position.black, position.white, position.to_move, nodes)
        assert found.nodes <= max(nodes, 100)
        assert found.move in position.legal()
    assert found == search.search(position.black, position.white, position.to_move, 3000), "a search must not remember the one before"
    others = search.search(position.black, position.white, position.to_move, 3000, excluded=1 << found.move)
    assert others.move != found.move


def test_styles_differ_from_each_other() -> None:
    """A setting that changes nothing would be a setting that is not obeyed."""
    position = Position.start(Size(6, 6)).play(8).play(13).play(21)
    deep = [style for style in STYLES if STYLES[style].settings.get("step") is None or style == "reductions"]
    found = {
        style: STYLES[style].search(Size(6, 6)).search(position.black, position.white, position.to_move, ALL, plies=5) for style in deep
    }
    assert len({answer.nodes for answer in found.values()}) == len(deep) > 10
    assert found["beam of 5"].nodes < found["beam of 10"].nodes < found[FULL_WIDTH].nodes
    assert found["reductions"].nodes < found[FULL_WIDTH].nodes


def test_a_match_is_fair_and_repeatable() -> None:
    size = Size(5, 5)
    full, beam = (queenbee(size, STYLES[style], 300) for style in (FULL_WIDTH, "beam of 5"))
    assert match(size, full, full) == Score(0, 13, 0)
    there, back = match(size, full, beam), match(size, beam, full)
    assert there == Score(*reversed(back)) and sum(there) == 13


def test_scores() -> None:
    assert Score(3, 14, 8).of_all == 0.4 and Score(3, 14, 8).of_decided == 3 / 11
    assert Score(0, 2, 0).of_decided is None
