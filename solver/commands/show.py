"""hexbook show: a position as a board, a game file, a link or markup."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from solver.commands.arguments import Named, add_position, read_position
from solver.commands.games import game_hexworld, game_sgf
from solver.diagrams import format_diamond, format_hexwiki, format_upright, format_upside_down
from solver.notation import format_board

_FORMATS: dict[str, Callable[[Named], str]] = {
    "ascii": lambda named: format_board(named.position),
    "diamond": lambda named: format_diamond(named.position),
    "upright": lambda named: format_upright(named.position),
    "upside-down": lambda named: format_upside_down(named.position),
    "sgf": game_sgf,
    "hexworld": game_hexworld,
    "hexwiki": lambda named: format_hexwiki(named.position),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.add_argument(
        "--format",
        choices=_FORMATS,
        default="ascii",
        help="ascii (the default) can be read back, diamond, upright and upside-down only look different; "
        "sgf is a game file, hexworld a link, hexwiki the markup of a diagram",
    )


def run(args: argparse.Namespace) -> int:
    print(_FORMATS[args.format](read_position(args)))
    return 0
