"""Alpha-beta with the tools of the thesis on OCTI (Roijakkers 2005). Cells and masks are the kernel's."""

from typing import NamedTuple

class Found(NamedTuple):
    move: int
    value: int              # Queenbee's evaluation after so many plies, for the side to move
    nodes: tuple[int, ...]  # of the iterations to 1, 2, ... plies
    hits: int               # times the table was of use
    probes: int             # times it was asked
    confusions: int         # times it would have answered for a position with the key of another (type-1 errors)
    stored: int             # positions that were to be stored

class Search:
    def __init__(
        self,
        columns: int,
        rows: int,
        *,
        pvs: bool = False,
        aspiration: int = 0,
        null_move: int = 0,
        killer: bool = False,
        history: int = 0,
        exact: bool = False,
        bounds: bool = False,
        order: bool = False,
        replacement: int = 0,
        checks: bool = True,
        table_bits: int = 18,
        key_bits: int = 64,
    ) -> None:
        """The settings are described in toolbox.pxd; `key_bits` of the 64 are kept, table_bits at least."""

    def search(self, black: int, white: int, to_move: int, plies: int) -> Found:
        """The value of a position that is not over, by iterations up to so many plies (1 to 64), from an empty table."""
