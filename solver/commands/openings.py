"""hexbook solve --openings: many openings, each on a line."""

from __future__ import annotations

import argparse
from contextlib import closing
from dataclasses import replace
from functools import partial

from solver.cli import ANSWERED, UNKNOWN
from solver.commands.advice import book_openings, engine_with, opened_book
from solver.commands.answers import cost, print_json, solution_json, verdict
from solver.commands.arguments import Named
from solver.commands.session import limits, opened_store
from solver.engine import Engine
from solver.notation import format_cell, parse_moves
from solver.openings import opening, solve_openings
from solver.position import InputError
from solver.solution import Solution


def solve_named_openings(args: argparse.Namespace, named: Named) -> int:
    """Solve the openings that `args` names, or all, and print each as soon as it is solved; the exit status."""
    if named.moves != []:
        raise InputError("--openings are first moves; leave out the moves or the board")
    size = named.position.size
    cells = parse_moves(size, " ".join(args.openings)) or range(size.cells)
    statuses = set[int]()

    def tell(solution: Solution) -> None:
        if solution.solved and solution.line is None:
            solution = replace(solution, line=engine.line(solution.position, args.metric))
        engine.keep_line(solution)
        _print_opening(solution, args.json)
        statuses.add(ANSWERED if solution.solved else UNKNOWN)

    with (
        opened_store(args) as store,
        opened_book(args, size, args.metric) as book,
        engine_with(book, store, args, size) as engine,
    ):
        told = book_openings(book, args.metric, cells)
        for solution in told.values():
            tell(solution)
        found = solve_openings(
            size, args.metric, [cell for cell in cells if cell not in told], store=store, workers=args.workers, limits=limits(args),
            engine=partial(Engine, lines=True),
        )
        with closing(found):
            for solution in found:
                tell(solution)
    return max(statuses)


def _print_opening(solution: Solution, as_json: bool) -> None:
    move = opening(solution)
    if as_json:
        print_json(solution_json(Named(solution.position, [move]), solution))
    else:
        print(f"{format_cell(solution.position.size, move):<4}{verdict(solution)} ({cost(solution)})", flush=True)
