"""H-search before a plain closure of its rules and before play, circuits before Kirchhoff's equations, and Hexy's search."""

from functools import lru_cache
from itertools import combinations
from random import Random

import numpy as np
import oracle
import pytest
from positions import BLACK, WHITE, Setup, bits, from_board, opening, quiet_setup, random_setup

from solver import kernel
from solver.papers.hsearch import Deduction

Carriers = set[frozenset[int]]


def minimal(carriers: Carriers) -> Carriers:
    return {one for one in carriers if not any(other < one for other in carriers)}


def alternatives(ways: Carriers) -> Carriers:
    """The unions of all sets of ways that have no cell in common: a way more at a time, without what another set is better than."""
    sets: set[tuple[frozenset[int], frozenset[int]]] = set()  # what some ways have in common, and all they need
    for way in ways:
        sets |= {(common & way, needed | way) for common, needed in sets} | {(way, way)}
        sets = {one for one in sets if not any(other != one and other[0] <= one[0] and other[1] <= one[1] for other in sets)}
    return {needed for common, needed in sets if not common}


class Plain:
    """Section 5 of the paper as it stands: all connections, any number of ways in an OR, nothing dropped but what contains another."""

    def __init__(self, setup: Setup, player: int) -> None:
        board, colour = setup.board, "BW"[player]
        own, empty = oracle.cells(board, colour), oracle.cells(board, ".")
        number = {cell: cell[0] * setup.columns + cell[1] for cell in own | empty}
        self.groups: list[set[tuple[int, int]]] = [set(oracle.joined(board, own, edge)) for edge in oracle.edges(board, colour)]
        self.groups += [set(group) for group in oracle.groups(board, colour) if not any(group & edge for edge in self.groups)]
        shores = [{cell for cell in empty if oracle.neighbours(board, cell) & group} for group in self.groups]
        for end, edge in enumerate(oracle.edges(board, colour)):
            shores[end] |= edge & empty
        self.points: list[int] = [-1, -2]
        self.points += [min(number[cell] for cell in group) for group in self.groups[2:]] + [number[cell] for cell in empty]
        self.empty = {number[cell] for cell in empty}
        self.known: dict[frozenset[int], Carriers] = {frozenset(pair): set() for pair in combinations(self.points, 2)}
        for name, shore in zip(self.points, shores):
            for cell in shore:
                self.known[frozenset((name, number[cell]))] = {frozenset()}
        for one, two in combinations(empty, 2):
            if one in oracle.neighbours(board, two):
                self.known[frozenset((number[one], number[two]))] = {frozenset()}
        if self.groups[0] & self.groups[1]:
            self.known[frozenset((-1, -2))] = {frozenset()}

    def iterate(self) -> bool:
        """One more generation; False if there is none."""
        before, found = self.known, {}
        for pair in before:
            x, y = pair
            sure, ways = set(before[pair]), set()
            for u in self.points:
                if u in pair:
                    continue
                for a in before[frozenset((x, u))]:
                    for b in before[frozenset((u, y))]:
                        if not a & b and y not in a and x not in b:
                            (ways if u in self.empty else sure).add(a | b | ({u} & self.empty))
            found[pair] = minimal(sure | alternatives(minimal(ways)))
        self.known = found
        return found != before


SMALL = [opening("3x3", "a2"), opening("3x3", "b2"), from_board(("..", "..")), from_board(("W.B.", "....")), from_board(("...", ".W.", "B.."))]


@pytest.mark.parametrize("setup", SMALL, ids=lambda setup: "/".join(setup.board))
@pytest.mark.parametrize("player", [BLACK, WHITE])
def test_deduction_is_the_closure_of_and_and_or(setup: Setup, player: int) -> None:
    plain = Plain(setup, player)
    while plain.iterate():
        pass
    deduction = Deduction(setup.columns, setup.rows, most=200, widest=64)
    deduction.deduce(setup.black, setup.white, player)
    assert not deduction.limited
    for one, two in combinations(plain.points, 2):
        found = {frozenset(bits(cells)) for cells in deduction.carriers(one, two)}
        assert found == plain.known[frozenset((one, two))], (one, two)


