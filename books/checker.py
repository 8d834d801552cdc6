"""Checks certificates: proofs of who wins a Hex position, and after how many plies.

This file needs nothing but Python and can be copied, read and run alone: `python3 checker.py FILE ...`. It trusts nothing in a
certificate; each rule below says why it is sound. The time it takes grows in proportion to the length of the file.

**The game.** The cells of a board are numbered row by row from the top left, from 0. The neighbours of (row r, column c) are (r, c-1),
(r, c+1), (r-1, c), (r+1, c), (r-1, c+1) and (r+1, c-1). Black joins the first row to the last, White the first column to the last.
A *two-bridge* is a pair of empty cells that are the common neighbours of two cells apart, or the neighbours on an edge row of a cell on
the row beside it. A player has *checkmate* with a chain of its stones from edge to edge in which each next step is contact or a
two-bridge, no cell being in two of these. A *length* counts the plies, moves of either player, until the winner's stones really join
its edges (metric connection) or until it has checkmate, when the winner hurries and the loser delays.

**Patterns.** A line of a proof, a *node*, says what its owner O can do against the opponent P in every position that fits a pattern
(stones, cells): all of the `stones` are O's, and none of the `cells` is P's. What else stands on the board, and who is to move, does not
matter: a further stone of O never hurts O, nor does one of P less; O can imagine it away, and make any move where its plan wants that
cell. So P's next move needs an answer only if it is on one of the `cells`, and the worst position that fits is the one in which P
owns all other cells.

**The file** is text in ASCII, a line for each item:

    hexbook certificate 1
    board 3 3                             columns, rows
    ..B                                   the rows from the top: . empty, B black, W white
    ...
    ...
    white to move
    black wins in 4 plies to checkmate    or "to connection"; or "within 4 plies", an upper bound; or only: black wins
    join                                  the winner's proof that it needs no longer. O is Black. A node:
    c < 2 5 >                             2 lies on the first edge, 5 touches it and is a two-bridge (7, 8) from the last edge
    c < 3 6                               3 is a two-bridge (0, 1) from the first edge, 6 touches it
    c < 2 4 6                             each of these touches the one before
    a 3:2 4:1                             so a move on 3 or on 4 joins 6 to the first edge, whatever P does first
    c < 6=1 >                             and to the last, on which it lies
    a 5:5 6:1                             so a move on 5 or on 6 wins
    root -:1                              and as White is to move, Black makes none before that
    hold                                  the loser's proof that it can delay so long. O is White
    w 80 17a                              with a stone on 7, and none of P's on 1, 3, 4, 5, 6 and 8, P needs more than one stone
    root 7:1                              so White plays on 7
    end

There is no part `hold` for 0 plies, and none for an upper bound or a mere winner.

`root`, the last line of a part, applies a node to the position. A node is named by how many lines before it stands: 1 is the line above.
So no proof can rest on itself, and the file can be checked as it is read. MOVE:NODE stands for O's move on a cell after which the node
applies; "-" is no move. The kinds of nodes:

    c POINT POINT[=NODE] ...    chain: joins the first point to the last; a point is a cell, or < or > for O's first or last edge
    a MOVE:NODE ...             answers: whatever P does next, one of these is left
    d NODE CELLS STONES         dead cell, or two captured: the node needs no stones there, but those around (for the winner, no length)
    w STONES CELLS              wall: P needs so many stones more that O need not move

The sets of cells of d and w are masks in hexadecimal, cell 0 being the bit of value 1.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from functools import reduce
from operator import and_, or_
from typing import BinaryIO, NamedTuple

MOST_CELLS = 64
NEVER = 1000
"""Stands for stones without limit; any number of stones that can matter is smaller."""

_LONGEST_LINE = 4096
_MOST_STEPS = 1000  # of the search for a chain behind one wall; honest ones need less than ten
_PLAYERS = ("black", "white")
_NUMBER = re.compile("0|[1-9][0-9]{0,8}")
_MASK = re.compile("0|[1-9a-f][0-9a-f]{0,15}")
_BOARD = re.compile("board ([1-9][0-9]?) ([1-9][0-9]?)")
_TO_MOVE = re.compile("(black|white) to move")
_CLAIM = re.compile("(black|white) wins(?: (in|within) (0|[1-9][0-9]?) plies to (checkmate|connection))?")


class Rejected(Exception):
    """Why a certificate proves nothing; one line that names the place."""


class Claim(NamedTuple):
    """What a certificate claims of a position. Players are 0 Black and 1 White; bit i of a mask is cell i."""

    columns: int
    rows: int
    stones: tuple[int, int]  # masks of the players' stones
    to_move: int
    winner: int
    metric: str  # "winner", "checkmate" or "connection"
    length: int | None  # plies, or an upper bound of them; None for metric winner
    exact: bool = True  # no shorter either

    def __str__(self) -> str:
        wins = f"{_PLAYERS[self.winner].capitalize()} wins"
        if self.length is None:
            return wins
        return f"{wins} {'in' if self.exact else 'within'} {self.length} {'ply' if self.length == 1 else 'plies'} to {self.metric}"


class Join(NamedTuple):
    """Two points are joined, even if P moves first: O answers each of P's moves on the `cells` on one of them."""

    ends: tuple[int, int]  # cells; the board's number of cells and the one after it stand for the first and the last edge
    stones: int
    cells: int
    bridged: int  # O needs at most so many stones on the cells until contacts and disjoint two-bridges on them join the points
    solid: int  # and at most so many until contacts do


