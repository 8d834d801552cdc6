"""Where books stand: in runs/books under the current directory, where `make books` puts them, and in the user's cache directory."""

from __future__ import annotations

from pathlib import Path

from solver.position import Size
from solver.store import default_directory


def place(size: Size, metric: str) -> Path:
    """Where a new book goes if nobody says where."""
    return _cached() / _name(size, metric)


def find(size: Size, metric: str) -> Path | None:
    """The book that answers questions of a metric about a board; None if there is none. For winners any metric will do."""
    metrics = ("winner", "checkmate", "connection") if metric == "winner" else (metric,)
    places = (directory / _name(size, each) for each in metrics for directory in (Path("runs/books"), _cached()))
    return next((path for path in places if path.exists()), None)


def _cached() -> Path:
    return default_directory().with_name("books")


def _name(size: Size, metric: str) -> str:
    return f"{size}-{metric}.book"
