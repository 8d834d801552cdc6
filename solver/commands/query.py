"""hexbook query: every legal move of a position, with winner and length."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from books.ranking import good_moves, moves_json, ranked
from solver.cli import ANSWERED, UNKNOWN
from solver.commands.advice import BOOK_FOR_SIZE, add_book, opened_engine, read_book
from solver.commands.answers import print_json, solution_json, verdict
from solver.commands.arguments import Named, add_options, add_position, read_position
from solver.commands.session import progress_bar
from solver.notation import format_board, format_moves
from solver.solution import MoveValue, Solution


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.epilog = BOOK_FOR_SIZE
    parser.add_argument("--json", action="store_true", help="print a JSON object on one line")
    add_book(parser)
    add_options(parser, "metric", "store", "workers", "seconds", "memory")
    parser.set_defaults(metric=None)


def run(args: argparse.Namespace) -> int:
    read_book(args)
    named = read_position(args)
    position, metric = named.position, args.metric or "checkmate"
    with opened_engine(args, position.size, metric) as engine, progress_bar() as progress:
        nodes = engine.nodes
        solution = engine.solve(position, metric, progress)
        moves = engine.moves(position, metric, progress)
        solution = replace(solution, line=engine.line(position, metric, progress) if solution.solved else None)
        searched = engine.nodes - nodes
    if args.json:
        print_json(solution_json(named, solution) | {"legal": moves_json(position.size, moves)})
    else:
        print(_text(named, solution, moves, searched))
    known = all(value.winner is not None and (metric == "winner" or value.length is not None) for value in moves)
    return ANSWERED if solution.solved and known else UNKNOWN


def _text(named: Named, solution: Solution, moves: Sequence[MoveValue], searched: int) -> str:
    """The board with the good moves on it, the verdict and all moves in groups."""
    position = named.position
    side = str(position.to_move).capitalize()
    lines = [format_board(position, good_moves(moves)), "", f"{side} to move: {verdict(solution)}."]
    if solution.line:
        lines.append(f"Line: {format_moves(position.size, solution.line)}")
    sources = Counter(value.source for value in moves)
    told = ", ".join(f"{source} {count}" for source, count in sources.items())
    return "\n".join([*lines, "", *ranked(position, moves), "", f"({told or 'no moves'}; {searched:,} nodes searched)"])