class Hold(NamedTuple):
    """P, even if it moves first, is not at its goal (edges joined, or checkmate) within `held` more stones of its own."""

    stones: int
    cells: int
    held: int


Node = Join | Hold


class Option(NamedTuple):
    """A node that applies once O has made a move, and the pattern that a position must fit before the move."""

    move: int | None
    node: Node
    stones: int
    cells: int


def check(file: BinaryIO) -> tuple[Claim, int]:
    """Read a certificate; returns what it proves, and the number of its nodes. Raises Rejected if it does not prove what it claims."""
    lines = _Lines(file)
    try:
        return _check(lines)
    except Rejected as error:
        raise Rejected(f"line {lines.number}: {error}") from None


def _check(lines: _Lines) -> tuple[Claim, int]:
    claim = _read_claim(lines)
    board = Board(claim.columns, claim.rows)
    winner, loser = claim.winner, 1 - claim.winner
    most = None if claim.length is None else (claim.length + 1) // 2  # the stones that the winner needs
    if claim.length and (claim.length % 2 == 1) != (claim.to_move == winner):
        raise Rejected("such a game would not end with a move of the winner")

    lines.expect("join")
    proof = Part(board, winner, claim.metric)
    root = proof.read(lines)
    _fit(claim, winner, root)
    if not isinstance(root.node, Join) or root.node.ends != board.edges:
        raise Rejected("the root does not join the winner's edges")
    needed = root.node.solid if claim.metric == "connection" else root.node.bridged
    if most is not None and needed + (root.move is not None) > most:
        raise Rejected(f"the winner may need {needed + (root.move is not None)} stones, not {most}")
    nodes = len(proof.nodes)

    if most and claim.exact:
        lines.expect("hold")
        proof = Part(board, loser, claim.metric)
        root = proof.read(lines)
        _fit(claim, loser, root)
        if proof.held(root) < most - 1:
            raise Rejected(f"the loser holds out against {proof.held(root)} stones only, not {most - 1}")
        nodes += len(proof.nodes)

    lines.expect("end")
    lines.expect_nothing()
    return claim, nodes


def _fit(claim: Claim, owner: int, root: Option) -> None:
    """Does the position fit the root's pattern, and can the owner make its move?"""
    own, other = claim.stones[owner], claim.stones[1 - owner]
    if root.move is not None and (claim.to_move != owner or (own | other) >> root.move & 1):
        raise Rejected("the root's move cannot be made: the other side is to move, or the cell is occupied")
    if root.stones & ~own or root.cells & other:
        raise Rejected("the position does not fit the root's pattern")


