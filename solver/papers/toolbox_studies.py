"""What the tools of OCTI's search are worth on Hex (Roijakkers 2005, chapter 6): nodes by depth on fixed positions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from solver.notation import parse_moves, position_after
from solver.papers.study import Study, Table, Value
from solver.papers.toolbox import Found, Search
from solver.position import Position, Size

WORKS = {  # the board, the plies searched, and the moves played before
    Size(6, 6): (5, ("a3 d3", "c2 d4", "e5 c3 c4 b5", "f1 c4 d3 b4")),
    Size(7, 7): (4, ("b4 d5", "c2 d4", "a7 d4 e3 c5", "g1 c5 d4 b4")),
}
ALL = {"exact": True, "bounds": True, "order": True}
PVS = {"pvs": True}
KILLER = PVS | {"killer": True}
HISTORY = KILLER | {"history": 1}
TOOLS: list[tuple[str, str, dict[str, Any], dict[str, Any], float | None]] = [
    # tool, the search it is added to, that search, with the tool, nodes saved on OCTI at the greatest depth of the thesis, in percent
    ("aspiration, 1 step of the evaluation", "alpha-beta", {}, {"aspiration": 100}, 4.9),
    ("PVS", "alpha-beta", {}, PVS, 50.4),
    ("null move, R = 2", "PVS", PVS, PVS | {"null_move": 2}, 80.5),
    ("killer", "PVS", PVS, KILLER, 73.0),
    ("history + 1", "PVS, killer", KILLER, HISTORY, 44.5),
    ("history + d", "history + 1", HISTORY, KILLER | {"history": 2}, -8.5),
    ("history + d^2", "history + 1", HISTORY, KILLER | {"history": 3}, -9.3),
    ("history + 2^d", "history + 1", HISTORY, KILLER | {"history": 4}, -3.0),
    ("table: exact values", "history + 1", HISTORY, HISTORY | {"exact": True}, -2.4),
    ("table: bounds", "history + 1", HISTORY, HISTORY | {"bounds": True}, 33.6),
    ("table: order", "history + 1", HISTORY, HISTORY | {"order": True}, 18.1),
    ("table: all uses", "history + 1", HISTORY, HISTORY | ALL, 29.8),
]
SCHEMES = {"deep (the thesis)": 0, "new": 1, "old": 2, "big": 3, "two places, deep": 4, "two places, big": 5}
DEEPER = {Size(6, 6): 6, Size(7, 7): 5}  # plies with all tools


def positions(size: Size) -> list[Position]:
    """The fixed positions of a board."""
    return [position_after(size, parse_moves(size, moves)) for moves in WORKS[size][1]]


def searched(position: Position, plies: int, tools: dict[str, Any]) -> Found:
    """A position searched with some tools."""
    search = Search(position.size.columns, position.size.rows, **tools)
    return search.search(position.black, position.white, position.to_move, plies)


def nodes(size: Size, plies: int, tools: dict[str, Any]) -> list[int]:
    """The nodes of the iterations to 1, 2, ... plies, over all positions of a board."""
    return [sum(column) for column in zip(*(searched(position, plies, tools).nodes for position in positions(size)), strict=True)]


def _tools() -> Iterator[Table]:
    for size, (plies, _) in WORKS.items():
        rows: list[tuple[Value, ...]] = [("alpha-beta", "-", *nodes(size, plies, {}), None, None)]
        for name, base, without, tools, paper in TOOLS:
            counts = nodes(size, plies, tools)
            before = nodes(size, plies, without)
            rows.append((name, base, *counts, 100 * (1 - counts[-1] / before[-1]), paper))
        yield Table(
            f"Tables 6.1 to 6.14 on {size}: nodes by depth",
            ("tool", "added to", *(f"{depth}" for depth in range(1, plies + 1)), "saved %", "saved on OCTI %"),
            rows,
            f"{len(positions(size))} positions together, moves cell by cell where no tool orders them. Saved: at the greatest depth (OCTI: "
            "5 plies for the first three, else 6). There the null move stays on from its row downwards; here it does not.",
        )


def _replacement() -> Iterator[Table]:
    rows: list[tuple[Value, ...]] = []
    for size, plies in DEEPER.items():
        for name, scheme in SCHEMES.items():
            tools = HISTORY | ALL | {"replacement": scheme}
            rows.append((str(size), name, *(sum(nodes(size, plies, tools | {"table_bits": bits})) for bits in (8, 10, 12, 18))))
    yield Table(
        "Replacement schemes (section 4.6): nodes by places in the table",
        ("board", "scheme", "256", "1,024", "4,096", "262,144"),
        rows,
        f"All tools but aspiration and null move, all iterations to {' and '.join(map(str, DEEPER.values()))} plies. The thesis has one "
        "scheme and no figures.",
    )


def _confusions() -> Iterator[Table]:
    rows: list[tuple[Value, ...]] = []
    size = Size(6, 6)
    for bits in (18, 20, 22, 24, 28, 32, 64):
        found = [
            searched(position, DEEPER[size], KILLER | {"exact": True, "replacement": 1, "table_bits": 18, "key_bits": bits})
            for position in positions(size)
        ]
        probes, stored, wrong = (sum(column) for column in zip(*((one.probes, one.stored, one.confusions) for one in found), strict=True))
        thesis = -math.expm1(-sum(one.stored**2 for one in found) / 2 ** (bits + 1))
        rows.append((bits, probes, stored, wrong, 1e6 * wrong / probes, f"{thesis:.3g}"))
    yield Table(
        "Type-1 errors (section 4.6): answers for another position with the same key",
        ("bits of the key", "probes", "stored", "errors", "errors in a million probes", "probability of one or more by the thesis"),
        rows,
        "Positions of 6x6, a table of 2^18 places, the newer position stays; each answer was compared with the position. The thesis "
        "takes 1 - exp(-M^2 / 2N), M positions stored in a search, N keys; the thesis has 7.11e-8 for 64 bits and 1.62 million positions. Our "
        "tables keep the whole position, two words, and cannot err.",
    )


STUDIES = {
    "tools": Study("PVS, aspiration, null move, killer, history and uses of the table (tables 6.1 to 6.14)", _tools),
    "replacement": Study("replacement schemes of the transposition table (section 4.6)", _replacement),
    "errors": Study("type-1 errors of keys without a check (section 4.6)", _confusions),
}
