"""hexbook query: every legal move of a position, with winner and length."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from books.puzzle import Puzzle
from books.ranking import good_moves, moves_json, ranked
from solver.cli import ANSWERED, UNKNOWN
from solver.commands.advice import BOOK_FOR_SIZE, add_book, opened_engine, read_book
from solver.commands.answers import print_json, solution_json, verdict
from solver.commands.arguments import Named, add_options, add_position, read_position
from solver.commands.session import progress_bar
from solver.files import replaced, require_writable
from solver.notation import format_board, format_moves
from solver.position import InputError
from solver.solution import MoveValue, Pattern, Solution


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.epilog = f"{BOOK_FOR_SIZE} Of a position that is set up, not played, the answer also tells what makers of puzzles ask."
    parser.add_argument("--json", action="store_true", help="print a JSON object on one line")
    drawn = "draw the cells that the winner needs there, as the ending says: .svg or .png"
    parser.add_argument("--pattern", metavar="FILE", type=Path, help=drawn)
    add_book(parser)
    add_options(parser, "metric", "store", "workers", "seconds", "memory")
    parser.set_defaults(metric=None)


def run(args: argparse.Namespace) -> int:
    read_book(args)
    named = read_position(args)
    position, metric = named.position, args.metric or "checkmate"
    draw = None if args.pattern is None else _drawer(args.pattern)
    set_up = args.board is not None or named.moves is None
    with opened_engine(args, position.size, metric) as engine, progress_bar() as progress, engine.together():
        nodes = engine.nodes
        solution = engine.solve(position, metric, progress)
        solution = replace(solution, line=engine.line(position, metric, progress) if solution.solved else None)
        moves = engine.moves(position, metric, progress)
        pattern = engine.pattern(position, metric, progress) if set_up or draw else None
        puzzle = Puzzle(solution, engine.solve(position.passed(), metric, progress), moves, pattern) if set_up else None
        searched = engine.nodes - nodes
    if args.json:
        more = {} if puzzle is None else {"puzzle": puzzle.to_json()}
        print_json(solution_json(named, solution) | {"legal": moves_json(position.size, moves)} | more)
    else:
        print(_text(named, solution, moves, puzzle, searched))
    if draw is not None and pattern is not None:
        draw(solution, pattern)
    known = all(value.winner is not None and (metric == "winner" or value.length is not None) for value in moves)
    return ANSWERED if solution.solved and known and (pattern is not None or not (set_up or draw)) else UNKNOWN


def _drawer(path: Path) -> Callable[[Solution, Pattern], object]:
    """What draws a pattern into a file. Raises InputError at once where that could not work."""
    from books import picture

    if path.suffix not in (".svg", ".png"):
        raise InputError(f"a pattern is drawn as .svg or .png, not as {path.name}")
    if path.suffix == ".png":
        picture.require_png()
    require_writable(path)

    def draw(solution: Solution, pattern: Pattern) -> None:
        position = solution.position
        heading = [f"{str(position.to_move).capitalize()} to move: {verdict(solution)}"]
        svg = picture.pattern(position, pattern.carrier, move=pattern.move, heading=heading)
        with replaced(path) as file:
            file.write_bytes(picture.png(svg) if path.suffix == ".png" else svg.encode())

    return draw


def _text(named: Named, solution: Solution, moves: Sequence[MoveValue], puzzle: Puzzle | None, searched: int) -> str:
    """The board with the good moves on it, the verdict, all moves in groups, and what is said of a puzzle."""
    position = named.position
    side = str(position.to_move).capitalize()
    lines = [format_board(position, good_moves(moves)), "", f"{side} to move: {verdict(solution)}."]
    if solution.line:
        lines.append(f"Line: {format_moves(position.size, solution.line)}")
    sources = Counter(value.source for value in moves)
    told = ", ".join(f"{source} {count}" for source, count in sources.items())
    lines += ["", *ranked(position, moves), ""]
    if puzzle is not None:
        lines += [puzzle.text(), ""]
    return "\n".join([*lines, f"({told or 'no moves'}; {searched:,} nodes searched)"])
