"""The explorer: one self-contained web page to walk through the results of a board, made of the parts in books/explorer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from string import Template
from typing import Any

from books.atlas import ALPHABET, Atlas
from books.picture import board
from solver.position import Position, Size

_SCRIPTS = ("atlas.js", "board.js", "script.js")
_MEGABYTE = 1_000_000


def page(size: Size, atlases: Mapping[str, Atlas]) -> str:
    """A page that holds `atlases`, by metric, the one to begin with first; all of the same depth."""
    data = {"metrics": {metric: atlas.to_json() for metric, atlas in atlases.items()}}
    letters = len(json.dumps(data))
    return _assembled(size, data | {"extent": extent(size, atlases) + f" That is {letters / _MEGABYTE:.2f} MB of data."})


def served_page(size: Size, metrics: list[str]) -> str:
    """The same page without results, for a server that answers its questions."""
    empty = {metric: {"lines": {}, "values": {}} for metric in metrics}
    told = "What you see comes from the solver that runs behind this page: from its book or its store where they know, else by search."
    return _assembled(size, {"metrics": empty, "server": True, "extent": told})


def extent(size: Size, atlases: Mapping[str, Atlas]) -> str:
    """What a page holds and where it ends, in a sentence or two."""
    atlas = next(iter(atlases.values()))
    full, lines = len(atlas.values), len(atlas.lines) - len(atlas.values)
    if atlas.depth >= size.cells:
        return f"This page holds every position of the {size} board, {len(atlas.lines):,} of them up to half a turn."
    depth = "the first move" if atlas.depth == 1 else f"the first {atlas.depth} moves"
    return (
        f"This page holds the values of all moves for {depth} of every game and along the best game after each opening "
        f"({full:,} position{'' if full == 1 else 's'}), and one best game to the end from each position after {depth} ({lines:,} more)."
    )


def _assembled(size: Size, data: dict[str, Any]) -> str:
    sources = files("books") / "explorer"
    shape = {"size": str(size), "columns": size.columns, "rows": size.rows, "alphabet": ALPHABET}
    return Template((sources / "page.html").read_text("utf-8")).substitute(
        title=f"Hex {size.columns}×{size.rows}",
        style=(sources / "style.css").read_text("utf-8"),
        board=board(Position.start(size)),
        data=json.dumps(shape | data, separators=(",", ":")),
        script="\n".join((sources / script).read_text("utf-8") for script in _SCRIPTS),
    )
