"""hexbook show: a position as a board."""

from __future__ import annotations

import argparse

from solver.commands.arguments import add_position, read_position
from solver.notation import format_board


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_position(parser)


def run(args: argparse.Namespace) -> int:
    print(format_board(read_position(args).position))
    return 0