class Part:
    """The nodes of one player, the owner O; the opponent is P."""

    def __init__(self, board: Board, owner: int, metric: str) -> None:
        self.nodes: list[Node] = []
        self._board = board
        self._owner = owner
        self._metric = metric
        self._kinds = {"c": self._chain, "a": self._answers, "d": self._dead, "w": self._wall}

    def read(self, lines: _Lines) -> Option:
        """Read the nodes up to the root, and return that."""
        while (words := lines.next().split(" "))[0] != "root":
            self.add(words)
        if len(words) != 2:
            raise Rejected("the root is one node")
        return self._option(words[1])

    def add(self, words: Sequence[str]) -> Node:
        """Add the node of a line."""
        if words[0] not in self._kinds:
            raise Rejected("this is no node")
        node = self._kinds[words[0]](words[1:])
        self.nodes.append(node)
        return node

    def held(self, option: Option) -> int:
        """The stones of P that O holds out against with an option, P to move after it.

        If O wins, P is never at its goal. Else, P could be there before O's move, with a two-bridge that the move spoils and P's next
        stone mends; but not if it takes P more than one stone after O's move. So a move counts only against one stone or more.
        """
        node = option.node
        if isinstance(node, Hold) and (node.held or option.move is None):
            return node.held
        if isinstance(node, Join) and node.ends == self._board.edges:
            return NEVER
        raise Rejected("an answer does not hold out: it joins other points than the edges, or comes when no stone is left")

    def _chain(self, words: Sequence[str]) -> Join:
        """Sound: O answers each of P's moves in the part of the chain where it was made, and else goes on in any part that is not yet
        joined; the parts do not disturb each other, since they share no cells. `solid` adds up. When the last part becomes joined by
        contacts and two-bridges, it has cost its `bridged`, and each other part, where P may have spoilt two-bridges since, its
        `solid` at most. If all parts are bridged from the start, so is the whole, and nothing is needed."""
        board, points, parts, stones = self._board, list[int](), list[tuple[int, int, int]](), 0
        for word in words:
            name, equals, reference = word.partition("=")
            point = board.point(name)
            if points:
                if equals:
                    node = self._node(reference)
                    if not isinstance(node, Join) or node.ends != _ends(points[-1], point):
                        raise Rejected(f"the node does not join what stands before {word}")
                    stones |= node.stones
                    parts.append((node.cells, node.bridged, node.solid))
                elif point not in (links := board.links[self._owner][points[-1]]):
                    raise Rejected(f"there is no link to {word}")
                elif links[point]:
                    parts.append((links[point], 0, 1))
            elif equals:
                raise Rejected("a chain begins with a point")
            points.append(point)
        if len(points) < 2 or any(point >= board.cells for point in points[1:-1]):
            raise Rejected("a chain has two points or more, and edges only at its ends")
        stones |= sum({1 << point for point in points if point < board.cells})
        taken = 0
        for cells, _, _ in parts:
            if taken & cells & ~stones:
                raise Rejected("two parts of the chain share a cell")
            taken |= cells & ~stones
        solid = sum(part[2] for part in parts)
        bridged = max((solid - part[2] + part[1] for part in parts if part[1]), default=0)
        return Join(_ends(points[0], points[-1]), stones, taken, min(bridged, NEVER), min(solid, NEVER))

    def _answers(self, words: Sequence[str]) -> Node:
        """Sound: P's next move, wherever it is, leaves the cells of one of the options free, so that O makes the move of that one.
        O spends one stone on it, if it is to join; P has spent one, if O is to hold out."""
        options = [self._option(word) for word in words]
        stones = reduce(or_, (option.stones for option in options), 0)
        if missing := reduce(and_, (option.cells for option in options), self._board.full) & ~stones:
            raise Rejected(f"there is no answer to a move on cell {missing.bit_length() - 1}")
        if any(option.move is not None and stones >> option.move & 1 for option in options):
            raise Rejected("a move on a cell that is occupied")
        cells = reduce(or_, (option.cells for option in options), 0) & ~stones
        nodes = [option.node for option in options]
        if isinstance(nodes[0], Join) and all(isinstance(node, Join) and node.ends == nodes[0].ends for node in nodes):
            bridged, solid = (max(node[i] for node in nodes) + 1 for i in (3, 4))
            return Join(nodes[0].ends, stones, cells, min(bridged, NEVER), min(solid, NEVER))
        return Hold(stones, cells, min(1 + min(map(self.held, options)), NEVER))

    def _dead(self, words: Sequence[str]) -> Join:
        """Sound, in the worst position that fits: O plays as if it had stones on the cells; if P takes one of two, O takes the other.
        When the board is full, the stones that are O's only in its mind are dead: any two of the neighbours between which such a cell
        joined O's stones are joined around it as well, for the ring around it cannot show O, P, O, P in turn. See Bjornsson,
        Hayward, Johanson, van Rijswijck, "Dead cell analysis in Hex and the Shannon game" (2007)."""
        if len(words) != 3:
            raise Rejected("a node, the dead cells and the stones around them are needed")
        node, gone, around = self._node(words[0]), self._mask(words[1]), self._mask(words[2])
        if not isinstance(node, Join) or node.ends != self._board.edges or gone.bit_count() not in (1, 2):
            raise Rejected("one cell or two of a Join of the edges may be dead")
        stones = (node.stones | around) & ~gone
        cells = node.cells & ~(gone | stones)
        theirs = self._board.full & ~(stones | cells | gone)
        for cell in _cells(gone):
            if self._board.alive(self._owner, cell, stones | gone & ~(1 << cell), theirs):
                raise Rejected(f"cell {cell} is not dead")
        return Join(node.ends, stones, cells | gone if gone.bit_count() == 2 else cells, NEVER, NEVER)

    def _wall(self, words: Sequence[str]) -> Hold:
        """Sound: in the worst position that fits, the chain that P has in the end runs over its stones, over so many cells on which it
        placed one, and over two-bridges that are open already; so their number is no less than the least that any such way needs,
        even one whose two-bridges share cells. If that least is none, the two-bridges are looked at in earnest."""
        if len(words) != 2:
            raise Rejected("a wall has two masks")
        stones, cells = map(self._mask, words)
        if stones & cells:
            raise Rejected("a stone of the wall stands on one of its free cells")
        attacker, theirs, bridges = 1 - self._owner, self._board.full & ~(stones | cells), self._metric == "checkmate"
        distance = self._board.distance(attacker, theirs, cells, bridges)
        if not distance and (not bridges or self._board.checkmate(attacker, theirs, cells)):
            raise Rejected("there is no wall here")
        return Hold(stones, cells, min(max(distance - 1, 0), NEVER))

    def _option(self, word: str) -> Option:
        move, _, reference = word.partition(":")
        node = self._node(reference)
        if move == "-":
            return Option(None, node, node.stones, node.cells)
        cell = self._board.cell(move)
        return Option(cell, node, node.stones & ~(1 << cell), node.cells | 1 << cell)

    def _node(self, reference: str) -> Node:
        back = _number(reference)
        if not 1 <= back <= len(self.nodes):
            raise Rejected(f"there is no node {back} lines before")
        return self.nodes[-back]

    def _mask(self, word: str) -> int:
        if not _MASK.fullmatch(word) or int(word, 16) & ~self._board.full:
            raise Rejected(f"{word[:24]!r} is no mask of cells of the board")
        return int(word, 16)


