"""Positions for the tests: from masks to the judge's boards and back, random ones from a seed, and the data files."""

import csv
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import NamedTuple

import oracle
from hypothesis import settings
from hypothesis import strategies as st

BLACK, WHITE = 0, 1

deterministic = settings(max_examples=120, derandomize=True, deadline=None, database=None)


class Setup(NamedTuple):
    """Stones on a board as the kernel takes them: cell (row r, column c) is bit r * columns + c of a mask."""

    columns: int
    rows: int
    black: int = 0
    white: int = 0

    @property
    def full(self) -> int:
        return (1 << self.columns * self.rows) - 1

    @property
    def empty(self) -> int:
        return self.full & ~(self.black | self.white)

    @property
    def board(self) -> oracle.Board:
        """The same stones as the judge sees them."""
        content = "".join(
            "B" if self.black >> cell & 1 else "W" if self.white >> cell & 1 else "."
            for cell in range(self.columns * self.rows)
        )
        return tuple(content[start : start + self.columns] for start in range(0, len(content), self.columns))

    def put(self, mask: int, player: int) -> "Setup":
        """The setup with the player's stones on the (empty) cells of a mask."""
        assert mask & ~self.empty == 0, f"no room for {mask:#x} on {self.board}"
        return self._replace(black=self.black | mask) if player == BLACK else self._replace(white=self.white | mask)

    def rotated(self) -> "Setup":
        """The board turned by 180 degrees: the colours stay."""
        return from_board(tuple(row[::-1] for row in reversed(self.board)))

    def reflected(self) -> "Setup":
        """The board mirrored in the long diagonal: rows become columns and the colours change places."""
        change = str.maketrans("BW", "WB")
        return from_board(tuple("".join(column).translate(change) for column in zip(*self.board)))


def from_board(board: oracle.Board) -> Setup:
    """The masks of a board given as row strings.

    >>> from_board(("..B", ".W."))
    Setup(columns=3, rows=2, black=4, white=16)
    """
    content = "".join(board)
    black, white = (sum(1 << cell for cell, here in enumerate(content) if here == player) for player in "BW")
    return Setup(len(board[0]), len(board), black, white)


def bits(mask: int) -> list[int]:
    """The cells of a mask.

    >>> bits(0b1010)
    [1, 3]
    """
    return [cell for cell in range(mask.bit_length()) if mask >> cell & 1]


def opening(size: str, cell: str) -> Setup:
    """The board after Black's first stone, e.g. `opening("3x2", "c1")`: 3 columns, 2 rows."""
    columns, rows = map(int, size.split("x"))
    return Setup(columns, rows).put(1 << (int(cell[1:]) - 1) * columns + ord(cell[0]) - ord("a"), BLACK)


def read_data(name: str) -> list[dict[str, str]]:
    """The rows of a file in tests/data."""
    with (Path(__file__).parent / "data" / name).open(newline="") as file:
        return list(csv.DictReader(file))


def alternating(columns: int, rows: int) -> Iterator[tuple[Setup, int]]:
    """Every position with its side to move that alternating play can reach when Black begins."""
    cells = range(columns * rows)
    for count in range(len(cells) + 1):
        for occupied in combinations(cells, count):
            for black in combinations(occupied, (count + 1) // 2):
                stones = [sum(1 << cell for cell in group) for group in (black, set(occupied) - set(black))]
                yield Setup(columns, rows, *stones), count % 2


def random_setup(rng: Random, columns: int, rows: int, empty: int) -> Setup:
    """Stones anywhere but on `empty` cells, in any proportion of the colours."""
    cells = rng.sample(range(columns * rows), columns * rows - empty)
    share = rng.choice((0.35, 0.5, 0.5, 0.65))
    setup = Setup(columns, rows)
    for cell in cells:
        setup = setup.put(1 << cell, BLACK if rng.random() < share else WHITE)
    return setup


def quiet_setup(rng: Random, columns: int, rows: int, empty: int) -> Setup:
    """A random setup without a checkmate; where one is found soon, not even a single stone can give one."""
    quiet = None
    for _ in range(12):
        setup = random_setup(rng, columns, rows, empty)
        if any(oracle.checkmate(setup.board, player) for player in "BW"):
            continue
        quiet = setup
        nexts = (setup.put(1 << cell, player) for player in (BLACK, WHITE) for cell in bits(setup.empty))
        if not any(oracle.checkmate(after.board, player) for after in nexts for player in "BW"):
            break
    return quiet or setup


def bridge_lattice(rng: Random, columns: int, rows: int) -> tuple[Setup, int]:
    """A board full of overlapping two-bridges of one player, and that player.

    The cells whose row minus column leaves the same rest by 3 are two-bridges apart in all six directions. Most of
    them get a stone of the player, and a few of the cells between them stones of either side.
    """
    player, rest = rng.randrange(2), rng.randrange(3)
    own, others = rng.uniform(0.6, 1.0), rng.uniform(0.0, 0.3)
    setup = Setup(columns, rows)
    for cell in range(columns * rows):
        row, column = divmod(cell, columns)
        if (row - column) % 3 == rest:
            if rng.random() < own:
                setup = setup.put(1 << cell, player)
        elif rng.random() < others:
            setup = setup.put(1 << cell, player if rng.random() < 0.2 else 1 - player)
    return setup, player


def linked(setup: Setup, player: int) -> bool:
    """Do the player's groups join its edges over links that may share cells?"""
    board = setup.board
    start, finish = oracle.edges(board, "BW"[player])
    others = oracle.groups(board, "BW"[player])
    reached = fresh = {group for group in others if any(True for _ in oracle.edge_links(board, group, start))}
    while fresh:
        others = others - fresh
        fresh = {group for group in others for one in fresh if any(True for _ in oracle.group_links(board, one, group))}
        reached = reached | fresh
    return any(any(True for _ in oracle.edge_links(board, group, finish)) for group in reached)


def starved_lattice(rng: Random, columns: int, rows: int, missing: int) -> tuple[Setup, int]:
    """A bridge lattice in which only a few empty cells are left, and its player.

    Opposing stones fill all that the lattice does not need to be linked from edge to edge when two-bridges may share
    cells, which makes no checkmate if they must. Then `missing` stones of the player are taken from the board.
    """
    for _ in range(20):
        setup, player = bridge_lattice(rng, columns, rows)
        if linked(setup, player):
            break
    for cell in rng.sample(bits(setup.empty), setup.empty.bit_count()):
        starved = setup.put(1 << cell, 1 - player)
        if linked(starved, player):
            setup = starved
    for cell in rng.sample(bits(setup[2 + player]), min(missing, setup[2 + player].bit_count())):
        setup = setup._replace(black=setup.black & ~(1 << cell), white=setup.white & ~(1 << cell))
    return setup, player


@st.composite
def drawn_setups(draw: st.DrawFn) -> Setup:
    """Any stones on a board of up to 5x5 with at most 16 empty cells."""
    columns, rows = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    contents = draw(st.lists(st.sampled_from(".BW."), min_size=columns * rows, max_size=columns * rows))
    while contents.count(".") > 16:
        contents[contents.index(".")] = draw(st.sampled_from("BW"))
    return from_board(tuple("".join(contents[start : start + columns]) for start in range(0, columns * rows, columns)))
