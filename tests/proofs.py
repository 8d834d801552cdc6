"""For the tests of certificates: nodes of proofs made up at random, and what the judge says of them."""

from functools import lru_cache
from random import Random

import oracle

from books.checker import NEVER, Board, Hold, Join, Node, Part, Rejected
from positions import Setup, bits


class Tries:
    """Tries to grow a part of a proof at random. What the checker accepts is kept, for others to rest on."""

    def __init__(self, rng: Random, columns: int, rows: int, owner: int, metric: str) -> None:
        self.rng, self.owner, self.metric = rng, owner, metric
        self.columns, self.rows = columns, rows
        self.cells = columns * rows
        self.lines: list[list[str]] = []
        self.part = self._part()

    def _part(self) -> Part:
        return Part(Board(self.columns, self.rows), self.owner, self.metric)

    def grow(self) -> Node | None:
        """One more node, if the checker accepts it."""
        kind = self.rng.choice("ccaaaawd" if self.metric != "winner" else "ccaaaadd")
        try:
            words = {"c": self._chain, "a": self._answers, "w": self._wall, "d": self._dead}[kind]()
            node = self.part.add([kind, *words])
        except (Rejected, IndexError):
            return None
        self.lines.append([kind, *words])
        return node

    def _chain(self) -> list[str]:
        points = ["<" if self.rng.random() < 0.4 else self._point()]
        words = [points[0]]
        while len(words) < 2 or self.rng.random() < 0.6:
            joins = [(i, node) for i, node in enumerate(self.part.nodes) if isinstance(node, Join) and self._number(points[-1]) in node.ends]
            if joins and self.rng.random() < 0.5:
                index, node = self.rng.choice(joins[-8:])
                other = node.ends[1] if node.ends[0] == self._number(points[-1]) else node.ends[0]
                point = str(other) if other < self.cells else "<>"[other - self.cells]
                words.append(f"{point}={len(self.part.nodes) - index}")
            else:
                point = self._point()
                words.append(point)
            points.append(point)
        return words

    def _answers(self) -> list[str]:
        nodes, whole = list(enumerate(self.part.nodes)), (self.cells, self.cells + 1)
        if self.rng.random() < 0.4:
            nodes = [(i, node) for i, node in nodes if isinstance(node, Hold) or node.ends == whole]
        else:
            ends = whole if self.rng.random() < 0.5 else self.rng.choice([node.ends for _, node in nodes if isinstance(node, Join)])
            nodes = [(i, node) for i, node in nodes if isinstance(node, Join) and node.ends == ends]
        nodes = self.rng.sample(nodes, min(len(nodes), 30))
        words, left = list[str](), -1
        for index, node in nodes:
            move = self.rng.choice(["-", *map(str, range(self.cells))] + [str(cell) for cell in bits(node.stones)] * 4)
            cells = node.cells | (0 if move == "-" else 1 << int(move))
            if left & ~cells:
                words.append(f"{move}:{len(self.part.nodes) - index}")
                left &= cells
            if not left:
                break
        return words

    def _wall(self) -> list[str]:
        stones, cells = (self.rng.getrandbits(self.cells) & self.rng.getrandbits(self.cells) for _ in range(2))
        return [f"{stones & ~cells:x}", f"{cells:x}"]

    def _dead(self) -> list[str]:
        index, node = self.rng.choice([(i, node) for i, node in enumerate(self.part.nodes) if isinstance(node, Join) and max(node.ends) > self.cells])
        gone = sum({1 << self.rng.choice(bits(node.stones) + [self.rng.randrange(self.cells)]) for _ in range(2)})
        return [str(len(self.part.nodes) - index), f"{gone:x}", f"{self.rng.getrandbits(self.cells) & self.rng.getrandbits(self.cells):x}"]

    def _point(self) -> str:
        return self.rng.choice(["<", ">", *map(str, range(self.cells))])

    def _number(self, point: str) -> int:
        return self.cells + "<>".index(point) if point in "<>" else int(point)


def true(node: Node, setup: Setup, owner: int, metric: str) -> bool:
    """Is it true of a position that fits the node's pattern, with the opponent to move?"""
    board, own, other = setup.board, "BW"[owner], "WB"[owner]
    if isinstance(node, Hold):
        if node.held >= NEVER:
            return oracle.winner(board, other) == own
        goal = oracle.TERMINAL[metric]
        return not goal(board, other) and not oracle.within(board, other, other, max(0, 2 * node.held - 1), metric)
    if not _can_join(board, node.ends, owner):
        return False
    if node.solid < NEVER and not _joins(board, node.ends, owner, node.solid):
        return False
    cells = setup.columns * setup.rows
    return node.bridged >= NEVER or node.ends != (cells, cells + 1) or oracle.within(board, other, own, 2 * node.bridged, "checkmate")


def _can_join(board: oracle.Board, ends: tuple[int, int], owner: int) -> bool:
    return _joins(board, ends, owner, len(oracle.cells(board, ".")))


@lru_cache(1 << 16)
def _joins(board: oracle.Board, ends: tuple[int, int], owner: int, stones: int) -> bool:
    """Can the owner join the ends by contact with so many stones, if the opponent moves first?"""
    if _joined(board, ends, owner):
        return True
    empty = oracle.cells(board, ".")
    if not stones or not empty:
        return False
    own, other = "BW"[owner], "WB"[owner]

    def answer(after: oracle.Board) -> bool:
        return _joined(after, ends, owner) or any(
            _joins(oracle.play(after, cell, own), ends, owner, stones - 1) for cell in oracle.cells(after, ".")
        )

    return all(answer(oracle.play(board, cell, other)) for cell in empty)


def _joined(board: oracle.Board, ends: tuple[int, int], owner: int) -> bool:
    start, finish = (_stones_of_end(board, end, owner) for end in ends)
    return bool(oracle.joined(board, oracle.cells(board, "BW"[owner]), start) & finish)


def _stones_of_end(board: oracle.Board, end: int, owner: int) -> oracle.Cells:
    cells, columns = len(board) * len(board[0]), len(board[0])
    return oracle.edges(board, "BW"[owner])[end - cells] if end >= cells else frozenset({divmod(end, columns)})
