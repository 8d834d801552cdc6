"""hexbook explore: a web page to walk through the results of a board."""

from __future__ import annotations

import argparse
from pathlib import Path

from tqdm import tqdm

from books.atlas import Atlas, Gathering, usual_depth
from books.explore import extent, page
from solver.cli import ANSWERED, UNKNOWN
from solver.commands.advice import add_book, engine_with, opened_book
from solver.commands.arguments import add_options, argument_type
from solver.commands.session import opened_store
from solver.files import replaced, require_writable
from solver.notation import parse_size, quoted, whole_number
from solver.options import OPTIONS
from solver.position import Size
from solver.solution import METRICS

_MEGABYTE = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("size", metavar="SIZE", help="6 for 6x6, 6x7 for 6 columns and 7 rows")
    parser.add_argument("-o", "--output", metavar="FILE.html", type=Path, help="the page (default: hex-SIZE.html)")
    parser.add_argument(
        "--metric", metavar="METRIC[:D]", type=_metric, action="append",
        help=f"what the page tells, of {', '.join(METRICS)} (default checkmate); name more than one, each with --metric, and it can "
        "switch between them; with :D, of this one hold the values of all moves for the first D moves only, such as connection:1",
    )
    parser.add_argument(
        "--depth", metavar="D", type=_moves,
        help="hold the values of all moves for the first D moves of every game (default: so far as the book is complete, or a depth that "
        "suits the board, 2 for 6x6)",
    )
    add_book(parser)
    add_options(parser, "store", "workers", "seconds", "memory")


def run(args: argparse.Namespace) -> int:
    size = parse_size(args.size)
    output = args.output or Path(f"hex-{size}.html")
    require_writable(output)
    metrics = dict(args.metric or [("checkmate", None)])
    atlases = {metric: _gathered(args, size, metric, depth or args.depth) for metric, depth in metrics.items()}
    text = page(size, atlases)
    with replaced(output) as file:
        file.write_text(text, encoding="utf-8")
    print(f"{output}: {len(text) / _MEGABYTE:.2f} MB. {extent(size, atlases)}")
    return ANSWERED if all(atlas.solved for atlas in atlases.values()) else UNKNOWN


def _gathered(args: argparse.Namespace, size: Size, metric: str, depth: int | None) -> Atlas:
    with (
        opened_store(args) as store,
        opened_book(args, size, metric) as book,
        engine_with(book, store, args, size) as engine,
    ):
        if depth is None:
            depth = max(usual_depth(size), book.metadata.plies if book else 0)
        gathering = Gathering(size, metric, min(depth, size.cells), book)
        for _ in tqdm(
            gathering.steps(engine), f"{size} {metric}", len(gathering),
            unit=" positions", disable=None, dynamic_ncols=True, leave=False,
        ):  # fmt: skip
            pass
    return gathering.atlas


def _metric(text: str) -> tuple[str, int | None]:
    metric, colon, depth = text.partition(":")
    return argument_type(OPTIONS["metric"].read)(metric), _moves(depth) if colon else None


def _moves(text: str) -> int:
    moves = whole_number(text)
    if not moves:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no depth; write 1 for the openings, 2 for the replies, and so on")
    return moves
