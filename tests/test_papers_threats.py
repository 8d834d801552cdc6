"""Pattern search before the judge and the kernel: winners, and patterns that hold when the loser has every other cell."""

from random import Random

import oracle
import pytest
from positions import from_board, random_setup

from solver import kernel
from solver.notation import parse_moves
from solver.papers.threats import PatternSearch, Proof
from solver.position import Color, Position, Size

RULES = [
    {},
    {"bridges": True},
    {"bridges": True, "reversible": True},
    {"bridges": True, "decomposition": True},
    {"bridges": True, "reversible": True, "decomposition": True},
]


def winner(position: Position) -> int:
    searcher = kernel.Kernel(position.size.columns, position.size.rows, memory=1 << 22)
    return searcher.winner(position.black, position.white, position.to_move).winner


def worst(position: Position, proof: Proof) -> Position:
    """The position with all cells outside the pattern given to the loser."""
    outside = position.empty & ~proof.pattern
    black, white = (outside if proof.winner != color else 0 for color in Color)
    return Position(position.size, position.black | black, position.white | white, position.to_move)


def of(rows: tuple[str, ...], to_move: Color) -> Position:
    setup = from_board(rows)
    return Position(Size(setup.columns, setup.rows), setup.black, setup.white, to_move)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: " ".join(rules) or "plain")
def test_winners_and_patterns(rules: dict[str, bool]) -> None:
    rng = Random(f"patterns {sorted(rules)}")
    for _ in range(40):
        columns, rows = rng.choice([(3, 4), (4, 4), (5, 4)])
        setup = random_setup(rng, columns, rows, empty=rng.randint(4, 8))
        position = Position(Size(columns, rows), setup.black, setup.white, rng.choice(list(Color)))
        proof = PatternSearch(**rules).prove(position)
        assert proof.pattern & ~position.empty == 0
        assert "BW"[proof.winner] == oracle.winner(setup.board, "BW"[position.to_move]), (setup.board, position.to_move)
        assert winner(worst(position, proof)) == proof.winner, (setup.board, position.to_move, proof)


def won_in_ten_plies() -> Position:
    """A position like figure 8.1-I of the thesis: a third-row stone, a two-bridge and an edge bridge, ten plies to the connection."""
    size = Size(7, 7)
    black, white = (sum(1 << cell for cell in parse_moves(size, moves)) for moves in ("d2 c4 c5", "e4 f3"))
    return Position(size, black, white, Color.WHITE)


def test_each_rule_saves_nodes_on_the_example() -> None:
    searches = [PatternSearch(**rules) for rules in (RULES[1], RULES[2], RULES[4])]
    proofs = [search.prove(won_in_ten_plies()) for search in searches]
    assert {proof.winner for proof in proofs} == {Color.BLACK}
    assert {proof.pattern.bit_count() for proof in proofs} == {12}
    bridges, reversible, decomposed = (search.nodes for search in searches)
    assert bridges > 3 * reversible > 9 * decomposed


def test_regions_that_need_each_other_are_not_taken_apart() -> None:
    """As printed, disjoint patterns of the regions prove a win for White, who loses."""
    position = of(("BBBBW.", ".....B", "BBWB..", "B.WW..", "WWWB.B"), Color.BLACK)
    assert winner(position) == Color.BLACK
    assert PatternSearch(bridges=True, decomposition=True, careful=False).prove(position).winner == Color.WHITE
    assert PatternSearch(bridges=True, decomposition=True).prove(position).winner == Color.BLACK


def test_reversible_moves_are_so_where_the_pattern_is_all_that_is_left() -> None:
    """As printed, the pattern is too small to win with."""
    position = of(("W.BW", "W...", "B.BB", "W..W"), Color.WHITE)
    printed = PatternSearch(bridges=True, reversible=True, careful=False).prove(position)
    assert winner(worst(position, printed)) != printed.winner
    proved = PatternSearch(bridges=True, reversible=True).prove(position)
    assert winner(worst(position, proved)) == proved.winner == printed.winner
