"""hexbook htp: the HTP server on standard input and output."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing

from solver.analyst import Analyst
from solver.cli import ANSWERED
from solver.commands.arguments import add_options
from solver.commands.session import opened_store
from solver.htp import Server
from solver.protocol import lines_of

_STANDARD_INPUT = 0
_SECONDS = 10.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser, "metric", "store", "seconds", "memory")
    parser.epilog = (
        f"Without --seconds a search has {_SECONDS:g} seconds; a move is made in this time, or in less if the controller's clock"
        " asks for it, even where nothing can be proved of it, which standard error then tells."
    )


def run(args: argparse.Namespace) -> int:
    seconds = _SECONDS if args.seconds is None else args.seconds
    with (
        opened_store(args) as store,
        closing(Analyst(store, metric=args.metric, seconds=seconds, memory=args.memory)) as analyst,
    ):
        Server(sys.stdout.buffer, analyst).serve(lines_of(_STANDARD_INPUT))
    return ANSWERED
