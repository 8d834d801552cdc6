"""Two-distances, potentials and edge patterns before plain definitions, and the examples of the thesis (van Rijswijck 2000)."""

from random import Random

import oracle
import pytest
from positions import BLACK, WHITE, Setup, from_board, random_setup

from solver import kernel
from solver.papers.edge_patterns import extended, ghosts
from solver.papers.two_distance import assess, distances, reversible

SIZES = [(1, 4), (2, 2), (3, 3), (4, 3), (5, 5), (6, 7), (8, 8)]


def shores(board: oracle.Board, player: str) -> tuple[list[oracle.Cells], list[oracle.Cells]]:
    """The empty cells next to each edge or what is joined to it, and those next to each other group of the player."""
    empty, own = oracle.cells(board, "."), oracle.cells(board, player)
    by_edge = [
        frozenset(cell for cell in empty if cell in edge or oracle.neighbours(board, cell) & oracle.joined(board, own, edge))
        for edge in oracle.edges(board, player)
    ]
    by_group = [frozenset(cell for cell in empty if oracle.neighbours(board, cell) & group) for group in oracle.groups(board, player)]
    return by_edge, by_group


def neighbourhood(board: oracle.Board, player: str, cell: oracle.Cell) -> oracle.Cells:
    """Section 5.1: the empty cells next to the cell, or joined to it by one group of the player's stones or by an edge."""
    by_edge, by_group = shores(board, player)
    joined = [shore for shore in by_edge + by_group if cell in shore]
    return (oracle.neighbours(board, cell) & oracle.cells(board, ".")).union(*joined) - {cell}


def two_distance(board: oracle.Board, player: str, end: int) -> dict[oracle.Cell, int | None]:
    """Formula 5.1 with z = 2, by repetition until nothing changes."""
    touching = shores(board, player)[0][end]
    near = {cell: neighbourhood(board, player, cell) for cell in oracle.cells(board, ".")}
    found: dict[oracle.Cell, int | None] = {cell: 1 if cell in touching else None for cell in near}
    for k in range(2, len(near) + 2):
        closer = {cell for cell, distance in found.items() if distance is not None and distance < k}
        for cell in near:
            if found[cell] is None and len(near[cell] & closer) >= 2:
                found[cell] = k
    return found


def index(setup: Setup, cell: oracle.Cell) -> int:
    return cell[0] * setup.columns + cell[1]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_distances_and_potentials_follow_their_definitions(size: tuple[int, int]) -> None:
    rng = Random(f"two-distance {size}")
    for _ in range(12 if size[0] < 6 else 2):
        setup = random_setup(rng, *size, empty=rng.randint(1, size[0] * size[1]))
        potentials = []
        for player in (BLACK, WHITE):
            plain = [two_distance(setup.board, "BW"[player], end) for end in range(2)]
            for end in range(2):
                expected = {index(setup, cell): distance for cell, distance in plain[end].items()}
                assert distances(*setup, player, end) == expected, (setup.board, player, end)
            sums = {cell: (plain[0][cell], plain[1][cell]) for cell in plain[0]}
            potentials.append({index(setup, cell): sum(pair) if None not in pair else 200 for cell, pair in sums.items()})
        lowest = [min(potential.values()) for potential in potentials]
        mobility = [list(potential.values()).count(low) for potential, low in zip(potentials, lowest)]
        evaluation, board, attack, totals = assess(*setup)
        assert totals == {cell: potentials[0][cell] + potentials[1][cell] for cell in potentials[0]}
        assert board == tuple(None if low == 200 else low for low in lowest)
        assert attack == tuple(mobility)
        assert evaluation == 100 * (lowest[0] - lowest[1]) - (mobility[0] - mobility[1])


def test_the_distances_that_the_thesis_names() -> None:
    """Figure 5.1: to the lower black edge e4 has distance 7, its best neighbours 5 and 6; e5 has 7 too, over a5 (5) and b5 (6). The
    thesis counts rows from the bottom, which is our first edge."""
    found = distances(5, 5, 0, 0, BLACK, 0)
    named = {name: found[(int(name[1]) - 1) * 5 + "abcde".index(name[0])] for name in ("e4", "e5", "a5", "b5")}
    assert named == {"e4": 7, "e5": 7, "a5": 5, "b5": 6}