class Board:
    """The points of a board, which are its cells and, for each player, the first and the last edge; and how they are linked."""

    def __init__(self, columns: int, rows: int) -> None:
        self.cells = columns * rows
        self.full = (1 << self.cells) - 1
        self.edges = (self.cells, self.cells + 1)  # the edges as points
        around = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
        places = [divmod(cell, columns) for cell in range(self.cells)]
        self._rings = [[_place(r + down, c + right, columns, rows) for down, right in around] for r, c in places]
        top, left = (1 << columns) - 1, sum(1 << cell for cell in range(0, self.cells, columns))
        self.links = self._links(top, top << self.cells - columns), self._links(left, left << columns - 1)

    def _links(self, first: int, last: int) -> list[dict[int, int]]:
        """For each point those that it is linked to, with the cells of the two-bridge between, 0 for contact."""
        links: list[dict[int, int]] = [{} for _ in range(self.cells + 2)]
        near = [sum(1 << place for place in ring if place >= 0) for ring in self._rings]
        for one in range(self.cells):
            others = [(two, 1 << two, near[two]) for two in range(one)] + [(self.edges[0], first, first), (self.edges[1], last, last)]
            for two, itself, beside in others:
                contact = near[one] & itself if two < self.cells else 1 << one & itself
                pair = near[one] & beside
                if contact or pair.bit_count() == 2:
                    links[one][two] = links[two][one] = 0 if contact else pair
        return links

    def point(self, word: str) -> int:
        """A cell or an edge."""
        return self.edges["<>".index(word)] if word in ("<", ">") else self.cell(word)

    def cell(self, word: str) -> int:
        """A cell."""
        cell = _number(word)
        if cell >= self.cells:
            raise Rejected(f"there is no cell {cell}")
        return cell

    def alive(self, player: int, cell: int, own: int, theirs: int) -> bool:
        """Can the ring around a cell show the player, the opponent, the player and the opponent in turn?

        Beyond an edge the ring belongs to whose edge it is; beyond the corner of two edges it may be either's.
        """
        can = [
            (place != -1 - player, place != player - 2) if place < 0 else (not theirs >> place & 1, not own >> place & 1)
            for place in self._rings[cell]
        ]
        for first in (0, 1):
            turns = 0
            for here in can:
                turns += here[(first + turns) % 2]
            if turns >= 4:
                return True
        return False

    def distance(self, player: int, own: int, empty: int, bridges: bool) -> int:
        """The fewest stones that the player must add for a way from edge to edge by contacts and, for nothing, by two-bridges."""
        seen, layer = 0, [self.edges[0]]
        for stones in range(self.cells + 1):
            beyond = []
            for point in layer:  # grows by the stones that are reached from it
                for other, pair in self.links[player][point].items():
                    if pair and (not bridges or pair & ~empty):
                        continue
                    if other == self.edges[1]:
                        return stones
                    if (own | empty) & ~seen & 1 << other:
                        seen |= own & 1 << other
                        (layer if own >> other & 1 else beyond).append(other)
            layer = [cell for cell in set(beyond) if not seen >> cell & 1]
            seen |= sum(1 << cell for cell in layer)
        return NEVER

    def checkmate(self, player: int, own: int, empty: int) -> bool:
        """Is there a chain of contacts and of two-bridges that share no cell? Raises Rejected if that takes long to see."""
        links = self.links[player]
        points = {*_cells(own), *self.edges}
        group = {}  # of each point: the least of those that contacts join to it
        for point in sorted(points):
            waiting = [] if point in group else [point]
            for member in waiting:
                group[member] = point
                waiting += [other for other, pair in links[member].items() if not pair and other in points - group.keys()]
        bridges: dict[int, set[tuple[int, int]]] = {point: set() for point in group.values()}
        for point in points:
            bridges[group[point]] |= {(group[other], pair) for other, pair in links[point].items() if other in points and pair and not pair & ~empty}
        steps = 0

        def arrives(here: int, passed: frozenset[int], free: int) -> bool:
            """Does a chain go on from a group to the last edge, over groups not passed and over free cells?"""
            nonlocal steps
            steps += 1
            if steps > _MOST_STEPS:
                raise Rejected("this wall takes too long to check")
            return here == group[self.edges[1]] or any(
                arrives(other, passed | {other}, free & ~pair)
                for other, pair in bridges[here]
                if other not in passed and not pair & ~free
            )

        start = group[self.edges[0]]
        return arrives(start, frozenset({start}), empty)


