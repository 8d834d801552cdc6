"""One kernel in one thread: its searches answer Ctrl-C, keep to a time limit and show their progress.

The kernel searches without the interpreter lock and sees no signals, so the main thread only waits for it, a little at a time: it
stays free for Ctrl-C, for the clock and for progress bars, and tells the kernel to stop when any of them asks for it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import NamedTuple, TypeVar

from solver import kernel
from solver.position import Size

A = TypeVar("A")

_TICK = 0.1  # seconds between two looks at the clock


class LimitReached(Exception):
    """A search was stopped because its time was up."""


class Status(NamedTuple):
    """How far a running search is."""

    nodes: int  # searched so far
    lower: int | None  # plies: the length is at least this; None while the winner is not known


class Watch(NamedTuple):
    """What the main thread keeps an eye on while the kernel searches."""

    deadline: float | None  # on the clock time.monotonic(); None: no limit
    tick: Callable[[Status], None]  # called about ten times a second
    lower: int | None = None  # for the status

    def time_left(self) -> float:
        """Seconds until the deadline."""
        return math.inf if self.deadline is None else max(0.0, self.deadline - time.monotonic())


class Worker:
    """The kernel of one board size, and the thread that runs it; one search at a time."""

    def __init__(self, size: Size, memory: int) -> None:
        """`memory` in bytes is for the kernel's tables."""
        self.kernel = kernel.Kernel(size.columns, size.rows, memory)
        self.seconds = 0.0  # CPU seconds of all searches so far
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="kernel")

    @property
    def nodes(self) -> int:
        """Nodes of all searches so far; counts on while one runs."""
        return self.kernel.nodes

    def ask(self, watch: Watch, search: Callable[..., A], *arguments: object) -> A:
        """What `search`, a method of the kernel, answers.

        Raises LimitReached at the deadline; whatever else ends the wait, such as KeyboardInterrupt, stops the search as well.
        """
        if watch.time_left() <= 0:
            raise LimitReached
        answer = self._thread.submit(self._timed, search, *arguments)
        try:
            while not wait((answer,), min(_TICK, watch.time_left())).done:
                watch.tick(Status(self.kernel.nodes, watch.lower))
                if watch.time_left() <= 0:
                    raise LimitReached
        except BaseException:
            self._stop(answer)
            raise
        return answer.result()

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown()

    def _timed(self, search: Callable[..., A], *arguments: object) -> A:
        start = time.thread_time()
        try:
            return search(*arguments)
        finally:
            self.seconds += time.thread_time() - start

    def _stop(self, answer: Future[A]) -> None:
        """Wait until the search has ended; asked again and again, since it may not even have begun."""
        while not wait((answer,), _TICK).done:
            self.kernel.stop()
