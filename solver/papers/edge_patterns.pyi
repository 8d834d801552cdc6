"""The third-row edge pattern and the pre-evaluators made of it (van Rijswijck 2000, sections 4.2 and 6.4)."""

def ghosts(columns: int, rows: int, black: int, white: int, first: int) -> tuple[int, int]:
    """Both players' stones with the ghost pieces among them, as two masks; those of `first` come before the other's."""

def extended(columns: int, rows: int, black: int, white: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The stones that a pattern joins to an edge: for each player the masks for its first and its second edge."""
