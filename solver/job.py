"""What a batch has to do: positions to search, one by one, by whoever is free."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol

from solver.position import Position
from solver.store import Record
from solver.worker import LimitReached, Status

Row = tuple[Position, str, Record]
"""What there is to write: a position, a metric, and what is known."""

EngineMaker = Callable[..., Any]
"""`solver.engine.Engine`, or what stands for it: called with the size, `store` and `limits`."""

Tick = Callable[[list["Job"], int], None]
"""Called about twice a second with the jobs in hand and the nodes searched for all jobs so far."""


class Job(NamedTuple):
    """A position to solve."""

    position: Position
    metric: str
    most: int | None = None
    """Plies: all that is asked of the length is whether it is more. None: the length has to be found."""

    seconds: float | None = None
    """CPU time of the process after which the search ends. None: there is no such limit."""

    def solve(self, engine: Any, progress: Callable[[Status], None]) -> Any:
        """What an engine answers; it calls `progress` now and then, and stops if that raises LimitReached."""

        start = time.process_time()

        def watch(status: Status) -> None:
            progress(status)
            if self.seconds is not None and time.process_time() - start > self.seconds:
                raise LimitReached

        if self.most is None:
            return engine.solve(self.position, self.metric, watch)
        return engine.solve(self.position, self.metric, watch, most=self.most)


class Jobs(Protocol):
    """Where jobs are taken from. After an answer there may be more of them."""

    def take(self) -> Job | None:
        """The job that is next; None: there is none, but perhaps later."""

    def put_back(self, job: Job) -> None:
        """Let a job that was taken be the next one again."""


class Batch:
    """Jobs that are all known from the start."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._waiting = deque(jobs)

    def take(self) -> Job | None:
        """The next one; None: there are no more."""
        return self._waiting.popleft() if self._waiting else None

    def put_back(self, job: Job) -> None:
        """Let it be the next one again."""
        self._waiting.appendleft(job)
