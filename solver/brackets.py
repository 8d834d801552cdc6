"""Lengths that are too hard to be searched at one go: bounds from both sides, narrowed question by question.

How hard a question "within so many plies?" is rises steeply towards the length, from either side. So an opening is first asked about
its least possible length, then about ever longer ones, until one takes too long; then from above, until one takes too long; and then
anew with twice the time. What is easy comes first, whichever opening it belongs to.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace

from solver.engine import Engine
from solver.job import EngineMaker, Job
from solver.openings import HALF_TURN, Display, images, job_list, records, remembered
from solver.options import Limits, available_cpus
from solver.pool import solve_in_processes
from solver.position import Position, Size
from solver.solution import Solution
from solver.store import Record, Store, merge

_FIRST = 10.0  # CPU seconds of the first question of an opening
_SHARE = 0.75  # of the gap between the bounds, in which the first question from above leaves so much below


@dataclass
class _Bracket:
    """An opening, and how it is asked about next."""

    known: Solution
    seconds: float
    above: bool = False
    share: float = _SHARE  # of the gap between the bounds that stays below the bound asked about
    asked: bool = False

    def most(self) -> int:
        """The plies to ask about: is the length more?"""
        if not self.above:
            return self.known.lower
        return min(self.known.lower + int(self.share * (self.known.upper - self.known.lower)), self.known.upper - 1)

    def learn(self, found: Solution | None) -> bool:
        """Take an answer, None for one whose search was killed; returns whether it is news. Chooses the next question."""
        before = self.known
        if found is not None:
            self.known = combined(before, found)
        news = (self.known.winner, self.known.lower, self.known.upper) != (before.winner, before.lower, before.upper)
        if news or self.known.solved:
            return news
        if not self.above:
            self.above, self.share = True, _SHARE
        elif self.most() + 2 < before.upper:
            self.share = (1 + self.share) / 2
        else:
            self.above, self.seconds = False, 2 * self.seconds
        return False


class Brackets:
    """The questions about some openings, as the jobs of a batch."""

    def __init__(self, known: Iterable[Solution], seconds: float) -> None:
        """`known` is what is known of the openings; no question is given more than `seconds` of CPU time."""
        self._brackets = {each.position: _Bracket(each, min(_FIRST, seconds)) for each in known if not each.solved}
        self._seconds = seconds

    def take(self) -> Job | None:
        """The question that has been given the least time; None: all that may still be asked is in hand."""
        free = [each for each in self._brackets.values() if not each.asked and not each.known.solved and each.seconds <= self._seconds]
        if not free:
            return None
        chosen = min(free, key=lambda each: each.seconds)
        chosen.asked = True
        return Job(chosen.known.position, chosen.known.metric, chosen.most(), chosen.seconds)

    def put_back(self, job: Job) -> None:
        """Let a question be asked again."""
        self._brackets[job.position].asked = False

    def learn(self, job: Job, found: Solution | None) -> Solution | None:
        """Take the answer; what is known of the opening if that is news."""
        bracket = self._brackets[job.position]
        bracket.asked = False
        return bracket.known if bracket.learn(found) else None


def narrow_openings(
    size: Size,
    metric: str,
    openings: Iterable[int],
    known: Mapping[int, Solution],
    *,
    store: Store | None,
    workers: int | None,
    limits: Limits,
    progress: bool = True,
    engine: EngineMaker = Engine,
) -> Generator[list[Solution], None, None]:
    """What is known of the positions after some openings, and then ever better knowledge, of an opening and its image at a time, until all
    are solved or nothing more can be answered in time.

    It begins with what `known` tells, by cells, and `store`. `limits.seconds` is the most CPU time of one question (None: no limit),
    `limits.memory` that of a worker's tables. However the iteration ends, the searches end with it, and nothing found is lost.
    """
    classes = job_list(size, openings)
    start = {cell: _known(size, metric, cell, known, store) for cell in classes}
    yield [image for solution in start.values() for image in images(solution, classes)]
    brackets = Brackets(start.values(), math.inf if limits.seconds is None else limits.seconds)
    tools = Limits(None, limits.memory)

    def tick(in_hand: list[Job], nodes: int) -> None:
        display.tick([job.position for job in in_hand], nodes)

    with closing(Display(len(classes), progress)) as display:
        for solution in start.values():
            if solution.solved:
                display.solved(solution)
        found = solve_in_processes(brackets, store=store, workers=workers or available_cpus(), limits=tools, engine=engine, tick=tick)
        with closing(found):
            for job, answer in found:
                news = brackets.learn(job, answer)
                if news is None:
                    continue
                if store is not None:
                    store.put_many(records(news))
                if news.solved:
                    display.solved(news)
                yield list(images(news, classes))


def _known(size: Size, metric: str, cell: int, known: Mapping[int, Solution], store: Store | None) -> Solution:
    """What a table, for the opening or its image, and the store know of it."""
    solution = remembered(Position.start(size).play(cell), metric, store)
    for told in (known.get(cell), known.get(HALF_TURN.cell(size, cell))):
        if told is not None:
            solution = combined(solution, told if told.position == solution.position else told.seen_through(HALF_TURN))
    return solution


def combined(known: Solution, found: Solution) -> Solution:
    """What two searches of a position tell together. Their cost: at least that of the longer one.

    Raises InputError when they contradict each other, as a table that was altered and a search may.
    """
    told = merge(*(Record(each.winner, each.lower, each.upper, 0, 0) for each in (known, found)))
    assert told.upper is not None
    return replace(
        known,
        winner=told.winner,
        lower=told.lower,
        upper=told.upper,
        source="search",
        nodes=max(known.nodes, found.nodes),
        seconds=max(known.seconds, found.seconds),
    )
