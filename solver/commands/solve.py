"""hexbook solve: one position, or openings."""

from __future__ import annotations

import argparse

from solver.cli import ANSWERED, UNKNOWN
from solver.commands.advice import add_book, opened_engine
from solver.commands.answers import print_json, solution_json, solution_text
from solver.commands.arguments import add_options, add_position, read_position
from solver.commands.games import game_hexworld, game_sgf
from solver.commands.session import progress_bar
from solver.position import InputError

_FORMATS = {"text": solution_text, "sgf": game_sgf, "hexworld": game_hexworld}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.add_argument(
        "--openings", metavar="CELL", nargs="*", help="solve the positions after these first moves of Black, or after every one"
    )
    parser.add_argument("--json", action="store_true", help="print a JSON object for each position, on a line of its own")
    parser.add_argument(
        "--format",
        choices=_FORMATS,
        help="text (the default), or a game that goes on with the line: sgf, with the values as comments, or a hexworld link",
    )
    add_book(parser, shelf=False)
    add_options(parser, "metric", "store", "workers", "seconds", "memory")


def run(args: argparse.Namespace) -> int:
    named = read_position(args)
    if args.format and (args.json or args.openings is not None):
        raise InputError("--format goes with one position, and not with --json")
    if args.openings is not None:
        from solver.commands.openings import solve_named_openings  # what a batch needs takes a while to load

        return solve_named_openings(args, named)
    with (
        opened_engine(args, named.position.size, args.metric, lines=True) as engine,
        progress_bar() as progress,
    ):
        solution = engine.solve(named.position, args.metric, progress)
    if args.json:
        print_json(solution_json(named, solution))
    else:
        print(_FORMATS[args.format or "text"](named, solution))
    return ANSWERED if solution.solved else UNKNOWN
