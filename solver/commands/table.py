"""hexbook table: winner and length of every opening."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from books.chart import table_svg
from books.picture import png, require_png
from books.table import table_csv, table_json, table_text
from solver.bounds import read_bounds
from solver.cli import ANSWERED, UNKNOWN
from solver.commands.advice import add_book, book_openings, opened_book
from solver.commands.arguments import add_options
from solver.commands.session import limits, opened_store
from solver.files import replaced, require_writable
from solver.notation import parse_size
from solver.openings import opening, solve_openings
from solver.position import InputError, Size
from solver.solution import Solution

_FORMATS: dict[str, Callable[[Mapping[int, Solution]], str | bytes]] = {
    "text": table_text,
    "csv": table_csv,
    "json": lambda openings: json.dumps(table_json(openings)),
    "svg": table_svg,
    "png": lambda openings: png(table_svg(openings)),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("size", metavar="SIZE", help="6 for 6x6, 6x7 for 6 columns and 7 rows")
    parser.add_argument("--format", choices=tuple(_FORMATS), help="the form of the table (default: what FILE ends in, else text)")
    parser.add_argument("--json", action="store_const", const="json", dest="format", help="the same as --format json")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="write the table there (default: standard output)")
    parser.add_argument(
        "--bounds", metavar="FILE", type=Path, help="believe what a table of bounds, such as runs/reference/7x7-checkmate.csv, says; search the rest"
    )
    add_book(parser, shelf=False)
    add_options(parser, "metric", "store", "workers", "seconds", "memory")


def run(args: argparse.Namespace) -> int:
    size = parse_size(args.size)
    form = _form(args.format, args.output)
    with opened_store(args) as store, opened_book(args, size, args.metric) as book:
        told = {} if args.bounds is None else _told(args.bounds, size, args.metric)
        openings = told | book_openings(book, args.metric, range(size.cells))
        rest = [cell for cell in range(size.cells) if cell not in openings]
        with closing(solve_openings(size, args.metric, rest, store=store, workers=args.workers, limits=limits(args))) as found:
            openings |= {opening(solution): solution for solution in found}
    _emit(_FORMATS[form](dict(sorted(openings.items()))), args.output)
    return ANSWERED if all(solution.solved for solution in openings.values()) else UNKNOWN


def _told(file: Path, size: Size, metric: str) -> dict[int, Solution]:
    """The openings whose length a table tells. Raises InputError if there is no such table."""
    if metric == "winner":
        raise InputError("--bounds has lengths: it goes with the metrics checkmate and connection")
    if not file.is_file():
        raise InputError(f"there is no table of bounds {file}")
    return {cell: solution for cell, solution in read_bounds(file, size, metric).items() if solution.solved}


def _form(form: str | None, output: Path | None) -> str:
    """The form to write. Raises InputError for what would go wrong with it after a long search."""
    if form is None:
        suffix = output.suffix[1:].lower() if output else ""
        form = suffix if suffix in _FORMATS else "text"
    if form == "png":
        require_png()
        if output is None and sys.stdout.isatty():
            raise InputError("a PNG picture is nothing for a terminal; name a file for it: -o FILE")
    if output is not None:
        require_writable(output)
    return form


def _emit(table: str | bytes, output: Path | None) -> None:
    data = table if isinstance(table, bytes) else f"{table}\n".encode()
    if output is None:
        sys.stdout.buffer.write(data)
    else:
        with replaced(output) as file:
            file.write_bytes(data)
