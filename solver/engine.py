"""The engine: exact answers about positions of one board, from the store where it knows and else by search.

Every question is turned into its canonical form once and stays in that orientation, with all that is played from there, so that
the kernel finds in its table what it has searched before.

The winner is found first. Then its fewest stones: the kernel proves or disproves "within k stones" for k going up from the best
lower bound known, so that a search that is stopped still has honest bounds, and the first proof is the exact length.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from types import TracebackType

from solver.kernel import BoundAnswer, Kernel, terminal
from solver.notebook import Notebook
from solver.options import Limits
from solver.position import Color, InputError, Position, Size, Symmetry, cells_of
from solver.replies import Replies
from solver.solution import METRICS, MoveValue, Pattern, Solution, judged, plies, stones_in
from solver.store import Record, Store
from solver.worker import Here, LimitReached, Status, Watch, Worker


Progress = Callable[[Status], None]


class Engine:
    """Answers questions about the positions of one board; a context manager, since it runs a thread and fills a store."""

    def __init__(
        self, size: Size, *, store: Store | None = None, limits: Limits = Limits(), lines: bool = False, cold: bool = False
    ) -> None:
        """`store` is asked before every search and told after it; it stays the caller's to close.

        With `lines`, solutions come with a line to the terminal. With `cold`, the tables are emptied before each `solve`, so that what
        it searches does not depend on earlier questions. The seconds of `limits` may be set anew between two questions.
        """
        self.size = size
        self.limits = limits
        self._lines = lines
        self._cold = cold
        self._deadline: float | None = None  # of several questions together; on the clock time.monotonic()
        self._notebook = Notebook(store)
        canonical, _ = Position.start(size).canonical()
        self._worker = Worker(canonical.size, limits.memory, limits.threads, limits.sharers)

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Write what is not in the store yet, and end the thread."""
        self._worker.close()
        self._notebook.flush()

    @property
    def nodes(self) -> int:
        """Nodes searched so far, for all questions."""
        return self._worker.nodes

    @contextmanager
    def together(self) -> Iterator[None]:
        """Let one time limit hold for all that is asked meanwhile, not one for each question."""
        outer, seconds = self._deadline, self.limits.seconds
        if outer is None and seconds is not None:
            self._deadline = time.monotonic() + seconds
        try:
            yield
        finally:
            self._deadline = outer

    def forget(self) -> None:
        """Empty the kernel's tables, for measurements that must not depend on earlier questions."""
        self._worker.forget()

    def solve(
        self, position: Position, metric: str = "checkmate", progress: Progress | None = None, *, most: int | None = None
    ) -> Solution:
        """The winner and the length; bounds and perhaps no winner when the time limit comes first.

        Whatever ends the search, what it proved is kept, and the next search of the position goes on from there. With `most`, all that is
        asked of the length is whether it is more than so many plies.
        """
        canonical, symmetry = self._oriented(position, metric)
        if self._cold:
            self._worker.forget()
        with self.together():
            solution = self._solution(_unknown(canonical, metric), self._watch(progress), most).seen_through(symmetry)
            return replace(solution, line=self.line(position, metric, progress)) if self._lines and solution.solved else solution

    def moves(self, position: Position, metric: str = "checkmate", progress: Progress | None = None) -> list[MoveValue]:
        """Every legal move with the value of the position after it, best first (see `judged`)."""
        known, symmetry, watch = self._asked(position, metric, progress)
        canonical, replies = known.position, self._replies(known, watch)
        if self.limits.sharers > 1:
            self._search_side_by_side(known, replies, watch)
        after = ((move, self._after(known, move, replies, watch)) for move in canonical.legal())
        return judged(position, {symmetry.cell(canonical.size, move): value.seen_through(symmetry) for move, value in after})

    def optimal_moves(self, position: Position, metric: str = "checkmate") -> list[int] | None:
        """The optimal moves in the order of the cells, or None when the time limit comes first.

        Cheaper than `moves`: how long the other moves last does not matter.
        """
        known, symmetry, watch = self._asked(position, metric)
        canonical = known.position
        if not known.solved:
            return None
        if known.length == 0:  # the game is over: only the moves themselves can be compared
            values = self.moves(position, metric)
            return None if any(value.optimal is None for value in values) else sorted(value.move for value in values if value.optimal)
        try:
            optimal = [move for move in canonical.legal() if self._optimal(known, move, watch)]
        except LimitReached:
            return None
        return sorted(symmetry.cell(canonical.size, move) for move in optimal)

    def line(self, position: Position, metric: str = "checkmate", progress: Progress | None = None) -> tuple[int, ...] | None:
        """The moves of an optimal game from `position` to the terminal, or None when the time limit comes first.

        For metric winner: a game to checkmate in which the winner plays winning moves and the loser takes the points that the
        winner would like best.
        """
        known, symmetry, watch = self._asked(position, metric, progress)
        if not known.solved:
            return None
        try:
            moves = self._winning_line(known, watch) if metric == "winner" else self._optimal_line(known, watch)
        except LimitReached:
            return None
        return tuple(symmetry.cell(known.position.size, move) for move in moves)

    def pattern(self, position: Position, metric: str = "checkmate", progress: Progress | None = None) -> Pattern | None:
        """Empty cells within which the winner wins, in no more than the length, and none of which can be left out.

        None when the time limit comes first.
        """
        known, symmetry, watch = self._asked(position, metric, progress)
        if not known.solved:
            return None
        try:
            carrier = self._least_carrier(known, watch)
            move = self._move_within(known, carrier, watch)
        except LimitReached:
            return None
        size = known.position.size
        return Pattern(symmetry.mask(size, carrier), None if move is None else symmetry.cell(size, move))

    def keep_line(self, solution: Solution) -> None:
        """Remember the line that another engine found, so that `line` finds it again without search."""
        if solution.length is None or solution.line is None:
            return
        position = solution.position
        for played, move in enumerate(solution.line, start=1):
            position, left = position.play(move), solution.length - played
            known = self._notebook.get(position, solution.metric)
            if known is None or known[0].upper != left or known[0].lower != left:
                self._notebook.put(position, solution.metric, Record(solution.winner, left, left, 0, 0))

    def _asked(self, position: Position, metric: str, progress: Progress | None = None) -> tuple[Solution, Symmetry, Watch]:
        """What is found out of a position's canonical image, the symmetry between the two, and the watch for what is searched next."""
        canonical, symmetry = self._oriented(position, metric)
        watch = self._watch(progress)
        return self._solution(_unknown(canonical, metric), watch), symmetry, watch

    def _oriented(self, position: Position, metric: str) -> tuple[Position, Symmetry]:
        if metric not in METRICS:
            raise InputError(f"unknown metric {metric!r}: choose {', '.join(METRICS)}")
        if position.size != self.size:
            raise ValueError(f"an engine of {self.size} was asked about a position of {position.size}")
        return position.canonical()

    def _watch(self, progress: Progress | None = None) -> Watch:
        def tick(status: Status) -> None:
            self._notebook.flush_if_due()
            if progress:
                progress(status)

        with self.together():
            return Watch(self._deadline, tick)

    def _solution(self, known: Solution, watch: Watch, most: int | None = None) -> Solution:
        """`known`, improved by what is remembered and, if that does not suffice, by search."""
        known = self._remembered(known)
        nodes, seconds = known.nodes - self._worker.nodes, known.seconds - self._worker.seconds

        def with_cost(found: Solution) -> Solution:
            return replace(found, nodes=nodes + self._worker.nodes, seconds=seconds + self._worker.seconds)

        try:
            for proved in _proofs(self._worker, known, watch, most):
                known = with_cost(proved)
                self._record(known)
            return known
        except LimitReached:
            return with_cost(known)

    def _remembered(self, known: Solution) -> Solution:
        """`known`, improved by the notebook and the store."""
        for metric in dict.fromkeys((known.metric, "winner")):
            found = self._notebook.get(known.position, metric)
            if found is not None and found[0].winner is not None:
                return _improved(known, *found)
        return known

    def _record(self, known: Solution) -> None:
        cost = known.nodes, round(1000 * known.seconds)
        self._notebook.put(known.position, "winner", Record(known.winner, 0, None, *cost))
        if known.metric != "winner":
            self._notebook.put(known.position, known.metric, Record(known.winner, known.lower, known.upper, *cost))

    def _replies(self, known: Solution, watch: Watch) -> Replies:
        """What a position and the pass tell of the positions after all moves; without the pass, if the position is not solved."""
        replies = Replies(known.position, _bounds(known))
        if known.solved:
            passed = self._solution(_unknown(known.position.passed(), known.metric), watch)
            replies = Replies(known.position, _bounds(known), _bounds(passed))
            _teach(replies, passed)
        return replies

    def _after(self, known: Solution, move: int, replies: Replies, watch: Watch) -> Solution:
        """What is known of the position after a move; what it teaches of the other moves, `replies` learns."""
        child = _unknown(known.position.play(move), known.metric)
        told = replies.told(move)
        if told.winner is None and known.metric != "winner":
            told = replies.told(move, self._solution(replace(child, metric="winner"), watch).winner)
        if told.winner is not None:
            child = _improved(child, told, "search")
        found = self._solution(child, watch)
        if child.solved:
            self._record(found)  # without any search
        _teach(replies, found)
        return found

    def _search_side_by_side(self, known: Solution, replies: Replies, watch: Watch) -> None:
        """Find out, as far as time allows, what is not known of the positions after all moves, several at a time."""
        children = {move: self._remembered(_unknown(known.position.play(move), known.metric)) for move in known.position.legal()}
        found = list[Solution]()

        def search(kernel: Kernel, move: int) -> None:
            child, nodes, start = children[move], kernel.nodes, time.thread_time()
            told = replies.told(move, child.winner)
            if told.winner is None and known.metric != "winner":
                told = replies.told(move, Color(kernel.winner(*child.position.board).winner))
            if told.winner is not None:
                child = _improved(child, told, "search")
            for child in _proofs(Here(kernel), child, watch, None):
                found.append(replace(child, nodes=kernel.nodes - nodes, seconds=time.thread_time() - start))
            _teach(replies, child)

        try:
            self._worker.share(watch, search, [move for move, child in children.items() if not child.solved])
        except LimitReached:
            pass
        finally:
            for solution in found:
                self._record(solution)

    def _least_carrier(self, known: Solution, watch: Watch) -> int:
        """A carrier of a solved position from which no cell can be taken."""
        assert known.winner is not None
        question = known.winner, stones_in(known.lower), known.metric

        def within(cells: int) -> int | None:
            position = _granted(known, cells)
            if known.metric == "winner":
                answer = self._worker.winner(watch, *position.board)
                return answer.carrier if answer.winner == known.winner else None
            return self._worker.within(watch, *position.board, *question).carrier

        carrier = within(known.position.empty)
        assert carrier is not None
        for cell in cells_of(carrier):
            smaller = within(carrier & ~(1 << cell)) if carrier >> cell & 1 else None
            carrier = carrier if smaller is None else smaller
        return carrier

    def _move_within(self, known: Solution, carrier: int, watch: Watch) -> int | None:
        """The winner's first move inside a carrier of a solved position; None if it needs none or is not to move."""
        position, winner, stones = _granted(known, carrier), known.winner, stones_in(known.lower)
        if winner != position.to_move or not carrier or (known.metric != "winner" and not stones):
            return None
        if known.metric == "winner":
            return self._winning_move(position, self._worker, watch)
        return optimal_move(partial(self._worker.within, watch), position, known.metric, winner, stones)

    def _optimal(self, known: Solution, move: int, watch: Watch) -> bool:
        """Whether a move keeps what a solved position of length above 0 promises to the side that makes it."""
        mover, child = known.position.to_move, known.position.play(move)
        if known.metric == "winner":
            value = self._after(known, move, Replies(known.position, _bounds(known)), watch)
            if not value.solved:
                raise LimitReached
            return value.winner == known.winner
        question = *child.board, known.winner, stones_in(known.lower) - 1, known.metric
        sooner = self._worker.within(watch, *question)
        return sooner.proved == (mover == known.winner)

    def _optimal_line(self, known: Solution, watch: Watch) -> list[int]:
        """A game of exactly the solved length; its positions are recorded, so that it is found again without search."""
        position, winner, metric, moves = known.position, known.winner, known.metric, list[int]()
        assert winner is not None
        stones = stones_in(known.lower)
        while stones:
            left = stones - (position.to_move == winner)
            move = self._known_move(position, metric, winner, left)
            if move is None:
                move = optimal_move(partial(self._worker.within, watch), position, metric, winner, stones)
            moves.append(move)
            position, stones = position.play(move), left
        self.keep_line(replace(known, line=tuple(moves)))
        return moves

    def _known_move(self, position: Position, metric: str, winner: Color, stones: int) -> int | None:
        """A move after which `winner` is known to need exactly `stones` more."""
        for move in position.legal():
            child = position.play(move)
            found = self._notebook.get(child, metric)
            length = plies(stones, child, winner)
            if found and found[0][:3] == (winner, length, length):
                return move
        return None

    def _winning_line(self, known: Solution, watch: Watch) -> list[int]:
        """A game to checkmate of winning moves and of sensible replies: where the winner, were it to move, would play itself."""
        winner, columns, rows = known.winner, known.position.size.columns, known.position.size.rows
        assert winner is not None

        def play(kernel: Kernel, go_on: Callable[[], None]) -> list[int]:
            position, moves = known.position, list[int]()
            while terminal("checkmate", columns, rows, position.black, position.white, winner) is None:
                go_on()
                moves.append(self._winning_move(replace(position, to_move=winner), Here(kernel), watch))
                position = position.play(moves[-1])
            return moves

        return self._worker.run(watch, play)

    def _winning_move(self, position: Position, asked: Worker | Here, watch: Watch) -> int:
        """A winning move of the side to move, which wins and has not joined its edges yet."""
        answer = asked.winner(watch, *position.board)
        assert answer.move is not None
        return answer.move