class _Lines:
    """The lines of a file, one after the other, as lists of words."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.number = 0

    def next(self) -> str:
        """The next line. Raises Rejected if it is not a whole one."""
        line = self._file.readline(_LONGEST_LINE)
        self.number += 1
        if not line.endswith(b"\n"):
            raise Rejected("the file is cut off here, or the line is too long")
        try:
            return line[:-1].decode("ascii")
        except UnicodeDecodeError:
            raise Rejected("the line is no ASCII text") from None

    def expect(self, line: str) -> None:
        """Read a line that must be there."""
        if self.next() != line:
            raise Rejected(f"here should be the line {line!r}")

    def expect_nothing(self) -> None:
        """The file must end here."""
        if self._file.read(1):
            raise Rejected("the file goes on after its end")


def _read_claim(lines: _Lines) -> Claim:
    lines.expect("hexbook certificate 1")
    columns, rows = map(int, _match(_BOARD, lines))
    if columns * rows > MOST_CELLS:
        raise Rejected(f"a board has {MOST_CELLS} cells at most")
    cells = ""
    for _ in range(rows):
        row = lines.next()
        if len(row) != columns or set(row) - set(".BW"):
            raise Rejected(f"a row has {columns} cells: . or B or W")
        cells += row
    stones = (sum(1 << i for i, cell in enumerate(cells) if cell == color) for color in "BW")
    (to_move,) = _match(_TO_MOVE, lines)
    winner, kind, length, metric = _match(_CLAIM, lines)
    return Claim(
        columns,
        rows,
        (next(stones), next(stones)),
        _PLAYERS.index(to_move),
        _PLAYERS.index(winner),
        metric or "winner",
        None if length is None else int(length),
        kind != "within",
    )


def _match(pattern: re.Pattern[str], lines: _Lines) -> tuple[str, ...]:
    match = pattern.fullmatch(lines.next())
    if not match:
        raise Rejected("this line of the claim cannot be read")
    return match.groups()


def _number(word: str) -> int:
    if not _NUMBER.fullmatch(word):
        raise Rejected(f"{word[:24]!r} is no number")
    return int(word)


def _place(row: int, column: int, columns: int, rows: int) -> int:
    """The cell there; or beyond White's edges -1, beyond Black's -2, beyond both -3."""
    if 0 <= row < rows and 0 <= column < columns:
        return row * columns + column
    return -1 if 0 <= row < rows else -2 if 0 <= column < columns else -3


def _cells(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def _ends(one: int, two: int) -> tuple[int, int]:
    return (one, two) if one < two else (two, one)


def main(paths: Sequence[str]) -> int:
    """Check files; returns the exit status: 0 if all of them prove what they claim."""
    status = 0 if paths else 2
    for path in paths:
        try:
            with open(path, "rb") as file:
                claim, nodes = check(file)
            print(f"{path}: proved by {nodes} nodes: {claim}")
        except (Rejected, OSError) as error:
            print(f"{path}: rejected: {error}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
