"""Positions that take too long, divided into the positions after their moves, and so on below these.

A position is expected to be hard when a search has spent a given time on it in vain. Then it is searched no more; its value follows
from those of its children, which are jobs of their own and can be done side by side. What is asked of a child is never its whole
value, but only what its parent needs. For a parent from which `attacker` shall win within `most` plies, that is whether it wins

- from one child within `most - 1`, if it is to move: one yes is enough;
- from every child within `most - 1`, if the opponent is to move: one no is enough.

The length of a root is found as the engine does it: is the least number of plies that is not refuted enough, or the next, and so on.
Positions that come about in several ways, and images of each other, are searched once.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from solver.guess import guessed_moves
from solver.job import Job
from solver.player import winner_by
from solver.position import Color, Position, Symmetry
from solver.solution import Solution, plies, stones_in
from solver.store import UNKNOWN, Record, Store, merge

_MIRROR = Symmetry(rotate=False, reflect=True)
_PAUSE = 10.0  # times as long as it takes to list what is needed, until that is done anew; a list that is used up ends the pause
_ENOUGH = 0.5  # of the time after which a position is divided: so much, spent at another time, tells as well that it is hard


class _Question(NamedTuple):
    """Does `attacker` win from here within `most` plies (None: at all)? The position is canonical, as all but roots are here."""

    position: Position
    attacker: Color
    most: int | None


class Division:
    """The jobs of a batch. Whoever does them takes them from here, and then `learn` is to be told the answers."""

    def __init__(self, roots: Iterable[Position], metric: str, store: Store | None, seconds: float | None) -> None:
        """`seconds` is the CPU time that a job has, after which its position is divided; None: none ever is.

        What `store` knows of the positions is used, and what follows from the answers is kept there.
        """
        self._metric, self._store, self._seconds = metric, store, seconds
        self._roots = {_canonical(root): root for root in roots}  # those that are not settled
        self._known: dict[Position, Record] = {}
        self._children: dict[Position, dict[Position, Symmetry]] = {}  # of the divided ones
        self._moves: dict[Position, int] = {}  # what the searches took for the best
        self._costs: dict[Position, tuple[int, float]] = {}  # nodes and CPU seconds of the searches
        self._size = next(iter(self._roots.values())).size if self._roots else None
        self._owners: dict[Position, Position] = {}  # the roots for which positions were listed
        self._in_hand = set[Position]()
        self._waiting = list[Job]()  # the last one is the next
        self._list_jobs()

    def take(self) -> Job | None:
        """The next job; None: all that is needed is in hand."""
        if not self._waiting:
            return None
        job = self._waiting.pop()
        self._in_hand.add(_canonical(job.position))
        return job

    def put_back(self, job: Job) -> None:
        """Let a job that was taken be the next one again."""
        self._in_hand.discard(_canonical(job.position))
        self._waiting.append(job)

    def root_of(self, job: Job) -> Position:
        """The root for which a job is done; of several, one of them."""
        return self._owners[_canonical(job.position)]

    def learn(self, job: Job, found: Solution | None) -> list[Solution]:
        """Take the answer to a job, None if it was given up; returns the solutions of the roots that are found to be settled.

        Without division a root is settled by its own job, even if that was given up or stopped by a limit.
        """
        canonical, symmetry = job.position.canonical()
        self._in_hand.discard(canonical)
        if found is not None:
            found_there = found.seen_through(symmetry)
            self._costs[canonical] = found.nodes, found.seconds
            if found_there.move is not None:
                self._moves[canonical] = found_there.move
            self._improve(canonical, _record(found_there, self._metric))
        if self._seconds is None:
            del self._roots[canonical]
            return [self._solution(canonical, job.position) if found is None else found]
        if found is None or not self._answered(canonical, job):
            self._divide(canonical)
        if self._waiting and time.monotonic() < self._pause_ends:
            return []
        settled = [root for root in self._roots if self._settle(root)]
        solutions = [self._solution(root, self._roots.pop(root)) for root in settled]
        self._list_jobs()
        return solutions

    def _list_jobs(self) -> None:
        """List anew what waits: first the jobs that are needed in any case, then more and more doubtful ones."""
        start = time.monotonic()
        listed: dict[Position, tuple[int, Job]] = {}
        for root in self._roots:
            for doubts, job in self._jobs_for(root):
                canonical = _canonical(job.position)
                if canonical not in self._in_hand and (canonical not in listed or doubts < listed[canonical][0]):
                    listed[canonical] = doubts, job
                    self._owners[canonical] = self._roots[root]
        self._waiting = [job for _, job in sorted(listed.values(), key=lambda entry: entry[0])][::-1]
        self._pause_ends = start + _PAUSE * (time.monotonic() - start)

    def _jobs_for(self, root: Position) -> Iterator[tuple[int, Job]]:
        """The jobs for a root; one whose value was all but known from the start is found to be solved by whoever takes it."""
        if not self._divided(root) or self._settle(root):
            yield 0, Job(self._roots[root], self._metric, seconds=self._seconds)
        else:
            yield from self._jobs_below(self._next_question(root), 0)

    def _jobs_below(self, question: _Question, doubts: int) -> Iterator[tuple[int, Job]]:
        """The searches that help with an open question, each with the number of those that may make it needless."""
        position, attacker, most = question
        if not self._divided(position):
            metric = "winner" if most is None or self._get(position).winner is None else self._metric
            asked = position if position.size == self._size else _MIRROR.position(position)
            yield doubts, Job(asked, metric, None if metric == "winner" else most, self._seconds)
            return
        lost = self._get(position).winner == attacker != position.to_move
        for below in self._questions_below(question):
            if lost:
                self._improve(below.position, UNKNOWN._replace(winner=below.attacker))
            if self._answer(below) is None:
                yield from self._jobs_below(below, doubts)
                doubts += position.to_move == attacker

    def _questions_below(self, question: _Question) -> Iterator[_Question]:
        position, attacker, most = question
        for child, symmetry in self._children[position].items():
            yield _Question(child, symmetry.color(attacker), None if most is None else most - 1)

    def _next_question(self, root: Position) -> _Question:
        """What to ask of a root that is not solved: who wins it, and then whether that takes no more than the least possible."""
        known = self._get(root)
        if known.winner is None:
            return _Question(root, root.to_move, None)
        return _Question(root, known.winner, plies(stones_in(known.lower), root, known.winner))

    def _settle(self, root: Position) -> bool:
        """Whether a root is solved by what is known of it and of the positions below."""
        while not self._solved(root):
            if self._answer(self._next_question(root)) is None:
                return False
        return True

    def _answer(self, question: _Question) -> bool | None:
        """The answer to a question; None: it is open."""
        position, attacker, most = question
        known = self._get(position)
        answer = _told(known, attacker, most)
        if answer is not None or not self._divided(position):
            return answer
        answer = self._answer_from_below(question)
        if answer:
            self._improve(position, known._replace(winner=attacker, lower=0, upper=most))
        elif answer is False and most is None:
            self._improve(position, known._replace(winner=attacker.other))
        elif answer is False and known.winner == attacker:
            self._improve(position, known._replace(lower=plies(stones_in(most or 0) + 1, position, attacker)))
        return answer

    def _answer_from_below(self, question: _Question) -> bool | None:
        """The answer that those to the children give; the child that decides it stands first the next time."""
        decisive = question.position.to_move == question.attacker
        is_open = False
        for below in self._questions_below(question):
            answer = self._answer(below)
            if answer is decisive:
                children = self._children[question.position]
                first = {below.position: children.pop(below.position)}
                self._children[question.position] = first | children
                return decisive
            is_open |= answer is None
        return None if is_open else not decisive

    def _answered(self, position: Position, job: Job) -> bool:
        """Whether a search found what it was for."""
        known = self._get(position)
        if job.metric == "winner":
            return known.winner is not None
        if job.most is None or known.winner is None:
            return self._solved(position)
        return known.lower > job.most or (known.upper is not None and known.upper <= job.most)

    def _solved(self, position: Position) -> bool:
        known = self._get(position)
        return known.winner is not None and (self._metric == "winner" or known.lower == known.upper)

    def _divided(self, position: Position) -> bool:
        """Whether a position is divided; one that was found hard at another time is divided at once."""
        if position in self._children:
            return True
        if self._seconds is None or self._get(position).milliseconds < _ENOUGH * 1000 * self._seconds or self._solved(position):
            return False
        self._divide(position)
        return position in self._children

    def _divide(self, position: Position) -> None:
        """Let the value of a position follow from those below, unless the game is over."""
        winner = winner_by("checkmate" if self._metric == "winner" else self._metric, position)
        if winner is not None:
            self._improve(position, _bounds(self._get(position)._replace(winner=winner, lower=0, upper=0), self._metric))
        elif position not in self._children:
            first = self._moves.get(position)
            moves = sorted(guessed_moves(position), key=lambda move: move != first)
            self._children[position] = dict(position.play(move).canonical() for move in moves)

    def _get(self, position: Position) -> Record:
        known = self._known.get(position)
        if known is None:
            known = UNKNOWN
            for metric in dict.fromkeys(("winner", self._metric)):
                stored = None if self._store is None else self._store.get(position, metric)
                known = known if stored is None else merge(known, _bounds(stored, metric))
            self._known[position] = known
        return known

    def _improve(self, position: Position, news: Record) -> None:
        before = self._get(position)
        self._known[position] = known = merge(before, news)
        if self._store is not None and known != before and self._seconds is not None:
            metrics = dict.fromkeys(("winner", self._metric) if known.winner is not None else (self._metric,))
            self._store.put_many((position, metric, _bounds(known, metric)) for metric in metrics)

    def _tree(self, root: Position) -> set[Position]:
        """A root and all positions into which it is divided."""
        found, waiting = set[Position](), [root]
        while waiting:
            position = waiting.pop()
            if position not in found:
                found.add(position)
                waiting += self._children.get(position, ())
        return found

    def _solution(self, root: Position, position: Position) -> Solution:
        """What is known of a root, at the cost of all searches below it; `position` is its image that was asked for."""
        known = self._get(root)
        costs = [self._costs.get(part, (0, 0.0)) for part in self._tree(root)]
        nodes, seconds = sum(nodes for nodes, _ in costs), sum(seconds for _, seconds in costs)
        longest = root.empty.bit_count()
        upper = longest if known.upper is None else min(longest, known.upper)
        found = Solution(root, self._metric, known.winner, known.lower, upper, "search", nodes, seconds)
        return found.seen_through(position.canonical()[1])


def _canonical(position: Position) -> Position:
    return position.canonical()[0]


def _bounds(known: Record, metric: str) -> Record:
    """A record as it is kept under a metric: bounds say nothing for metric winner."""
    return known._replace(lower=0, upper=None) if metric == "winner" else known


def _record(found: Solution, metric: str) -> Record:
    """What a search found, which may have been asked for less than `metric`."""
    record = Record(found.winner, found.lower, found.upper, found.nodes, round(1000 * found.seconds))
    return _bounds(record, "winner" if found.metric != metric else metric)


def _told(known: Record, attacker: Color, most: int | None) -> bool | None:
    """What the bounds of a position answer to a question."""
    if (known.winner is not None and known.winner != attacker) or (most is not None and most < 0):
        return False
    if known.winner is None:
        return None
    if most is None or (known.upper is not None and known.upper <= most):
        return True
    return False if known.lower > most else None
