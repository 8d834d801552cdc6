"""Matches between two players over all openings of a board, as in tables 7.2, 7.4 and 7.7 of the thesis (van Rijswijck 2000).

Each opening, one of each pair of images, is played twice, each player once having the side that opened. Whoever wins both games wins the
opening; one game each is a draw. Nobody swaps, and nothing is random: a match played again is the same match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from solver.openings import job_list
from solver.papers.styles import Style
from solver.player import winner_by
from solver.position import Color, Position, Size

Player = Callable[[Position], int]
"""Chooses a move in a position that is not over."""


class Score(NamedTuple):
    """Openings won, drawn and lost by the first of two players."""

    wins: int
    draws: int
    losses: int

    @property
    def of_all(self) -> float:
        """The share of all games won."""
        return (self.wins + self.draws / 2) / (self.wins + self.draws + self.losses)

    @property
    def of_decided(self) -> float | None:
        """The share of the openings that were not drawn; None if all were.

        >>> Score(5, 19, 1).of_decided
        0.8333333333333334
        """
        return self.wins / (self.wins + self.losses) if self.wins + self.losses else None


def queenbee(size: Size, style: Style, nodes: int) -> Player:
    """Queenbee in one style, with so many nodes for a move."""
    search = style.search(size)
    return lambda position: search.search(position.black, position.white, position.to_move, nodes).move


def played(position: Position, black: Player, white: Player) -> Color:
    """The winner of the game that the two play from here: the first to reach checkmate."""
    players = {Color.BLACK: black, Color.WHITE: white}
    while (winner := winner_by("checkmate", position)) is None:
        position = position.play(players[position.to_move](position))
    return winner


def match(size: Size, one: Player, two: Player, openings: Iterable[int] | None = None) -> Score:
    """The score of `one` against `two` over the openings, by default one of each pair of images."""
    results = []
    for opening in job_list(size, range(size.cells) if openings is None else openings):
        start = Position.start(size).play(opening)
        results.append((played(start, one, two) == Color.BLACK) + (played(start, two, one) == Color.WHITE))
    return Score(results.count(2), results.count(1), results.count(0))
