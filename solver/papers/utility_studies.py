"""Connection Utility Search: its order of moves, and threat patterns that are used again (Rasmussen, Maire and Hayward 2006)."""

from __future__ import annotations

import time
from collections.abc import Iterator

from solver.kernel import Kernel
from solver.papers import connection_utility as plain
from solver.papers import pattern_reuse as reuse
from solver.papers.study import Study, Table, Value

TABLE_1: dict[tuple[str, int], int] = {
    ("connection utility search", 3): 2_223,
    ("connection utility search", 4): 3_765_784,
    ("alpha-beta", 3): 3_305,
    ("alpha-beta", 4): 9_871_596,
    ("pattern search", 3): 9_613,
    ("pattern search", 4): 790_811_318,
}
SEARCHES = {
    "connection utility search": {"must_play": True, "utilities": True},
    "alpha-beta": {"must_play": False, "utilities": False},
    "pattern search": {"must_play": True, "utilities": False},
}
ORDERS = {
    "cells, row by row": plain.CELLS_IN_ORDER,
    "opponent's potential": plain.OPPONENT_POTENTIAL,
    "total potential": plain.TOTAL_POTENTIAL,
}
MOST_NODES = 1_000_000_000
TOO_MANY = {("alpha-beta", 4, "cells, row by row")}  # not done within MOST_NODES
REUSED = {5: 165, 6: 77_000}  # section 6


def solved(search: str, n: int, order: str, *, every_move: bool) -> int:
    """The nodes with which one of the searches solves the empty n x n board."""
    found = plain.Search(n, n, order=ORDERS[order], **SEARCHES[search]).solve(0, 0, 0, every_move, MOST_NODES)
    assert found.finished and found.winner == 0
    return found.nodes


def _table_1() -> Iterator[Table]:
    rows: list[tuple[Value, ...]] = []
    for (search, n), paper in TABLE_1.items():
        for order in ORDERS:
            skipped = (search, n, order) in TOO_MANY
            every, one = (None if skipped else solved(search, n, order, every_move=every_move) for every_move in (True, False))
            rows.append((search, f"{n}x{n}", order, paper, every, one))
    yield Table(
        "Table 1: nodes to solve the empty board",
        ("search", "board", "static order", "paper", "ours: all first moves", "ours: one winning move"),
        rows,
        "To the connection, no table. The paper says that its pattern search and alpha-beta take Queenbee's order. Its two figures for "
        "pattern search come out to the node with the cells row by row and all first moves searched, so that this order was of no effect "
        "there; with a real one, pattern search needs about as many as or fewer than the two others. Alpha-beta, row by row, takes more than "
        f"{MOST_NODES:,} nodes on 4x4 and is left out.",
    )


TERMINALS = {
    "connection": reuse.CONNECTION,
    "checkmate": reuse.CHECKMATE,
    "checkmate, one move ahead": reuse.CHECKMATE_AHEAD,
    "virtual connection": reuse.DEDUCED,
}
REUSE_ORDERS = {
    "utility": reuse.UTILITIES,
    "potential, utility": reuse.POTENTIALS,
    "potential": reuse.POTENTIALS_ALONE,
    "fewest replies": reuse.REGIONS,
}
ON_6X6 = [
    *(("connection", order) for order in REUSE_ORDERS),
    ("checkmate, one move ahead", "fewest replies"),
    *(("virtual connection", order) for order in REUSE_ORDERS),
]
REUSE_LIMIT = 77_000  # nodes: what the paper needs for 6x6


def _reuse() -> Iterator[Table]:
    variants = [(end, order) for end in TERMINALS for order in REUSE_ORDERS]
    rows: list[tuple[Value, ...]] = []
    for n in (4, 5, 6):
        for end, order in variants if n < 6 else ON_6X6:
            start = time.process_time()
            searcher = reuse.Search(n, n, terminal=TERMINALS[end], order=REUSE_ORDERS[order])
            found = searcher.solve(0, 0, 0, limit=REUSE_LIMIT)
            assert not found.finished or found.winner == 0
            nodes = found.nodes if found.finished else f"> {found.nodes + 1:,}"
            rows.append((f"{n}x{n}", end, order, REUSED.get(n), nodes, found.patterns, time.process_time() - start))
    for n in (5, 6):
        kernel, start = Kernel(n, n, memory=1 << 26), time.process_time()
        assert kernel.winner(0, 0, 0).winner == 0
        rows.append((f"{n}x{n}", "virtual connection", "our main search", REUSED[n], kernel.nodes, None, time.process_time() - start))
    yield Table(
        "Section 6: the empty board with a table of threat patterns",
        ("board", "games end at", "order", "paper", "ours", "patterns", "CPU s"),
        rows,
        "The paper says only that patterns were used again through a special table. Ours holds every strong pattern that was proved, with "
        "its images, which count as patterns. Nodes are positions visited, the empty board not counted. Fewest replies: first the move that "
        "leaves the opponent the smallest must-play region, by all known patterns, then utility. > : not solved within these nodes; the "
        "paper took 77,000 for 6x6.",
    )


STUDIES = {
    "orders": Study("Connection Utility Search, alpha-beta and pattern search without a table (table 1)", _table_1),
    "patterns": Study("Connection Utility Search with a table of threat patterns (section 6)", _reuse),
}
