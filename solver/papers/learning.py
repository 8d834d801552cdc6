"""Opening books that grow by playing (van Rijswijck 2000, section 8.4, after Buro 1999).

A position of the book has a *local value*, that of the best move which is not in the book, found by a search that leaves the book moves
out; and a *negamax value*, the better of this and of the book moves' values. A game goes from the start along the best book moves. Where
the best move is not in the book, it is added, and the game's lesson is learned: a *vertical* addition if the position had no book move
yet, a *horizontal* one if the alternative has become better than those it had. The values of all positions above change with it.

So no line is lost twice, and the book of a small board becomes perfect in the end: each position also has bounds on what it is worth,
since searches are exact where they end in checkmate, and elsewhere exclude a checkmate within the plies that they have finished. Once the
winner is proved, games go on along the moves of which most may still be hoped, until the length is exact as well; this is our addition.

All searches end with the same side to move (7.3), or the values of positions at odd and even distances could not be compared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from solver.papers.queenbee import Found
from solver.papers.styles import FULL_WIDTH, STYLES
from solver.position import Color, Position, Size

MATE = 1_000_000
"""The value of a checkmate on an empty board; each stone on it takes one away, so that values of all positions can be compared."""


class Addition(Enum):
    """What a game added to the book."""

    VERTICAL = "vertical"
    HORIZONTAL = "horizontal"


class Outlook(NamedTuple):
    """What a position is worth to the side to move."""

    value: int  # the best estimate
    low: int  # it is surely worth so much,
    high: int  # and not more

    def turned(self) -> Outlook:
        """The same for the other side."""
        return Outlook(-self.value, -self.high, -self.low)


@dataclass
class Entry:
    """A position of the book."""

    local: Found | None  # the best move that is not in the book; None if all are
    outlook: Outlook
    moves: dict[int, Position] = field(default_factory=dict)  # the book moves, and the positions after them
    parents: set[Position] = field(default_factory=set)


class Book:
    """A book of one board. Its searches are full-width ones of Queenbee, of `nodes` positions each."""

    def __init__(self, size: Size, nodes: int) -> None:
        self.entries: dict[Position, Entry] = {}
        self._nodes = nodes
        last_moves = {Color.BLACK: FULL_WIDTH, Color.WHITE: "defensive"}  # by the side to move: Black makes the last move of all lines
        self._searches = {color: STYLES[style].search(size) for color, style in last_moves.items()}

    def outlook(self, position: Position) -> Outlook:
        """What the book says of a position, which is added if it is not in it. The position must not be over."""
        return self._entry(position).outlook

    def choose(self, position: Position) -> int:
        """The move to play: the best by the book, or by search outside of it."""
        entry = self._entry(position) if position in self.entries else None
        found = self._search(position, 0) if entry is None else entry.local
        best = None if entry is None else self._best(entry, hopeful=False)
        if best is not None:
            return best
        assert found is not None
        return found.move

    def learn(self, position: Position) -> Addition | None:
        """Play a game from a position and add what it shows; None if there is nothing left to learn."""
        outlook = self.outlook(position)
        if outlook.low == outlook.high:
            return None
        hopeful = outlook.low > 0 or outlook.high < 0
        while (move := self._best(entry := self._entry(position), hopeful)) is not None:
            position = entry.moves[move]
        addition = Addition.HORIZONTAL if entry.moves else Addition.VERTICAL
        assert entry.local is not None
        after = position.play(entry.local.move)
        self._entry(after).parents.add(position)
        entry.moves[entry.local.move] = after
        entry.local = self._search(position, sum(1 << move for move in entry.moves))
        self._update(position)
        return addition

    def _entry(self, position: Position) -> Entry:
        found = self.entries.get(position)
        if found is None:
            local = self._search(position, 0)
            assert local is not None
            found = self.entries[position] = Entry(local, _alternative(position, local))
        return found

    def _best(self, entry: Entry, hopeful: bool) -> int | None:
        """The book move of the best value, or of the highest hope; None if a move that is not in the book is better."""

        def merit(outlook: Outlook) -> int:
            return outlook.high if hopeful else outlook.value

        after = {move: self.entries[child].outlook.turned() for move, child in entry.moves.items()}
        best = max(after, key=lambda move: merit(after[move]), default=None)
        if best is None or merit(after[best]) < merit(entry.outlook):
            return None
        return best

    def _search(self, position: Position, excluded: int) -> Found | None:
        if excluded == position.empty:
            return None
        return self._searches[position.to_move].search(position.black, position.white, position.to_move, self._nodes, excluded=excluded)

    def _update(self, position: Position) -> None:
        """Bring the outlook of a position up to date, and those of the positions before it."""
        entry = self.entries[position]
        options = [self.entries[child].outlook.turned() for child in entry.moves.values()]
        if entry.local is not None:
            options.append(_alternative(position, entry.local))
        outlook = Outlook(*(max(column) for column in zip(*options)))
        if outlook != entry.outlook:
            entry.outlook = outlook
            for parent in entry.parents:
                self._update(parent)


def length(position: Position, value: int) -> int:
    """The plies to a checkmate of that value."""
    return MATE - abs(value) - (position.black | position.white).bit_count()


def _alternative(position: Position, local: Found) -> Outlook:
    """The outlook of the moves that a search looked at.

    Without a checkmate within the plies that it finished, the next win can come after an odd number of more, the next loss after an even
    one.
    """
    if local.length is not None:
        return Outlook(local.value, local.value, local.value)
    stones, odd = (position.black | position.white).bit_count(), local.plies % 2
    next_win, next_loss = local.plies + (2 if odd else 1), local.plies + (1 if odd else 2)
    return Outlook(local.value, stones + next_loss - MATE, MATE - stones - next_win)
