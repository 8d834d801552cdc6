"""The arguments that several commands take: positions and the shared options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from solver.files import MOST_TEXT, decoded, read_text
from solver.notation import (
    format_board,
    format_moves,
    moves_reaching,
    parse_board,
    parse_hexworld,
    parse_moves,
    parse_size,
    position_after,
    quoted,
    whole_number,
)
from solver.options import OPTIONS
from solver.position import Color, InputError, Position, Size
from solver.sgf import load_sgf

_SGF_ENDINGS = ".sgf", ".hsgf"


class Named(NamedTuple):
    """A position and how to write it in an answer."""

    position: Position
    moves: list[int] | None  # alternating moves that lead there; None: there are none

    def json(self) -> dict[str, str]:
        """The keys of an answer that name the position."""
        size = self.position.size
        named = {"board": format_board(self.position)} if self.moves is None else {"moves": format_moves(size, self.moves)}
        return {"size": str(size), **named, "to_move": str(self.position.to_move)}

    def game(self, more: Sequence[int] = ()) -> tuple[Position, list[int]]:
        """The moves and `more` moves, and where they begin: at the position itself if no moves lead there."""
        if self.moves is None:
            return self.position, list(more)
        return Position.start(self.position.size), [*self.moves, *more]


def add_options(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add the named ones of the shared options."""
    for name in names:
        option = OPTIONS[name]
        parser.add_argument(
            f"--{name}", metavar=option.metavar, default=option.default, type=argument_type(option.read), help=option.help
        )


def add_position(parser: argparse.ArgumentParser) -> None:
    """Add the ways to name a position."""
    parser.add_argument(
        "size",
        metavar="SIZE",
        nargs="?",
        help="6 for 6x6, 6x7 for 6 columns and 7 rows; or a game: an SGF file, or a HexWorld link in quotes",
    )
    parser.add_argument(
        "moves", metavar="MOVES", nargs="*", help="such as c3 d4: alternating, Black first (default: none); or a game of that size"
    )
    parser.add_argument("--ply", metavar="N", type=_ply, help="the position after N moves of the SGF file (default: its last one)")
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
    if _is_game(args.size):
        if args.moves:
            raise InputError(f"the {_kind(args.size)} has its own moves; leave the others out")
        return _read_game(args.size, args.ply)
    size = parse_size(args.size)
    if len(args.moves) == 1 and _is_game(args.moves[0]):
        named = _read_game(args.moves[0], args.ply)
        _check_size(f"board of the {_kind(args.moves[0])}", named.position, size)
        return named
    if args.ply is not None:
        raise InputError("--ply goes with an SGF file; leave out moves that you do not want")
    moves = parse_moves(size, " ".join(args.moves))
    return Named(position_after(size, moves), moves)


def _is_game(text: str) -> bool:
    return "#" in text or text.lower().endswith(_SGF_ENDINGS)


def _kind(text: str) -> str:
    return "SGF file" if text.lower().endswith(_SGF_ENDINGS) else "HexWorld link"


def _read_game(text: str, ply: int | None) -> Named:
    if text.lower().endswith(_SGF_ENDINGS):
        positions, moves = load_sgf(Path(text))
        last = len(positions) - 1
        if ply is not None and ply > last:
            raise InputError(f"the game in {text} has {last} moves, so that there is no --ply {ply}")
        ply = last if ply is None else ply
        return _named(positions[ply]) if moves is None else Named(positions[ply], moves[:ply])
    if ply is not None:
        raise InputError("--ply goes with an SGF file; a HexWorld link shows one position itself")
    game = parse_hexworld(text)
    return _named(game.position) if game.moves is None else Named(*game)


def _check_size(what: str, position: Position, size: Size) -> None:
    if size != position.size:
        raise InputError(f"the {what} is {position.size}, not {size}; correct the size or leave it out")


def _read_board(args: argparse.Namespace) -> Named:
    if not args.to_move:
        raise InputError("--board needs --to-move black or --to-move white")
    if args.moves or args.ply is not None:
        raise InputError("give either moves or a --board")
    position = parse_board(_text(args.board), Color[args.to_move.upper()])
    if args.size is not None:
        _check_size("board", position, parse_size(args.size))
    return _named(position)


def _ply(text: str) -> int:
    ply = whole_number(text)
    if ply is None:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no number of moves; write 0 for the start, 1 for the position after one")
    return ply


def _text(file: str) -> str:
    return decoded(sys.stdin.buffer.read(MOST_TEXT + 1), "standard input") if file == "-" else read_text(Path(file))


def _named(position: Position) -> Named:
    moves = moves_reaching(position)
    played = [move for move in moves if move is not None]
    return Named(position, played if len(played) == len(moves) else None)


def argument_type(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """`read` for argparse, which keeps the words of this error only."""

    def convert(text: str) -> Any:
        try:
            return read(text)
        except InputError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return convert