def _proofs(asked: Worker | Here, known: Solution, watch: Watch, most: int | None) -> Iterator[Solution]:
    """Ever better knowledge, until the position is solved, or known to be longer or not longer than `most`."""
    position, winner = known.position, known.winner
    known = replace(known, source="search")
    if winner is None:
        answer = asked.winner(watch, *position.board)
        winner = Color(answer.winner)
        upper = _most_plies(position, winner)
        carrier = answer.carrier if known.metric == "winner" else None  # it bounds no length
        known = replace(known, winner=winner, upper=upper, move=answer.move, carrier=carrier)
        yield known
    while not known.solved and (most is None or known.lower <= most < known.upper):
        stones = stones_in(known.lower) if most is None else (most + (position.to_move == winner)) // 2
        question = *position.board, winner, stones, known.metric
        bound = asked.within(watch._replace(lower=known.lower), *question)
        if bound.proved:
            known = replace(known, upper=plies(stones, position, winner), carrier=bound.carrier)
        else:
            known = replace(known, lower=plies(stones + 1, position, winner))
        if bound.proved == (position.to_move == winner):
            known = replace(known, move=bound.move)
        yield known


def optimal_move(within: Callable[..., BoundAnswer], position: Position, metric: str, winner: Color, stones: int) -> int:
    """A move that keeps the length, where `winner` needs `stones` > 0 more: a proof or refutation `within` that bound names it.

    `within` is that of a kernel.
    """
    defends = position.to_move != winner
    if defends and stones == 1:  # every move holds out; show one that the winner must answer
        answer = within(*position.board, winner, 1, metric)
        assert answer.carrier
        return cells_of(answer.carrier)[0]
    answer = within(*position.board, winner, stones - defends, metric)
    assert answer.move is not None
    return answer.move


