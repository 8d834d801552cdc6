"""hexbook check: certificates are checked, by a checker that knows nothing of the solver."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from books.checker import Claim, Rejected, check
from solver.cli import ANSWERED, BAD_INPUT, FAILED
from solver.commands.answers import print_json
from solver.notation import format_board
from solver.position import Color, Position, Size


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="a certificate that 'hexbook certify' wrote; - for standard input")
    parser.add_argument("--json", action="store_true", help="print a JSON object for each file, on a line of its own")


def run(args: argparse.Namespace) -> int:
    return max(_check(file, args.json, alone=len(args.files) == 1) for file in args.files)


def _check(name: str, as_json: bool, alone: bool) -> int:
    try:
        claim, nodes = _checked(name)
    except Rejected as error:
        if as_json:
            print_json({"file": name, "proved": False, "reason": str(error)})
        else:
            print(f"{name}: rejected: {error}", flush=True)
        return FAILED
    except OSError as error:
        if alone:
            raise
        print(f"hexbook: {name}: {error.strerror}", file=sys.stderr)
        return BAD_INPUT
    position = _position(claim)
    if as_json:
        value = {"winner": str(Color(claim.winner))} | ({} if claim.length is None else {"length" if claim.exact else "upper": claim.length})
        answer = {"file": name, "proved": True, "size": str(position.size), "board": format_board(position), "to_move": str(position.to_move)}
        print_json(answer | {"metric": claim.metric} | value | {"nodes": nodes})
    else:
        if alone:
            print(f"{format_board(position)}\n\n{str(position.to_move).capitalize()} to move.")
        print(f"{name}: proved: {claim} ({nodes:,} nodes)", flush=True)
    return ANSWERED


def _checked(name: str) -> tuple[Claim, int]:
    if name == "-":
        return check(sys.stdin.buffer)
    with Path(name).open("rb") as file:
        return check(file)


def _position(claim: Claim) -> Position:
    black, white = claim.stones
    return Position(Size(claim.columns, claim.rows), black, white, Color(claim.to_move))