def test_two_bridges_stop_the_other_side() -> None:
    """Section 5.3: where Black has a chain of two-bridges, White's board potential is infinite."""
    chain = from_board((".....", "...B.", ".....", "..B..", "....."))
    assert kernel.terminal("checkmate", *chain, BLACK) is not None
    assert assess(*chain)[1][WHITE] is None


def test_an_infinite_board_potential_is_no_proof() -> None:
    """The thesis takes a potential out of reach for a loss. It nearly always is one, but here White, to move, wins."""
    setup = from_board((".W.W.", "WB..B", "B...B", "...WB", "B.W.W"))
    assert assess(*setup)[1][WHITE] is None
    assert kernel.Kernel(5, 5, memory=1 << 24).winner(setup.black, setup.white, WHITE).winner == WHITE


@pytest.mark.parametrize("size", [(3, 3), (4, 4), (5, 4)], ids=str)
def test_reversible_moves_join_nothing_that_an_answer_cannot_part(size: tuple[int, int]) -> None:
    """Section 8.6, with an edge as one more neighbour."""
    rng = Random(f"reversible {size}")
    for _ in range(30):
        setup = random_setup(rng, *size, empty=rng.randint(1, size[0] * size[1]))
        for player in (BLACK, WHITE):
            by_edge, _ = shores(setup.board, "BW"[player])
            near = {cell: neighbourhood(setup.board, "BW"[player], cell) for cell in oracle.cells(setup.board, ".")}

            def joined(one: object, two: object) -> bool:
                if isinstance(one, str) and isinstance(two, str):
                    return False
                if isinstance(one, str):
                    one, two = two, one
                return one in by_edge["xy".index(two)] if isinstance(two, str) else two in near[one]  # type: ignore[index]

            for cell, around in near.items():
                points = [*around, *("xy"[end] for end in range(2) if cell in by_edge[end])]
                missing = [{one, two} for i, one in enumerate(points) for two in points[:i] if not joined(one, two)]
                answers = [point for point in around if all(point in pair for pair in missing)]
                assert bool(reversible(*setup, player) >> index(setup, cell) & 1) == (not missing or bool(answers)), (setup.board, cell)


def test_the_third_row_pattern_anchors_its_stone() -> None:
    alone = from_board((".......", ".......", "...B...", ".......", "......."))
    assert extended(*alone) == ((1 << 17, 1 << 17), (0, 0))
    black, white = ghosts(*alone, BLACK)
    assert white == 0 and black.bit_count() == 3
    for edge in (0, 1):  # either ghost joins the stone to its edge by two-bridges
        half = Setup(7, 5, black, white).put(alone.empty & ~black & sum(1 << c for c in range(35) if (c // 7 > 2) == (edge == 0)), BLACK)
        assert kernel.terminal("checkmate", *half, BLACK) is not None


def test_a_third_row_stone_with_an_intruder_is_not_anchored() -> None:
    alone = from_board((".......", ".......", "...B...", "..W....", "......."))
    assert extended(*alone) == ((1 << 17, 0), (0, 0))
    assert ghosts(*alone, BLACK)[0].bit_count() == 2


@pytest.mark.parametrize("place", range(7))
def test_anchored_stones_are_joined_to_their_edge_whatever_the_opponent_does(place: int) -> None:
    """With all cells above it Black's, an anchored stone wins for Black, White to move; every cell of a pattern is needed for some."""
    row = ["."] * 7
    row[place] = "B"
    setup = from_board(("BBBBBBB", "".join(row), ".......", "......."))
    anchored = extended(*setup)[BLACK][1]
    attacked = setup.put(sum(1 << 7 + c for c in range(7) if c != place and abs(c - place) > 1), WHITE)
    if extended(*attacked)[BLACK][1]:
        assert anchored
        assert kernel.Kernel(7, 4, memory=1 << 24).winner(attacked.black, attacked.white, WHITE).winner == BLACK
