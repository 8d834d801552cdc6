"""hexbook run: a batch run."""

from __future__ import annotations

import argparse
import logging
from itertools import groupby
from pathlib import Path

from books.table import table_text
from solver.cli import ANSWERED, UNKNOWN
from solver.commands.arguments import add_options
from solver.commands.session import opened_store
from solver.openings import opening
from solver.run import Run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.toml", type=Path, help="the run file; see those in runs/")
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="let the workers of a Dask cluster search, such as tcp://host:8786 (default: this machine)"
    )
    add_options(parser, "store")


def run(args: argparse.Namespace) -> int:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    batch = Run.load(args.file)
    with opened_store(args) as store:
        solutions = batch.execute(store, scheduler=args.scheduler)
    boards = groupby(solutions, key=lambda solution: solution.position.size)
    print("\n\n".join(table_text({opening(solution): solution for solution in board}) for _, board in boards))
    return ANSWERED if all(solution.solved for solution in solutions) else UNKNOWN
