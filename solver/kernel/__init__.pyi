"""The Cython kernel: exact answers about positions given as masks. Colours are 0 black, 1 white; cell (row r, column c) of a board is bit
r*columns + c. The kernel checks no input: masks must be disjoint and on the board."""
from collections.abc import Iterator
from typing import NamedTuple

SWITCHES: tuple[str, ...]  # ingredients of the searches; Kernel(..., name=0) switches one off (answers stay the same, only slower)

INPUTS: dict[str, int]  # of the network that orders moves, by groups: where each begins, and the end of all (see promise.pxd)
FEATURES: dict[str, int]  # of moves, by groups: where each begins, and the end of all (see surroundings.pxd)
OUTLOOK_FEATURES: dict[str, int]  # the further groups of the bounded search (see outlook.pxd)
OUTLOOK_WEIGHTS: tuple[tuple[int, ...], tuple[int, ...]]  # of all its features, for the attacker's moves and for the defender's
SCALE: int  # a promise or a weight greater by so much makes a move e times as likely

def network() -> dict[str, list[int] | list[list[int]] | list[list[list[int]]]]:
    """The network's weights, by their names in network.h."""

class Stopped(Exception):
    """The search was stopped before it had an answer."""

class WinnerAnswer(NamedTuple):
    winner: int
    move: int | None  # a winning move, if the side to move wins and has not joined its edges yet
    carrier: int  # empty cells within which the winner wins even if every other empty cell is the loser's

class Inputs(NamedTuple):
    cells: list[list[int]]  # the inputs of each cell (see promise.pxd)
    promises: dict[int, int]  # of each move of the must-play region

class BoundAnswer(NamedTuple):
    proved: bool
    move: int | None  # attacker to move and proved: a move that does it; defender to move and not proved: a reply that holds out
    carrier: int | None  # proved: empty cells within which the attacker needs no more stones

class Decision(NamedTuple):
    """A question of the bounded search that a move has decided: the attacker's that proved it, or the defender's that refuted it. The
    attacker plays as Black."""

    own: int  # the attacker's stones, of those that count
    empty: int  # the empty cells that count; all others are the defender's
    side: int  # to move: 0 the attacker, 1 the defender
    stones: int  # within which the attacker was to reach the terminal
    nodes: int  # positions searched for it

class Proof(NamedTuple):
    """A position, dead and captured cells filled in, that search has proved won for the side to move by a move."""

    black: int
    white: int
    to_move: int
    last: int  # the opponent's last move when the search came there first, 64 if there was none
    nodes: int  # positions evaluated for it
    move: int  # a winning one

def terminal(metric: str, columns: int, rows: int, black: int, white: int, player: int) -> int | None:
    """The cells of the two-bridges of one chain with which `player` has reached the terminal of `metric` ("checkmate" or "connection",
    where there are none), or None if it has not."""

class Kernel:
    """The searches of one board with their tables. One search at a time, from any thread; the GIL is free while it runs."""

    nodes: int  # positions searched since the kernel was made; may be read while a search runs in another thread

    def __init__(self, columns: int, rows: int, memory: int = ..., partner: Kernel | None = None, patience: int = ..., **switches: int) -> None:
        """memory: bytes for all tables together. With a partner, a kernel of the same board that has no partner itself, the tables are the
        partner's: asked the same question of `within` at the same time, in another thread, each searches where the other does not. Raises
        ValueError for another board.
        patience: positions that `winner` evaluates before it searches the moves of the position one by one."""
    def winner(self, black: int, white: int, to_move: int, nodes: int | None = None) -> WinnerAnswer:
        """Who wins. Raises Stopped, also when it has searched so many positions without an answer."""
    def proofs(self) -> Iterator[Proof]:
        """What the table of the winner search still has of its proofs since it was cleared; on a board that is not square, those in which
        the position was not reflected."""
    def inputs(self, black: int, white: int, to_move: int, last: int = 64) -> Inputs | None:
        """What the promises of a position's moves are estimated from, after dead and captured cells have been filled in. `last`: the
        opponent's last move. None if deduction decides the position."""
    def within(self, black: int, white: int, to_move: int, attacker: int, stones: int, metric: str, nodes: int | None = None) -> BoundAnswer:
        """Does `attacker` reach the terminal of `metric` with at most `stones` more stones of its own, while the opponent delays as long as
        it can? Raises Stopped, also when it has searched so many positions without an answer."""
    def decisions(self) -> Iterator[Decision]:
        """What the table of bounds still has of questions to checkmate decided by a move; on a board that is not square, those in which
        Black attacked."""
    def outlook_features(self, own: int, empty: int, side: int, stones: int) -> dict[int, list[int]]:
        """For each move that may decide a question to checkmate, the features by which its outlook is estimated (see outlook.pxd), that of
        the pressure last. Empty if deduction decides the position or one a move on."""
    def stop(self) -> None:
        """Make a search that runs in another thread raise Stopped."""
    def clear(self) -> None:
        """Forget everything learned, so that node counts of the next search do not depend on earlier ones; not while a search runs here or
        in a kernel that shares the tables, which only their owner empties."""
