"""Kernels in threads: their searches answer Ctrl-C, keep to a time limit and show their progress.

The kernel searches without the interpreter lock and sees no signals, so the main thread only waits for it, a little at a time: it
stays free for Ctrl-C, for the clock and for progress bars, and tells the kernel to stop when any of them asks for it.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ALL_COMPLETED, FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import NamedTuple, TypeVar

from solver import kernel
from solver.interrupt import interrupt_held_back
from solver.position import Size

A = TypeVar("A")
Q = TypeVar("Q")

_TICK = 0.1  # seconds between two looks at the clock
_PATIENCE = 0.002  # seconds until a search that should stop is told again


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


class Here:
    """A kernel that is asked in the thread that runs, in the way a worker is; another thread watches over it."""

    def __init__(self, each: kernel.Kernel) -> None:
        self._kernel = each

    def winner(self, _: Watch, *question: int) -> kernel.WinnerAnswer:
        """What `Kernel.winner` answers."""
        return self._kernel.winner(*question)

    def within(self, _: Watch, *question: int | str) -> kernel.BoundAnswer:
        """What `Kernel.within` answers."""
        return self._kernel.within(*question)


class Worker:
    """The kernels of one board size, and the threads that run them; one question at a time, or several that belong together."""

    def __init__(self, size: Size, memory: int, threads: int = 1, sharers: int = 1) -> None:
        """`memory` in bytes is for the tables, which all kernels share; more threads than one search lengths together (see `within`), more
        sharers share questions among them (see `share`)."""
        count = max(threads, sharers)
        first = kernel.Kernel(size.columns, size.rows, memory)
        self._kernels = [first, *(kernel.Kernel(size.columns, size.rows, partner=first) for _ in range(count - 1))]
        self._racers = self._kernels[:threads]
        self.seconds = 0.0  # CPU seconds of all searches so far
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="kernel")
        self._ending = threading.Event()  # set while searches are made to end

    @property
    def nodes(self) -> int:
        """Nodes of all searches so far; counts on while one runs."""
        return sum(each.nodes for each in self._kernels)

    def winner(self, watch: Watch, *question: int) -> kernel.WinnerAnswer:
        """What `Kernel.winner` answers.

        Raises LimitReached at the deadline; whatever else ends the wait, such as KeyboardInterrupt, stops the search as well.
        """
        return self._ask(watch, self._kernels[:1], lambda each: each.winner(*question))

    def within(self, watch: Watch, *question: int | str) -> kernel.BoundAnswer:
        """What `Kernel.within` answers; raises as `winner` does.

        As many kernels as there are threads search for it together: the first answer counts.
        """
        return self._ask(watch, self._racers, lambda each: each.within(*question))

    def run(self, watch: Watch, task: Callable[[kernel.Kernel, Callable[[], None]], A]) -> A:
        """What a task returns that asks a kernel many quick questions, all in the kernel's thread; raises as `winner` does.

        The task takes the kernel and a function to be called before each question, which raises Stopped when the task is to end.
        """
        return self._ask(watch, self._kernels[:1], lambda each: task(each, self._go_on))

    def share(self, watch: Watch, task: Callable[[kernel.Kernel, Q], object], questions: Iterable[Q]) -> None:
        """Do a task for all questions, each in the thread of the next kernel that is free; raises as `winner` does.

        A task that asks several times must expect Stopped at any time.
        """
        waiting = deque(questions)

        def work(each: kernel.Kernel) -> None:
            while waiting:
                self._go_on()
                try:
                    question = waiting.popleft()
                except IndexError:  # another kernel was quicker
                    return
                task(each, question)

        self._ask(watch, self._kernels, work, ALL_COMPLETED)

    def forget(self) -> None:
        """Empty all tables."""
        for each in self._kernels:
            each.clear()

    def close(self) -> None:
        """End the threads."""
        with interrupt_held_back():
            self._threads.shutdown()

    def _ask(
        self, watch: Watch, kernels: list[kernel.Kernel], search: Callable[[kernel.Kernel], A], until: str = FIRST_COMPLETED
    ) -> A:
        if watch.time_left() <= 0:
            raise LimitReached
        with interrupt_held_back() as let_interrupt_in:
            answers = {self._threads.submit(self._timed, search, each): each for each in kernels}
            try:
                while True:
                    done, running = wait(answers, min(_TICK, watch.time_left()), until)
                    if done and (until == FIRST_COMPLETED or not running):
                        return [answer.result() for answer in done][0]
                    watch.tick(Status(self.nodes, watch.lower))
                    if watch.time_left() <= 0:
                        raise LimitReached
                    let_interrupt_in()
            finally:
                self._stop(answers)

    def _timed(self, search: Callable[[kernel.Kernel], A], each: kernel.Kernel) -> A:
        start = time.thread_time()
        try:
            return search(each)
        finally:
            self.seconds += time.thread_time() - start

    def _stop(self, answers: dict[Future[A], kernel.Kernel]) -> None:
        """Wait until the searches have ended; told again and again, since one may not even have begun."""
        self._ending.set()
        running = set(answers)
        while running:
            for answer in running:
                answers[answer].stop()
            running = wait(running, _PATIENCE).not_done
        self._ending.clear()

    def _go_on(self) -> None:
        if self._ending.is_set():
            raise kernel.Stopped
