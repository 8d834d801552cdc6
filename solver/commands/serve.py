"""hexbook serve: the explorer page with the solver behind it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

from books.explore import served_page
from books.ranking import moves_json
from books.server import Answer, Ask, Server
from solver.cli import ANSWERED
from solver.commands.advice import add_book, opened_engine
from solver.commands.answers import solution_json
from solver.commands.arguments import Named, add_options
from solver.engine import Engine
from solver.notation import parse_moves, parse_size, position_after, quoted, whole_number
from solver.options import OPTIONS
from solver.position import Size

_PORT = 8470


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("size", metavar="SIZE", nargs="?", default="6", help="6 for 6x6, 6x7 for 6 columns and 7 rows (default 6)")
    parser.add_argument("--port", metavar="P", type=_port, default=_PORT, help=f"the port (default {_PORT}; 0 for any that is free)")
    add_book(parser)
    add_options(parser, "metric", "store", "workers", "seconds", "memory")
    parser.epilog = "The page begins with the metric and offers the others, too. Only this machine is served. Ctrl-C ends it."


def run(args: argparse.Namespace) -> int:
    size = parse_size(args.size)
    metrics = [args.metric, *(metric for metric in ("checkmate", "connection", "winner") if metric != args.metric)]
    with opened_engine(args, size, args.metric) as engine:
        with closing(Server(args.port, served_page(size, metrics), _asking(engine, size))) as server:
            print(server.address, flush=True)
            server.serve_forever()
    return ANSWERED


def _asking(engine: Engine, size: Size) -> Ask:
    def ask(text: str, metric: str, watch: Callable[[], None]) -> Answer:
        OPTIONS["metric"].read(metric)
        moves = parse_moves(size, text)
        named = Named(position_after(size, moves), moves)

        def progress(_: object) -> None:
            watch()

        with engine.together():
            solution = engine.solve(named.position, metric, progress)
            watch()
            values = engine.moves(named.position, metric, progress)
            watch()
            line = engine.line(named.position, metric, progress) if solution.solved else None
        known = line is not None and all(value.winner is not None and (metric == "winner" or value.length is not None) for value in values)
        solution = replace(solution, line=line)
        return Answer(solution_json(named, solution) | {"legal": moves_json(size, values)}, known)

    return ask


def _port(text: str) -> int:
    port = whole_number(text)
    if port is None or port >= 1 << 16:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no port; write a number from 1 to 65535, or 0 for any that is free")
    return port
