"""What a command that solves needs around the engine: the store, the limits, a progress bar."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from solver.engine import Progress
from solver.options import Limits, available_cpus
from solver.position import InputError
from solver.store import Store, default_directory
from solver.worker import Status

_MOST_SHARERS = 4  # if nothing else is asked for; each of them takes its part of the memory


def limits(args: argparse.Namespace) -> Limits:
    """The limits that the options ask for.

    Where no number of workers is asked for, one search goes for a position, so that its line is the same each time, and a few share
    the moves of a position, whose values are the same whoever finds them.
    """
    sharers = args.workers or min(_MOST_SHARERS, available_cpus())
    return Limits(seconds=args.seconds, memory=args.memory << 20, threads=args.workers or 1, sharers=sharers)


@contextmanager
def opened_store(args: argparse.Namespace) -> Iterator[Store | None]:
    """The store that the options ask for, closed at the end."""
    if args.store == "none":
        yield None
        return
    with _default_store() if args.store is None else Store.open(Path(args.store)) as store:
        yield store


def _default_store() -> Store:
    try:
        return Store.open(default_directory())
    except InputError as error:
        raise InputError(f"{error} (name another one with --store, or do without: --store none)") from error


@contextmanager
def progress_bar() -> Iterator[Progress | None]:
    """What shows the progress of searches on a terminal; None elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(unit=" nodes", unit_scale=True, mininterval=0.5, dynamic_ncols=True, leave=False) as bar:

        def show(status: Status) -> None:
            bar.set_postfix_str("" if status.lower is None else f"length at least {status.lower}", refresh=False)
            bar.update(status.nodes - bar.n)

        yield show