def test_the_first_iteration_finds_two_bridges() -> None:
    """Hexy(1) of section 6."""
    setup = from_board((".....", "..B..", ".....", ".B...", "....."))
    deduction = Deduction(5, 5)
    deduction.deduce(setup.black, setup.white, BLACK, 0)
    assert deduction.carriers(7, 16) == [] and deduction.carriers(7, 8) == [0]
    deduction.deduce(setup.black, setup.white, BLACK, 1)
    assert deduction.carriers(7, 16) == [1 << 11 | 1 << 12]
    assert deduction.carriers(7, -1) == [1 << 2 | 1 << 3] and not deduction.wins()
    deduction.deduce(setup.black, setup.white, BLACK)
    assert deduction.wins()


def test_a_connection_that_and_and_or_cannot_prove() -> None:
    """The rules are not complete (figure 8, here as the smallest case there is): Black, who needs three stones in a row where White
    needs four, wins here although White has one and moves, but no number of deductions shows it."""
    setup = from_board(("....", "W...", "...."))
    assert oracle.winner(setup.board, "W") == "B"
    plain = Plain(setup, BLACK)
    while plain.iterate():
        pass
    assert plain.known[frozenset((-1, -2))] == set()
    deduction = Deduction(4, 3, most=200, widest=64)
    deduction.deduce(setup.black, setup.white, BLACK)
    assert not deduction.wins() and not deduction.limited


def joins(setup: Setup, player: int, one: int, two: int, cells: int) -> bool:
    """Whether the player joins two points within the empty `cells`, the opponent moving first; the points count as its stones."""
    edges = oracle.edges(setup.board, "BW"[player])
    starts, goals = (edges[-1 - point] if point < 0 else frozenset({divmod(point, setup.columns)}) for point in (one, two))

    @lru_cache(maxsize=None)
    def safe(free: int, taken: int) -> bool:
        owned = {divmod(cell, setup.columns) for cell in bits(taken | setup[2 + player])} | {
            divmod(point, setup.columns) for point in (one, two) if point >= 0
        }
        stones, reached = frozenset(owned), starts
        while (grown := reached.union(oracle.joined(setup.board, stones, reached), *(edge for edge in edges if edge & stones & reached))) != reached:
            reached = grown  # an edge joins what touches it
        if reached & goals & (stones | goals if two >= 0 else stones):
            return True
        return bool(free) and all(
            any(safe(free & ~(1 << hit | 1 << answer), taken | 1 << answer) for answer in bits(free & ~(1 << hit))) for hit in bits(free)
        )

    return safe(cells, 0)


def test_every_connection_holds() -> None:
    rng = Random("connections hold")
    checked = 0
    while checked < 150:
        setup, player = random_setup(rng, 4, 4, empty=rng.randint(5, 12)), rng.randrange(2)
        deduction = Deduction(4, 4, most=6)
        deduction.deduce(setup.black, setup.white, player)
        cells = bits(setup.empty | setup[2 + player])
        one, two = rng.choice([(-1, -2), (rng.choice(cells), -1), tuple(rng.sample(cells, 2))]) if len(cells) > 1 else (-1, -2)
        for carrier in deduction.carriers(one, two):
            if carrier.bit_count() <= 8:
                assert joins(setup, player, one, two, carrier), (setup.board, player, one, two, carrier)
                checked += 1


def test_virtual_wins_are_wins() -> None:
    rng = Random("virtual wins")
    searcher, deduction, won = kernel.Kernel(5, 5, memory=1 << 24), Deduction(5, 5, most=8), 0
    for _ in range(60):
        setup = random_setup(rng, 5, 5, empty=rng.randint(12, 23))
        for player in (BLACK, WHITE):
            deduction.deduce(setup.black, setup.white, player)
            if deduction.wins():
                assert searcher.winner(setup.black, setup.white, 1 - player).winner == player, (setup.board, player)
                won += 1
    assert won > 20


scipy = pytest.importorskip("scipy", reason="circuits need the extra hexbook[papers]")