def _granted(known: Solution, carrier: int) -> Position:
    """The position with all empty cells but those of `carrier` given to the loser."""
    position = known.position
    granted = position.empty & ~carrier
    if known.winner == Color.BLACK:
        return replace(position, white=position.white | granted)
    return replace(position, black=position.black | granted)


def _unknown(position: Position, metric: str) -> Solution:
    """All there is to say of a position before anything is known of it."""
    return Solution(position, metric, None, 0, position.empty.bit_count(), "search")


def _bounds(known: Solution) -> Record:
    """What is known, without its cost."""
    return Record(known.winner, known.lower, known.upper, 0, 0)


def _teach(replies: Replies, found: Solution) -> None:
    """Let `replies` learn the pattern of a position after a pass or a move, if the player to move wins there."""
    if found.winner == found.position.to_move and found.carrier is not None:
        replies.learn(found.length, found.carrier)


def _improved(known: Solution, record: Record, source: str) -> Solution:
    """`known`, with what a record of its winner adds."""
    assert record.winner is not None
    upper = _most_plies(known.position, record.winner) if record.upper is None else record.upper
    return replace(
        known,
        winner=record.winner,
        lower=max(known.lower, record.lower),
        upper=min(known.upper, upper),
        source=source,
        nodes=record.nodes,
        seconds=record.milliseconds / 1000,
    )


def _most_plies(position: Position, winner: Color) -> int:
    """The longest game that `winner` can still need: the board is full at its end."""
    empty = position.empty.bit_count()
    return plies((empty + (position.to_move == winner)) // 2, position, winner)
