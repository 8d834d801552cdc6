"""The explorer: one self-contained web page to walk through the results of a board, made of the parts in books/explorer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from string import Template
from typing import Any

from books.atlas import ALPHABET, Atlas
from books.contents import QUICK_LENGTH
from books.picture import board
from solver.position import Position, Size

_SCRIPTS = ("atlas.js", "board.js", "script.js")
_MEGABYTE = 1_000_000
_COMPACT = (",", ":")
_ENDING = QUICK_LENGTH // 2  # the winner's stones


def page(size: Size, atlases: Mapping[str, Atlas]) -> str:
    """A page that holds `atlases`, by metric, the one to begin with first."""
    data = {"metrics": {metric: atlas.to_json() for metric, atlas in atlases.items()}}
    letters = len(json.dumps(data, separators=_COMPACT))
    return _assembled(size, data | {"extent": f"{extent(size, atlases)} That is {letters / _MEGABYTE:.2f} MB of data."})


def served_page(size: Size, metrics: list[str]) -> str:
    """The same page without results, for a server that answers its questions."""
    empty = {metric: {"lines": {}, "values": {}} for metric in metrics}
    told = "What you see comes from the solver that runs behind this page: from its book or its store where they know, else by search."
    return _assembled(size, {"metrics": empty, "server": True, "extent": told})


def extent(size: Size, atlases: Mapping[str, Atlas]) -> str:
    """What a page holds and where it ends, in a sentence or two for each metric."""
    if len(atlases) == 1:
        return " ".join(f"This page holds {_held(size, atlas)}." for atlas in atlases.values())
    return " ".join(f"Of {metric}, this page holds {_held(size, atlas)}." for metric, atlas in atlases.items())


def _held(size: Size, atlas: Atlas) -> str:
    full, lines = len(atlas.values), len(atlas.lines) - len(atlas.values)
    if atlas.depth >= size.cells:
        return f"every position of the {size} board, {len(atlas.lines):,} of them up to half a turn"
    moves = "the first move" if atlas.depth == 1 else f"the first {atlas.depth} moves"
    near = f"the values of all moves for {moves} of every game and along the best game after each opening"
    if atlas.from_book:
        return (
            f"{near}; for the side that wins, an answer to every defence against it, until it needs no more than {_ENDING} stones; and from "
            f"there one best game to the end: {len(atlas.lines):,} positions, {full:,} of them with the values of all moves"
        )
    return f"{near} ({full:,} position{'' if full == 1 else 's'}), and one best game to the end from each position after {moves} ({lines:,} more)"


def _assembled(size: Size, data: dict[str, Any]) -> str:
    sources = files("books") / "explorer"
    shape = {"size": str(size), "columns": size.columns, "rows": size.rows, "alphabet": ALPHABET}
    return Template((sources / "page.html").read_text("utf-8")).substitute(
        title=f"Hex {size.columns}×{size.rows}",
        style=(sources / "style.css").read_text("utf-8"),
        board=board(Position.start(size)),
        data=json.dumps(shape | data, separators=_COMPACT),
        script="\n".join((sources / script).read_text("utf-8") for script in _SCRIPTS),
    )
