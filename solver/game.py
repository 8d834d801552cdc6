"""A game with its history, as a controller drives it: any side may play at any time, and everything can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from solver.notation import parse_cell
from solver.position import Color, InputError, Position, Size, Symmetry

_MIRROR = Symmetry(rotate=False, reflect=True)


class IllegalMove(InputError):
    """A move that is not possible; the message is the reason in a word, as other Hex programs give it."""


class _State(NamedTuple):
    position: Position
    resigned: Color | None


class Game:
    """A position and how it came about.

    >>> game = Game(Size(3, 3))
    >>> game.play(Color.BLACK, "b1")
    >>> game.play(Color.WHITE, "swap-pieces")
    >>> game.position == Position(Size(3, 3), 0, 0b1000, Color.BLACK)  # White on a2
    True
    """

    def __init__(self, size: Size) -> None:
        self._states = [_State(Position.start(size), None)]

    @classmethod
    def of(cls, positions: Sequence[Position]) -> Game:
        """A game that went through `positions`, of one size and at least one."""
        game = cls(positions[0].size)
        game._states = [_State(position, None) for position in positions]
        return game

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self._states[-1].position

    @property
    def resigned(self) -> Color | None:
        """The player that has just resigned."""
        return self._states[-1].resigned

    def play(self, color: Color, word: str) -> None:
        """Play a cell, "swap-pieces" (or "swap") or "resign"; then the opponent is to move.

        Swap-pieces answers a single stone of the opponent on a square board: it takes its place, mirrored in the long
        diagonal, as a stone of `color`. Raises IllegalMove.
        """
        position, word = replace(self.position, to_move=color), word.lower()
        if word == "resign":
            self._states.append(_State(replace(position, to_move=color.other), color))
        elif word in ("swap-pieces", "swap"):
            alone = position.stones(color.other).bit_count() == 1 and not position.stones(color)
            if not (alone and position.size.square):
                raise IllegalMove("invalid")
            self._states.append(_State(_MIRROR.position(position), None))
        else:
            self._states.append(_State(_after(position, word), None))

    def undo(self) -> bool:
        """Take the last move back; False if there is none."""
        if len(self._states) == 1:
            return False
        self._states.pop()
        return True


def _after(position: Position, word: str) -> Position:
    try:
        cell = parse_cell(position.size, word)
    except InputError:
        raise IllegalMove("invalid") from None
    if not position.empty >> cell & 1:
        raise IllegalMove("occupied")
    return position.play(cell)
