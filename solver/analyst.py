"""An engine for whatever board is in hand, under settings that can change, and its answers in the words of HTP."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from solver.commands.answers import verdict
from solver.engine import Progress
from solver.notation import format_cell, format_moves
from solver.options import OPTIONS, Limits
from solver.player import Choice, TimedEngine, choose
from solver.position import Position, Size
from solver.protocol import Failure
from solver.solution import METRICS, MoveValue, Solution

EngineMaker = Callable[[Size, Limits], TimedEngine]

_KINDS = {"metric": "/".join(("list", *METRICS))}  # of parameters, for HexGui's dialog; the others are strings


class Analyst:
    """Answers about the positions of one board at a time; to be closed at the end.

    Each answer takes `seconds` at most. `progress` is called while a search runs, and ends it with the exceptions it raises.
    """

    def __init__(self, make: EngineMaker, *, metric: str, seconds: float, memory: int) -> None:
        """`make` makes the engine of a board when one is needed; `memory` in MiB."""
        self._make = make
        self._settings: dict[str, Any] = {"metric": metric, "seconds": seconds, "memory": memory}
        self._engine: TimedEngine | None = None

    def close(self) -> None:
        """Put the engine away, until a next one is needed."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def choice(self, position: Position, budget: float | None, progress: Progress) -> Choice:
        """A move in the seconds that are set, or in `budget` if that is less; what is doubtful of it goes to standard error."""
        seconds = self._settings["seconds"] if budget is None else min(budget, self._settings["seconds"])
        choice = choose(self._engine_for(position.size), position, self._settings["metric"], seconds, progress)
        if choice.move is not None and choice.doubt is not None:
            _note(f"{position.to_move} {format_cell(position.size, choice.move)}: {choice.doubt}")
        return choice

    def value(self, position: Position, progress: Progress) -> str:
        """The winner and the length, or what is known of them, in words."""
        return verdict(self._solution(position, self._settings["metric"], progress))

    def winner(self, position: Position, progress: Progress) -> str:
        """"black" or "white"; a failure if it is not found."""
        winner = self._solution(position, "winner", progress).winner
        if winner is None:
            raise Failure("unknown: the winner was not found in time")
        return str(winner)

    def lengths(self, position: Position, progress: Progress) -> str:
        """Every move with its worth to the side that makes it: W12 wins, L7 loses in so many plies after it, ? is not known."""
        values = self._values(position, self._settings["metric"], progress)
        return " ".join(f"{format_cell(position.size, value.move)} {self._label(value)}" for value in values)

    def winning(self, position: Position, progress: Progress) -> str:
        """The winning moves; how many moves are undecided goes to standard error."""
        values = self._values(position, "winner", progress)
        if unknown := sum(value.winning is None for value in values):
            _note(f"the winner after {unknown} of {len(values)} moves was not found")
        return format_moves(position.size, (value.move for value in values if value.winning))

    def optimal(self, position: Position, progress: Progress) -> str:
        """The optimal moves; how many may be optimal or not goes to standard error."""
        values = self._values(position, self._settings["metric"], progress)
        if unknown := sum(value.optimal is None for value in values):
            _note(f"whether {unknown} of {len(values)} moves are optimal was not found")
        return format_moves(position.size, (value.move for value in values if value.optimal))

    def line(self, position: Position, progress: Progress) -> str:
        """The moves of an optimal game; a failure if it is not found."""
        engine = self._engine_for(position.size)
        engine.allow(self._settings["seconds"])
        line = engine.line(position, self._settings["metric"], progress)
        if line is None:
            raise Failure("unknown: no optimal line was found in time")
        return format_moves(position.size, line)

    def forget(self) -> None:
        """Empty the search tables."""
        if self._engine is not None:
            self._engine.forget()

    def settings(self) -> str:
        """A line for each setting: its type in brackets, name and value."""
        return "\n".join(f"[{_KINDS.get(name, 'string')}] {name} {value}" for name, value in self._settings.items())

    def setting(self, name: str) -> str:
        """The value of a setting."""
        return str(self._settings[self._known(name)])

    def set(self, name: str, text: str) -> None:
        """Change a setting; values are those of the options of the same name. Raises InputError for another value."""
        self._settings[name] = OPTIONS[self._known(name)].read(text)
        if name == "memory":
            self.close()

    def _known(self, name: str) -> str:
        if name not in self._settings:
            raise Failure(f"unknown parameter; there are {', '.join(self._settings)}")
        return name

    def _engine_for(self, size: Size) -> TimedEngine:
        if self._engine is not None and self._engine.size != size:
            self.close()
        if self._engine is None:
            self._engine = self._make(size, Limits(memory=self._settings["memory"] << 20))
        return self._engine

    def _solution(self, position: Position, metric: str, progress: Progress) -> Solution:
        engine = self._engine_for(position.size)
        engine.allow(self._settings["seconds"])
        return engine.solve(position, metric, progress)

    def _values(self, position: Position, metric: str, progress: Progress) -> list[MoveValue]:
        engine = self._engine_for(position.size)
        engine.allow(self._settings["seconds"])
        return engine.moves(position, metric, progress)

    def _label(self, value: MoveValue) -> str:
        if value.winning is None:
            return "?"
        length = "?" if value.length is None else str(value.length)
        return ("W" if value.winning else "L") + ("" if self._settings["metric"] == "winner" else length)


def _note(text: str) -> None:
    print("hexbook:", text, file=sys.stderr, flush=True)
