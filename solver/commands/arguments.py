"""The arguments that several commands take: positions and the shared options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from solver.notation import (
    format_board,
    format_moves,
    moves_reaching,
    parse_board,
    parse_hexworld,
    parse_moves,
    parse_size,
    position_after,
)
from solver.options import OPTIONS
from solver.position import Color, InputError, Position


class Named(NamedTuple):
    """A position and how to write it in an answer."""

    position: Position
    moves: list[int] | None  # alternating moves that lead there; None: there are none

    def json(self) -> dict[str, str]:
        """The keys of an answer that name the position."""
        size = self.position.size
        named = {"board": format_board(self.position)} if self.moves is None else {"moves": format_moves(size, self.moves)}
        return {"size": str(size), **named, "to_move": str(self.position.to_move)}


def add_options(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add the named ones of the shared options."""
    for name in names:
        option = OPTIONS[name]
        parser.add_argument(
            f"--{name}", metavar=option.metavar, default=option.default, type=_argument(option.read), help=option.help
        )


def add_position(parser: argparse.ArgumentParser) -> None:
    """Add the ways to name a position."""
    parser.add_argument(
        "size", metavar="SIZE", nargs="?", help="6 for 6x6, 6x7 for 6 columns and 7 rows; or a HexWorld link, in quotes"
    )
    parser.add_argument("moves", metavar="MOVES", nargs="*", help="such as c3 d4: alternating, Black first (default: none)")
    parser.add_argument("--board", metavar="FILE", help="read the position from a board as show prints it; - for standard input")
    parser.add_argument("--to-move", choices=[str(color) for color in Color], help="the side to move on the --board")


def read_position(args: argparse.Namespace) -> Named:
    """The position that the arguments of `add_position` name."""
    if args.board is not None:
        return _read_board(args)
    if args.to_move:
        raise InputError("--to-move goes with --board; after a list of moves the side to move is known")
    if args.size is None:
        raise InputError("name the size of the board, such as 6 or 6x7, or give a --board")
    if "#" in args.size:
        if args.moves:
            raise InputError("a HexWorld link has its own moves; leave the others out")
        game = parse_hexworld(args.size)
        return _named(game.position) if game.moves is None else Named(*game)
    size = parse_size(args.size)
    moves = parse_moves(size, " ".join(args.moves))
    return Named(position_after(size, moves), moves)


def _read_board(args: argparse.Namespace) -> Named:
    if not args.to_move:
        raise InputError("--board needs --to-move black or --to-move white")
    if args.moves:
        raise InputError("give either moves or a --board")
    position = parse_board(_text(args.board), Color[args.to_move.upper()])
    if args.size is not None and parse_size(args.size) != position.size:
        raise InputError(f"the board is {position.size}, not {args.size}; correct the size or leave it out")
    return _named(position)


def _text(file: str) -> str:
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{file} is no text file") from None


def _named(position: Position) -> Named:
    moves = moves_reaching(position)
    played = [move for move in moves if move is not None]
    return Named(position, played if len(played) == len(moves) else None)


def _argument(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """`read` for argparse, which keeps the words of this error only."""

    def convert(text: str) -> Any:
        try:
            return read(text)
        except InputError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return convert
