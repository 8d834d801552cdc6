"""hexbook table: winner and length of every opening."""

from __future__ import annotations

import argparse
from contextlib import closing

from books.table import table_csv, table_json, table_text
from solver.cli import ANSWERED, UNKNOWN
from solver.commands.answers import print_json
from solver.commands.arguments import add_options
from solver.commands.session import limits, opened_store
from solver.notation import parse_size
from solver.openings import opening, solve_openings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("size", metavar="SIZE", help="6 for 6x6, 6x7 for 6 columns and 7 rows")
    parser.add_argument("--format", choices=("text", "csv", "json"), default="text", help="how to print the table (default text)")
    parser.add_argument("--json", action="store_const", const="json", dest="format", help="the same as --format json")
    add_options(parser, "metric", "store", "workers", "seconds", "memory")


def run(args: argparse.Namespace) -> int:
    size = parse_size(args.size)
    with (
        opened_store(args) as store,
        closing(solve_openings(
            size, args.metric, range(size.cells), store=store, workers=args.workers, limits=limits(args)
        )) as found,
    ):
        openings = {opening(solution): solution for solution in found}
    openings = dict(sorted(openings.items()))
    if args.format == "json":
        print_json(table_json(openings))
    else:
        print(table_csv(openings) if args.format == "csv" else table_text(openings))
    return ANSWERED if all(solution.solved for solution in openings.values()) else UNKNOWN
