"""hexbook certify: files that prove what solve says."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from books.certificate import Certificate, Certifier
from solver.cli import ANSWERED, FAILED, UNKNOWN
from solver.commands.answers import cost, print_json, verdict
from solver.commands.arguments import Named, add_options, add_position, read_position
from solver.commands.session import limits, opened_store, progress_bar
from solver.files import require_writable
from solver.notation import format_cell, parse_moves, position_after, quoted, whole_number
from solver.position import InputError
from solver.solution import Solution


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, required=True, help="the certificate; with --openings a directory, made if it is missing"
    )
    parser.add_argument(
        "--openings", metavar="CELL", nargs="*", help="a certificate for each of these first moves of Black, or for every one"
    )
    parser.add_argument(
        "--within", metavar="PLIES", type=_plies, help="prove only that the winner needs no more plies, which is less work than their number"
    )
    parser.add_argument("--json", action="store_true", help="print a JSON object for each certificate, on a line of its own")
    add_options(parser, "metric", "store", "workers", "seconds", "memory")


def _plies(text: str) -> int:
    plies = whole_number(text)
    if plies is None:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no number of plies; write a whole number, such as 23")
    return plies


def run(args: argparse.Namespace) -> int:
    if args.within is not None and args.metric == "winner":
        raise InputError("--within goes with the metrics checkmate and connection")
    jobs, status = _jobs(args, read_position(args)), ANSWERED
    with (
        opened_store(args) as store,
        Certifier(jobs[0][0].position.size, store=store, limits=limits(args)) as certifier,
        progress_bar() as progress,
    ):
        for named, path in jobs:
            found = certifier.certify(named.position, args.metric, progress, most=args.within)
            if isinstance(found, Certificate):
                size = found.write(path)
                _tell(named, found.solution, args.json, path, size)
            else:
                refuted = args.within is not None and found.lower > args.within
                _tell_unproved(named, found, args.json, path, "since it takes longer" if refuted else "for lack of time")
                status = max(status, FAILED if refuted else UNKNOWN)
    return status


def _jobs(args: argparse.Namespace, named: Named) -> list[tuple[Named, Path]]:
    """The positions, and where their certificates go."""
    if args.openings is None:
        require_writable(args.output)
        return [(named, args.output)]
    if named.moves != []:
        raise InputError("--openings are first moves; leave out the moves or the board")
    size = named.position.size
    cells = parse_moves(size, " ".join(args.openings)) or range(size.cells)
    bound = "" if args.within is None else "-within"
    args.output.mkdir(parents=True, exist_ok=True)
    jobs = [
        (Named(position_after(size, [cell]), [cell]), args.output / f"{size}-{format_cell(size, cell)}-{args.metric}{bound}.cert") for cell in cells
    ]
    for _, path in jobs:
        require_writable(path)
    return jobs


def _tell(named: Named, solution: Solution, as_json: bool, path: Path, size: int) -> None:
    if as_json:
        print_json(named.json() | {"metric": solution.metric} | solution.value_json() | {"file": str(path), "bytes": size})
    else:
        said = sys.stdout if path.is_file() else sys.stderr  # the certificate itself may go to standard output
        plies = f"{solution.upper} {'ply' if solution.upper == 1 else 'plies'} to {solution.metric}"
        proved = verdict(solution) if solution.solved else f"{str(solution.winner).capitalize()} wins within {plies}"
        print(f"{path}: {proved}: {size:,} bytes", file=said, flush=True)


def _tell_unproved(named: Named, solution: Solution, as_json: bool, path: Path, why: str) -> None:
    """What is known, and that no certificate was written."""
    if as_json:
        print_json(named.json() | {"metric": solution.metric} | solution.value_json() | {"unproved": why})
    else:
        said = sys.stderr if path.exists() and not path.is_file() else sys.stdout  # which the certificate was meant for
        print(f"{path}: not written, {why}: {verdict(solution)} ({cost(solution)})", file=said, flush=True)
