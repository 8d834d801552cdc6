"""The judge: Hex straight from its definitions, slow and obvious, sharing nothing with the solver.

A board is a tuple of row strings from the top, "B" a black stone, "W" a white stone, "." an empty cell:

    c3 on 3x3:   a b c
             1    . . .          ("...",
             2     . . .          "...",
             3      . . B         "..B")

A cell is (row, column), both from 0. Black joins the first row to the last, White the first column
to the last. Nothing is pruned or clever; `any` and `all` stop early, and answers are remembered.

>>> winner(("...", ".B.", "..."), "W"), length(("...", ".B.", "..."), "W", "checkmate")
('B', 0)
"""

from collections.abc import Iterator
from functools import cache, lru_cache

Board = tuple[str, ...]
Cell = tuple[int, int]
Cells = frozenset[Cell]

OTHER = {"B": "W", "W": "B"}

remembered = lru_cache(maxsize=1 << 19)  # of each function some 200 MiB at most


def cells(board: Board, content: str) -> Cells:
    """The cells that hold `content`: "B", "W" or "."."""
    return frozenset((r, c) for r, row in enumerate(board) for c, here in enumerate(row) if here == content)


def play(board: Board, cell: Cell, player: str) -> Board:
    """The board with the player's stone on an empty cell."""
    r, c = cell
    assert board[r][c] == ".", f"{cell} is not empty"
    return board[:r] + (board[r][:c] + player + board[r][c + 1 :],) + board[r + 1 :]


@cache
def around(rows: int, columns: int, cell: Cell) -> Cells:
    r, c = cell
    six = {(r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c), (r - 1, c + 1), (r + 1, c - 1)}
    return frozenset((y, x) for y, x in six if 0 <= y < rows and 0 <= x < columns)


def neighbours(board: Board, cell: Cell) -> Cells:
    """The up to six cells next to a cell."""
    return around(len(board), len(board[0]), cell)


def edges(board: Board, player: str) -> tuple[Cells, Cells]:
    """The cells of the two edge rows that the player wants to join."""
    rows, columns = len(board), len(board[0])
    if player == "B":
        return frozenset((0, c) for c in range(columns)), frozenset((rows - 1, c) for c in range(columns))
    return frozenset((r, 0) for r in range(rows)), frozenset((r, columns - 1) for r in range(rows))


def joined(board: Board, stones: Cells, seeds: Cells) -> Cells:
    """Those of the stones that adjacent stones join to a seed."""
    found = fresh = stones & seeds
    while fresh:
        fresh = frozenset(near for stone in fresh for near in neighbours(board, stone)) & (stones - found)
        found |= fresh
    return found


def connection(board: Board, player: str) -> bool:
    """Do the player's stones really join its edges?"""
    start, finish = edges(board, player)
    return bool(joined(board, cells(board, player), start) & finish)


def groups(board: Board, player: str) -> frozenset[Cells]:
    """The player's stones, divided into groups of adjacent stones."""
    stones = cells(board, player)
    return frozenset(joined(board, stones, frozenset({stone})) for stone in stones)


def edge_links(board: Board, group: Cells, edge: Cells) -> Iterator[Cells]:
    """The carriers of the links between a group and an edge: contact, or two-bridges from the second row."""
    if group & edge:
        yield frozenset()
        return
    for stone in group:
        pair = neighbours(board, stone) & edge
        if len(pair) == 2 and pair <= cells(board, "."):
            yield pair


def group_links(board: Board, one: Cells, two: Cells) -> Iterator[Cells]:
    """The carriers of the two-bridges between two groups: two empty common neighbours of one stone of each."""
    for a in one:
        for b in two:
            pair = neighbours(board, a) & neighbours(board, b)
            if len(pair) == 2 and pair <= cells(board, "."):
                yield pair


@remembered
def checkmate(board: Board, player: str) -> bool:
    """Is there a chain edge - group - ... - group - edge over links with pairwise disjoint carriers?"""
    start, finish = edges(board, player)

    def arrives(group: Cells, used: Cells, others: frozenset[Cells]) -> bool:
        """Can a chain that has come to `group` over the cells `used` go on to the far edge through `others`?"""
        if any(not carrier & used for carrier in edge_links(board, group, finish)):
            return True
        return any(
            arrives(nearby, used | carrier, others - {nearby})
            for nearby in others
            for carrier in group_links(board, group, nearby)
            if not carrier & used
        )

    everything = groups(board, player)
    return any(
        arrives(group, carrier, everything - {group})
        for group in everything
        for carrier in edge_links(board, group, start)
    )


TERMINAL = {"connection": connection, "checkmate": checkmate}


@remembered
def winner(board: Board, to_move: str) -> str:
    """Who connects with perfect play."""
    for player in "BW":
        if connection(board, player):
            return player
    wins = any(winner(play(board, cell, to_move), OTHER[to_move]) == to_move for cell in cells(board, "."))
    return to_move if wins else OTHER[to_move]


@remembered
def within(board: Board, to_move: str, attacker: str, plies: int, metric: str) -> bool:
    """Can `attacker` reach the terminal of `metric` in at most `plies` moves of both, whatever the other plays?"""
    if TERMINAL[metric](board, attacker):
        return True
    moves = cells(board, ".")
    if plies == 0 or not moves:
        return False
    answers = (within(play(board, cell, to_move), OTHER[to_move], attacker, plies - 1, metric) for cell in moves)
    return any(answers) if to_move == attacker else all(answers)


def length(board: Board, to_move: str, metric: str) -> int:
    """The plies until the winner reaches the terminal: it plays for the fewest, the loser for the most."""
    attacker = winner(board, to_move)
    return next(plies for plies in range(65) if within(board, to_move, attacker, plies, metric))
