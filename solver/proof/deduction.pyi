"""What proofs are made of: connections that the kernel deduces, with what they grew from, captured cells, distances."""
from typing import NamedTuple

class Joint(NamedTuple):
    """An edge-to-edge connection of a player over one of its points."""

    point: int
    cells: int  # all that it needs, the point too if it is empty
    ends: tuple[int, int]  # the cells of its two parts, to the first and to the last edge
    semi: tuple[bool, bool]  # whether a part takes a move of the player first

class Deducer:
    """Deductions about one board. A point is an empty cell or a group of stones, named by its lowest cell. Questions about connections are
    about the last position and player deduced."""

    near: list[int]  # the neighbours of each cell
    edges: tuple[tuple[int, int], tuple[int, int]]  # the first and the last edge of Black, and of White

    def __init__(self, columns: int, rows: int) -> None: ...
    def deduce(self, black: int, white: int, player: int, most: int, mate: bool) -> bool | None:
        """True: the player's edges are connected, even if the opponent moves; False: they are if the player moves; None: neither is seen.
        Only connections count that cost at most `most` stones of the player, up to checkmate (`mate`) or to contacts."""
    def solid(self) -> Joint:
        """The smallest connection, after True."""
    def threats(self) -> list[Joint]:
        """Connections of a player that moves, after False."""
    def full(self, end: int, point: int) -> list[int]:
        """The cells of connections of a point, taken as the player's, to an edge, even if the opponent moves first."""
    def semi(self, end: int, point: int) -> list[int]:
        """The same if the player moves first."""
    def links(self, point: int) -> list[tuple[int, int]]:
        """The points in contact, or a two-bridge apart, with the cells of that (0: contact)."""
    def group(self, point: int) -> int:
        """The stones of a group; 0 for an empty cell."""
    def edge_pair(self, player: int, end: int, cell: int) -> int:
        """The cells of the two-bridge between an edge and a cell of the row beside it; 0 for another cell."""
    def fill(self, black: int, white: int) -> tuple[int, int]:
        """Both players' stones with the cells added that are dead or captured: the same player wins."""
    def captured(self, black: int, white: int, player: int) -> list[tuple[int, int]]:
        """Cells that can be given to the player one after the other: pairs of captured cells, and dead cells, each as a pair with itself."""
    def alive(self, player: int, cell: int, own: int, theirs: int) -> bool:
        """Can the ring of neighbours around a cell show the player, the opponent, the player and the opponent in turn? Else it is dead."""
    def distance(self, player: int, own: int, empty: int, mate: bool, most: int) -> int:
        """The fewest stones that the player must add for a way from edge to edge by contacts and (`mate`) two-bridges; most + 1 if it is
        more than `most`, which is at most 32."""
