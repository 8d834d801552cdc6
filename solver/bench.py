"""Benchmarks: fixed jobs of the engine, each measured in a process of its own, from cold tables and without a store."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

from solver.engine import Engine
from solver.openings import job_list
from solver.position import Position, Size


class Measurement(NamedTuple):
    """What a job took."""

    job: str
    nodes: int
    seconds: float  # CPU time of the process, without its start
    peak: int  # MiB: the most memory that the process had

    @property
    def rate(self) -> float:
        """Nodes a CPU second."""
        return self.nodes / self.seconds


def _all_openings(sizes: Iterable[int], metric: str) -> int:
    """Solve every class of openings of the square boards; the nodes that it took. The tables start empty for each opening."""
    nodes = 0
    for n in sizes:
        size = Size(n, n)
        with Engine(size) as engine:
            for cell in job_list(size, range(size.cells)):
                nodes += engine.solve(Position.start(size).play(cell), metric).nodes
                engine.forget()
    return nodes


JOBS: dict[str, tuple[str, Callable[[], int]]] = {
    "openings": ("lengths to checkmate of all openings from 1x1 to 5x5", lambda: _all_openings(range(1, 6), "checkmate")),
    "winner6": ("winners of all openings of 6x6", lambda: _all_openings([6], "winner")),
    "winner7": ("winners of all openings of 7x7", lambda: _all_openings([7], "winner")),
}
"""By name: what a job does, and the function that does it and returns its nodes."""


def measure(job: str) -> Measurement:
    """Do a job in a fresh process."""
    done = subprocess.run([sys.executable, "-m", "solver.bench", job], stdout=subprocess.PIPE, text=True, check=True)
    return Measurement(**json.loads(done.stdout))


def _measure_here(job: str) -> Measurement:
    start = time.process_time()
    nodes = JOBS[job][1]()
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # KiB, but bytes on macOS
    return Measurement(job, nodes, seconds, peak >> (20 if sys.platform == "darwin" else 10))


if __name__ == "__main__":
    print(json.dumps(_measure_here(sys.argv[1])._asdict()))
