"""hexbook explore: a web page to walk through the results of a board."""

from __future__ import annotations

import argparse
from pathlib import Path

from tqdm import tqdm

from books.atlas import Atlas, Gathering, usual_depth
from books.explore import extent, page
from solver.cli import ANSWERED, UNKNOWN
from solver.commands.advice import add_book, opened_engine
from solver.commands.arguments import add_options
from solver.files import replaced, require_writable
from solver.notation import parse_size
from solver.position import InputError, Size
from solver.solution import METRICS

_MEGABYTE = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("size", metavar="SIZE", help="6 for 6x6, 6x7 for 6 columns and 7 rows")
    parser.add_argument("-o", "--output", metavar="FILE.html", type=Path, help="the page (default: hex-SIZE.html)")
    parser.add_argument(
        "--metric", choices=METRICS, action="append",
        help="what the page tells (default checkmate); name more than one, each with --metric, and it can switch between them",
    )
    parser.add_argument(
        "--depth", metavar="D", type=int,
        help="hold the values of all moves for the first D moves of every game (default: a depth that suits the board, 2 for 6x6)",
    )
    add_book(parser)
    add_options(parser, "store", "workers", "seconds", "memory")


def run(args: argparse.Namespace) -> int:
    size = parse_size(args.size)
    depth = _depth(args.depth, size)
    output = args.output or Path(f"hex-{size}.html")
    require_writable(output)
    atlases = {metric: _gathered(args, size, metric, depth) for metric in dict.fromkeys(args.metric or ["checkmate"])}
    text = page(size, atlases)
    with replaced(output) as file:
        file.write_text(text, encoding="utf-8")
    print(f"{output}: {len(text) / _MEGABYTE:.2f} MB. {extent(size, atlases)}")
    return ANSWERED if all(atlas.solved for atlas in atlases.values()) else UNKNOWN


def _depth(depth: int | None, size: Size) -> int:
    if depth is None:
        return usual_depth(size)
    if depth < 1:
        raise InputError(f"--depth {depth} holds no move; write 1 for the openings, 2 for the replies, and so on")
    return min(depth, size.cells)


def _gathered(args: argparse.Namespace, size: Size, metric: str, depth: int) -> Atlas:
    gathering = Gathering(size, metric, depth)
    with opened_engine(args, size, metric) as engine:
        steps = gathering.steps(engine)
        for _ in tqdm(
            steps, f"{size} {metric}", len(gathering), unit=" positions", disable=None, dynamic_ncols=True, leave=False
        ):
            pass
    return gathering.atlas
