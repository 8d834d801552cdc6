"""hexbook play: a game in the terminal against the book, or where it ends against the search."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from books.ranking import ranked
from solver.cli import ANSWERED
from solver.commands.advice import BOOK_FOR_SIZE, add_book, opened_engine, read_book
from solver.commands.answers import verdict
from solver.commands.arguments import add_options, add_position, read_position
from solver.commands.session import progress_bar
from solver.duel import Duel
from solver.engine import Engine
from solver.notation import format_board, format_cell, parse_cell
from solver.position import Color, InputError

_HELP = """\
c3       put a stone on c3
swap     take over the first stone (with --swap)
hint     the best move
moves    all moves and what they are worth
undo     take your last move back
new      start again
quit     leave"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.epilog = f"{BOOK_FOR_SIZE} In the game you can say:\n\n{_HELP}"
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    sides = [str(color) for color in Color]
    parser.add_argument("--side", choices=sides, default="black", help="your colour (default black, who begins)")
    parser.add_argument("--swap", action="store_true", help="with the swap rule: the second player may take over the first stone")
    add_book(parser)
    add_options(parser, "metric", "store", "workers", "seconds", "memory")
    parser.set_defaults(metric=None)


def run(args: argparse.Namespace) -> int:
    read_book(args)
    position, metric = read_position(args).position, args.metric or "checkmate"
    with opened_engine(args, position.size, metric) as engine:
        duel = Duel(engine, position, Color[args.side.upper()], metric=metric, swap=args.swap)
        print("Moves are cells, such as c3; help tells what else you can say.")
        _Dialogue(duel, engine, metric).run()
    return ANSWERED


class _Dialogue:
    """The words between the person and the game."""

    def __init__(self, duel: Duel, engine: Engine, metric: str) -> None:
        self._duel, self._engine, self._metric = duel, engine, metric
        self._commands: dict[str, Callable[[], None]] = {
            "swap": self._swap,
            "hint": self._hint,
            "moves": self._moves,
            "undo": self._undo,
            "new": self._new,
            "help": lambda: print(_HELP),
        }

    def run(self) -> None:
        """Play until the person quits or the input ends."""
        self._show()
        while True:
            while self._duel.winner is None and not self._duel.state.persons_turn:
                self._answer()
            words = self._ask()
            if words is None:
                return
            try:
                self._obey(words)
            except InputError as error:
                print(f"{error}.")

    def _ask(self) -> str | None:
        """What the person says; None at the end."""
        prompt = "over" if self._duel.winner is not None else str(self._duel.state.person)
        try:
            words = input(f"{prompt}> ").strip().lower()
        except EOFError:
            print()
            return None
        return None if words in ("quit", "exit", "q") else words

    def _obey(self, words: str) -> None:
        if words in self._commands:
            self._commands[words]()
        elif words:
            self._duel.play(self._cell(words))
            self._show()

    def _cell(self, words: str) -> int:
        position = self._duel.position
        try:
            cell = parse_cell(position.size, words)
        except InputError as error:
            raise InputError(f"{error}; or say help") from error
        if not position.empty >> cell & 1:
            raise InputError(f"{words} is occupied")
        return cell

    def _answer(self) -> None:
        """The engine moves."""
        color = self._duel.position.to_move
        with progress_bar() as progress:
            move = self._duel.answer(progress)
        if move is None:
            print(f"I swap and play {color.other} now; you are {color}.")
        else:
            print(f"{str(color).capitalize()} plays {format_cell(self._duel.position.size, move)}.")
        self._show()

    def _show(self) -> None:
        print(f"\n{format_board(self._duel.position)}\n")
        winner = self._duel.winner
        if winner is not None:
            who = "You win" if winner == self._duel.state.person else "I win"
            print(f"{who}: {winner} has joined its edges, or nothing can stop it. Say undo, new or quit.")

    def _swap(self) -> None:
        self._duel.swap()
        print(f"You are {self._duel.state.person} now.")

    def _hint(self) -> None:
        if self._duel.winner is not None:
            raise InputError("the game is over")
        position = self._duel.position
        with progress_bar() as progress:
            if self._duel.may_swap and self._duel.should_swap(progress):
                print("Swap: the first stone wins.")
                return
            move = self._duel.best_move(progress)
            value = verdict(self._engine.solve(position, self._metric, progress))
        print(f"{format_cell(position.size, move)}: {value}.")

    def _moves(self) -> None:
        with progress_bar() as progress:
            values = self._engine.moves(self._duel.position, self._metric, progress)
        print(*ranked(self._duel.position, values), sep="\n")

    def _undo(self) -> None:
        if not self._duel.undo():
            raise InputError("there is no move of yours to take back")
        self._show()

    def _new(self) -> None:
        self._duel.restart()
        self._show()