from solver.papers.hexy import WON, Hexy, circuit, solved  # noqa: E402
from solver.position import Color, Position, Size  # noqa: E402


def resistance(setup: Setup, player: int) -> float:
    deduction = Deduction(setup.columns, setup.rows)
    deduction.deduce(setup.black, setup.white, player, 0)
    return circuit(deduction).resistance


def test_resistances_worked_out_by_hand() -> None:
    """A cell of resistance 1 is met from both sides, so that a row of n empty cells has 2 n; an edge is a conductor."""
    assert resistance(from_board((".",)), BLACK) == pytest.approx(2)
    assert resistance(from_board((".", ".", ".")), BLACK) == pytest.approx(6)
    assert resistance(from_board((".", "B", ".")), BLACK) == pytest.approx(4)
    assert resistance(from_board(("..", "..")), BLACK) == pytest.approx(12 / 7)  # voltages 3/4, 2/3 above 1/3, 1/4
    assert resistance(from_board((".", "W", ".")), BLACK) == float("inf")
    assert resistance(from_board(("B", "B")), BLACK) == 0


def test_circuits_obey_kirchhoff() -> None:
    rng = Random("circuits")
    for _ in range(30):
        setup, player = quiet_setup(rng, 5, 4, empty=rng.randint(8, 18)), rng.randrange(2)
        deduction = Deduction(5, 4, most=5)
        deduction.deduce(setup.black, setup.white, player, rng.choice((0, 1, 99)))
        ones, others, conductances, cells = deduction.links()
        laplacian = np.zeros((len(cells), len(cells)))
        for one, other, conductance in zip(ones, others, conductances):
            laplacian[[one, other], [one, other]] += conductance
            laplacian[[one, other], [other, one]] -= conductance
        inverse = np.linalg.pinv(laplacian)
        found = solved(ones, others, conductances, cells)
        if found.resistance < float("inf"):
            assert found.resistance == pytest.approx(inverse[0, 0] + inverse[1, 1] - 2 * inverse[0, 1])


def test_a_virtual_connection_lends_its_neighbours() -> None:
    """Section 4: with the two-bridge between the stones, each cell next to one of them is next to the other."""
    setup = from_board(("....", ".B..", "....", "B...", "...."))
    without, with_bridges = Deduction(4, 5), Deduction(4, 5)
    without.deduce(setup.black, setup.white, BLACK, 0)
    with_bridges.deduce(setup.black, setup.white, BLACK, 1)
    assert without.carriers(5, 12) == [] and with_bridges.carriers(5, 12) != []
    assert len(with_bridges.links()[0]) > len(without.links()[0])
    assert circuit(with_bridges).resistance < circuit(without).resistance


def minimax(hexy: Hexy, position: Position, depth: int) -> float:
    value = hexy.evaluate(position).value * (1 if position.to_move == Color.BLACK else -1)
    if abs(value) == WON:
        return value + (depth if value > 0 else -depth)
    return max(-minimax(hexy, position.play(cell), depth - 1) for cell in position.legal()) if depth else value


def test_hexy_plays_the_move_of_minimax() -> None:
    rng = Random("hexy")
    hexy = Hexy(Size(4, 3), most=4, depth=2, width=64)
    for _ in range(4):
        setup = quiet_setup(rng, 4, 3, empty=7)
        position = Position(Size(4, 3), setup.black, setup.white, rng.choice(list(Color)))
        if abs(hexy.evaluate(position).value) == WON:
            continue
        values = {cell: -minimax(hexy, position.play(cell), 1) for cell in position.legal()}
        assert values[hexy.move(position)] == pytest.approx(max(values.values()))


def test_hexy_wins_what_it_can_on_a_small_board() -> None:
    size = Size(4, 4)
    hexy = Hexy(size, depth=2)
    position = Position.start(size)
    while abs(hexy.evaluate(position).value) != WON:
        position = position.play(hexy.move(position))
    searcher = kernel.Kernel(4, 4, memory=1 << 22)
    expected = Color.BLACK if hexy.evaluate(position).value > 0 else Color.WHITE
    assert searcher.winner(position.black, position.white, position.to_move).winner == expected == Color.BLACK
