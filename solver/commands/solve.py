"""hexbook solve: one position, or openings."""

from __future__ import annotations

import argparse

from solver.cli import ANSWERED, UNKNOWN
from solver.commands.answers import print_json, solution_json, solution_text
from solver.commands.arguments import add_options, add_position, read_position
from solver.commands.session import limits, opened_store, progress_bar
from solver.engine import Engine


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.add_argument(
        "--openings", metavar="CELL", nargs="*", help="solve the positions after these first moves of Black, or after every one"
    )
    parser.add_argument("--json", action="store_true", help="print a JSON object for each position, on a line of its own")
    add_options(parser, "metric", "store", "workers", "seconds", "memory")


def run(args: argparse.Namespace) -> int:
    named = read_position(args)
    if args.openings is not None:
        from solver.commands.openings import solve_named_openings  # what a batch needs takes a while to load

        return solve_named_openings(args, named)
    size = named.position.size
    with (
        opened_store(args) as store,
        Engine(size, store=store, limits=limits(args), lines=True) as engine,
        progress_bar() as progress,
    ):
        solution = engine.solve(named.position, args.metric, progress)
    if args.json:
        print_json(solution_json(named, solution))
    else:
        print(solution_text(named, solution))
    return ANSWERED if solution.solved else UNKNOWN
