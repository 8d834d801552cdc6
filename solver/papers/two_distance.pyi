"""Two-distances, potentials and Queenbee's evaluation (van Rijswijck 2000, chapter 5). Cells and masks are the kernel's."""

def distances(columns: int, rows: int, black: int, white: int, player: int, end: int) -> dict[int, int | None]:
    """The player's two-distances to its first (end 0) or second (end 1) edge, of each empty cell; None where there is none."""

def assess(
    columns: int, rows: int, black: int, white: int
) -> tuple[int, tuple[int | None, int | None], tuple[int, int], dict[int, int]]:
    """What Queenbee sees in a position: (evaluation, board potentials, attack mobilities, total potentials).

    The evaluation is high where White stands well. Pairs are of Black and White; a board potential is None where one edge is out of
    reach. Total potentials are of the empty cells; 200 of them stands for a player that cannot join its edges there.
    """

def reversible(columns: int, rows: int, black: int, white: int, player: int) -> int:
    """The mask of the player's reversible moves (section 8.6)."""
