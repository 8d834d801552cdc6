"""H-search: virtual connections between all pairs of points (Anshelevich 2000, section 5). Cells and masks are the kernel's."""

class Deduction:
    """The connections of one player in one position; the lists are kept from position to position."""

    generations: int  # iterations that made something new
    limited: bool  # a connection was dropped because a list was full or the OR rule too wide

    def __init__(self, columns: int, rows: int, *, most: int = ..., widest: int = ...) -> None:
        """most: connections kept of a pair (N), and as many semi connections. widest: ways joined by one use of the OR rule (n)."""
    def deduce(self, black: int, white: int, player: int, generations: int = ...) -> None:
        """All connections of a player that so many iterations make, or fewer if the last one made nothing new."""
    def wins(self) -> bool:
        """Whether the edges are joined, or virtually connected: then the player wins even if the opponent moves first."""
    def carriers(self, one: int, two: int) -> list[int]:
        """The carriers of two points, each named by any of its cells, or by -1 and -2 for the edges; the smallest first."""
    def count(self) -> int:
        """How many connections there are, contacts included."""
    def links(self) -> tuple[list[int], list[int], list[float], list[int | None]]:
        """The circuit of section 3 with the links of section 4 as three lists: point, point, conductance; points 0 and 1 are the edges.

        Fourth: the empty cell of each point, None for edges and groups.
        """
