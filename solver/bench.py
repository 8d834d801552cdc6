"""Benchmarks: fixed jobs of the engine, from cold tables and without a store."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import NamedTuple

from solver.engine import Engine
from solver.measure import Measurement, measure_apart, report
from solver.openings import job_list
from solver.position import Position, Size


class Job(NamedTuple):
    """All openings of some square boards, one of each class of images, the tables empty before each."""

    purpose: str
    sizes: Iterable[int]  # n for n x n
    metric: str

    def solve(self) -> int:
        """Do it; the nodes that it took."""
        nodes = 0
        for n in self.sizes:
            size = Size(n, n)
            with Engine(size, cold=True) as engine:
                for cell in job_list(size, range(size.cells)):
                    nodes += engine.solve(Position.start(size).play(cell), self.metric).nodes
        return nodes


JOBS = {
    "winner5": Job("winners of all openings of 5x5", (5,), "winner"),
    "winner6": Job("winners of all openings of 6x6", (6,), "winner"),
    "winner7": Job("winners of all openings of 7x7", (7,), "winner"),
    "openings": Job("lengths to checkmate of all openings from 1x1 to 5x5", range(1, 6), "checkmate"),
    "length6": Job("lengths to checkmate of all openings of 6x6", (6,), "checkmate"),
    "connection6": Job("lengths to connection of all openings of 6x6", (6,), "connection"),
}


def measure(job: str) -> Measurement:
    """Do the job of that name in a process of its own."""
    return measure_apart("solver.bench", job)


if __name__ == "__main__":
    report(lambda: (JOBS[sys.argv[1]].solve(), True))
