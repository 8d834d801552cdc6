"""The HTP server: plays and analyses for HexGui and other controllers.

It answers the core commands of the protocol, the analysis commands that HexGui finds by ``hexgui-analyze_commands``, and the few
of benzene's names that HexGui's buttons and its users' regression files are wired to. Replies go to standard output, and what
is not proved of a move to standard error.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO, NamedTuple

from solver.analyst import Analyst
from solver.clock import Clock
from solver.game import Game, IllegalMove
from solver.notation import format_board, format_cell, format_moves, parse_size, whole_number
from solver.player import Choice, winner_by
from solver.position import Color, InputError, Position, Size
from solver.protocol import Command, Failure, Inbox, format_reply
from solver.sgf import load_sgf
from solver.worker import LimitReached, Status

_DEFAULT_SIZE = Size(6, 6)
_COLORS = {"b": Color.BLACK, "black": Color.BLACK, "w": Color.WHITE, "white": Color.WHITE}

_ANALYSES = """\
string/Solve/hexbook-solve %m
pspairs/Winners and Lengths/hexbook-lengths %m
plist/Winning Moves/hexbook-winning %m
var/Optimal Line/hexbook-pv %m
plist/Optimal Moves/hexbook-optimal %m
plist/All Legal Moves/all_legal_moves %m
string/Final Score/final_score
string/Show Board/showboard
param/Hexbook Parameters/param_hexbook"""


_Handler = Callable[["Server", list[str]], str]


class _Entry(NamedTuple):
    handle: _Handler
    least: int  # arguments
    most: float


_COMMANDS: dict[str, _Entry] = {}


def _command(*names: str, least: int = 0, most: float = 0) -> Callable[[_Handler], _Handler]:
    """Let a method answer the commands of these names, if they have `least` to `most` arguments."""

    def register(handle: _Handler) -> _Handler:
        _COMMANDS.update(dict.fromkeys(names, _Entry(handle, least, most)))
        return handle

    return register


class Server:
    """A session with one controller."""

    def __init__(self, output: BinaryIO, analyst: Analyst) -> None:
        """Replies go to `output`; `analyst` stays the caller's to close."""
        self._output, self._analyst = output, analyst
        self._game = Game(_DEFAULT_SIZE)
        self._clock = Clock()
        self._inbox: Inbox | None = None
        self._done = False

    def serve(self, lines: Iterable[bytes]) -> None:
        """Answer the commands in `lines`, in their order, until the last one or `quit`."""
        self._inbox = Inbox(lines)
        for command in self._inbox:
            self._output.write(self._reply(command).encode())
            self._output.flush()
            if self._done:
                return

    def _reply(self, command: Command) -> str:
        try:
            return format_reply(command.number, True, self._answer(command))
        except (Failure, InputError) as error:
            message = str(error)
        except MemoryError:
            message = "out of memory; take less with param_hexbook memory"
        except Exception as error:  # a bug; a controller that gets no reply would wait for ever
            message = f"internal error: {type(error).__name__}: {error}"
        return format_reply(command.number, False, message.replace("\n", " "))

    def _answer(self, command: Command) -> str:
        entry = _COMMANDS.get(command.name)
        if entry is None:
            raise Failure(f"unknown command: {_short(command.name)}")
        count = len(command.arguments)
        if entry.most == 0 and count:
            raise Failure("no arguments allowed")
        if not entry.least <= count <= entry.most:
            raise Failure(f"command needs {_counts(entry)}")
        return entry.handle(self, command.arguments)

    # The core of the protocol

    @_command("protocol_version")
    def _protocol_version(self, _: list[str]) -> str:
        return "2"

    @_command("name")
    def _name(self, _: list[str]) -> str:
        return "hexbook"

    @_command("version")
    def _version(self, _: list[str]) -> str:
        return version("hexbook")

    @_command("list_commands")
    def _list_commands(self, _: list[str]) -> str:
        return "\n".join(sorted(_COMMANDS))

    @_command("known_command", least=1, most=1)
    def _known_command(self, arguments: list[str]) -> str:
        return "true" if arguments[0] in _COMMANDS else "false"

    @_command("quit")
    def _quit(self, _: list[str]) -> str:
        self._done = True
        return ""

    @_command("gogui-interrupt")
    def _interrupt(self, _: list[str]) -> str:
        return ""  # that it is known tells a controller that "# interrupt" is understood

    @_command("hexgui-analyze_commands", "gogui-analyze_commands")
    def _analyze_commands(self, _: list[str]) -> str:
        return _ANALYSES

    # The game

    @_command("boardsize", least=1, most=2)
    def _boardsize(self, arguments: list[str]) -> str:
        try:
            size = parse_size("x".join(arguments).replace(":", "x"))
        except InputError as error:
            raise Failure(f"unacceptable size: {error}") from None
        self._begin(Game(size))
        return ""

    @_command("clear_board")
    def _clear_board(self, _: list[str]) -> str:
        self._begin(Game(self._size))
        return ""

    @_command("play", least=2, most=2)
    def _play(self, arguments: list[str]) -> str:
        _play_on(self._game, _color(arguments, 0), arguments[1])
        return ""

    @_command("play-game", most=math.inf)
    def _play_game(self, arguments: list[str]) -> str:
        game = Game(self._size)
        for ply, word in enumerate(arguments):
            _play_on(game, Color(ply % 2), word)
        self._begin(game)
        return ""

    @_command("loadsgf", least=1, most=2)
    def _loadsgf(self, arguments: list[str]) -> str:
        moves = None if len(arguments) == 1 else _count(arguments, 1)
        try:
            positions = load_sgf(Path(arguments[0])).positions
        except OSError as error:
            raise Failure(f"cannot load file: {error.strerror}") from None
        except InputError as error:
            raise Failure(f"cannot load file: {error}") from None
        self._begin(Game.of(positions if moves is None else positions[: moves + 1]))
        return ""

    @_command("undo")
    def _undo(self, _: list[str]) -> str:
        if not self._game.undo():
            raise Failure("cannot undo")
        return ""

    @_command("showboard")
    def _showboard(self, _: list[str]) -> str:
        return "\n" + format_board(self._game.position)

    @_command("all_legal_moves", most=1)
    def _all_legal_moves(self, arguments: list[str]) -> str:
        return format_moves(self._size, self._position(arguments).legal())

    @_command("final_score")
    def _final_score(self, _: list[str]) -> str:
        winner = winner_by("connection", self._game.position)
        if winner is None and self._game.resigned is not None:
            winner = self._game.resigned.other
        return "cannot score" if winner is None else f"{str(winner)[0].upper()}+"

    # Moves and time

    @_command("genmove", least=1, most=1)
    def _genmove(self, arguments: list[str]) -> str:
        color, start = _color(arguments, 0), time.monotonic()
        move = self._choice(color).move
        self._clock.spend(color, time.monotonic() - start)
        if move is None:
            return "resign"
        self._game.play(color, format_cell(self._size, move))
        return format_cell(self._size, move)

    @_command("reg_genmove", least=1, most=1)
    def _reg_genmove(self, arguments: list[str]) -> str:
        move = self._choice(_color(arguments, 0)).move
        return "resign" if move is None else format_cell(self._size, move)

    @_command("time_settings", least=3, most=3)
    def _time_settings(self, arguments: list[str]) -> str:
        self._clock.set_up(_number(arguments, 0), _number(arguments, 1), _count(arguments, 2))
        return ""

    @_command("time_left", least=2, most=3)
    def _time_left(self, arguments: list[str]) -> str:
        moves = _count(arguments, 2) if len(arguments) == 3 else 0
        self._clock.set_left(_color(arguments, 0), _number(arguments, 1), moves)
        return ""

    # Analysis

    @_command("hexbook-solve", most=1)
    def _solve(self, arguments: list[str]) -> str:
        return self._analyst.value(self._position(arguments), self._stop_analysis)

    @_command("hexbook-lengths", most=1)
    def _lengths(self, arguments: list[str]) -> str:
        return self._analyst.lengths(self._position(arguments), self._stop_analysis)

    @_command("hexbook-winning", most=1)
    def _winning(self, arguments: list[str]) -> str:
        return self._analyst.winning(self._position(arguments), self._stop_analysis)

    @_command("hexbook-optimal", most=1)
    def _optimal(self, arguments: list[str]) -> str:
        return self._analyst.optimal(self._position(arguments), self._stop_analysis)

    @_command("hexbook-pv", most=1)
    def _pv(self, arguments: list[str]) -> str:
        return self._analyst.line(self._position(arguments), self._stop_analysis)

    @_command("dfpn-solve-state", "dfs-solve-state", most=1)
    def _solve_state(self, arguments: list[str]) -> str:
        return self._analyst.winner(self._position(arguments), self._stop_analysis)

    @_command("dfpn-clear-tt", "dfs-clear-tt")
    def _forget(self, _: list[str]) -> str:
        self._analyst.forget()
        return ""

    @_command("param_hexbook", most=2)
    def _param_hexbook(self, arguments: list[str]) -> str:
        if not arguments:
            return "\n" + self._analyst.settings()
        if len(arguments) == 1:
            return self._analyst.setting(arguments[0])
        self._analyst.set(*arguments)
        return ""

    @_command("param_dfpn", "param_dfs", "param_game", most=math.inf)
    def _param_of_others(self, _: list[str]) -> str:
        return ""  # HexGui sets them unasked; they mean nothing here

    # What the commands share

    def _begin(self, game: Game) -> None:
        """Leave the old game for another one, which has the whole time again."""
        self._game = game
        self._clock.restart()

    @property
    def _size(self) -> Size:
        return self._game.position.size

    def _position(self, arguments: list[str]) -> Position:
        """The position on the board, with the side to move that the first argument names, if there is one."""
        position = self._game.position
        return replace(position, to_move=_color(arguments, 0)) if arguments else position

    def _choice(self, color: Color) -> Choice:
        position = replace(self._game.position, to_move=color)
        budget = self._clock.budget(color, position.empty.bit_count() // 4 + 1)  # few games fill the board
        return self._analyst.choice(position, budget, self._stop_search)

    def _stop_search(self, _: Status) -> None:
        if self._inbox is not None and self._inbox.interrupted:
            raise LimitReached

    def _stop_analysis(self, _: Status) -> None:
        if self._inbox is not None and self._inbox.interrupted:
            raise Failure("interrupted")


def _play_on(game: Game, color: Color, word: str) -> None:
    try:
        game.play(color, word)
    except IllegalMove as reason:
        raise Failure(f"illegal move:  {color} {_short(word.lower())} ({reason})") from None


def _color(arguments: list[str], place: int) -> Color:
    color = _COLORS.get(arguments[place].lower())
    if color is None:
        raise Failure(f"argument {place + 1} must be color")
    return color


def _number(arguments: list[str], place: int) -> float:
    try:
        number = float(arguments[place])
    except ValueError:
        number = -1.0
    if not 0 <= number < math.inf:
        raise Failure(f"argument {place + 1} must be a number of at least 0")
    return number


def _count(arguments: list[str], place: int) -> int:
    count = whole_number(arguments[place])
    if count is None:
        raise Failure(f"argument {place + 1} must be a whole number of at least 0")
    return count


def _counts(entry: _Entry) -> str:
    if entry.least == entry.most:
        return f"{entry.least} argument" + ("s" if entry.least != 1 else "")
    return f"{entry.least} to {entry.most} arguments" if entry.least else f"at most {entry.most} arguments"


def _short(word: str) -> str:
    return word if len(word) <= 40 else word[:37] + "..."
