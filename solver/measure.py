"""Measurements: work done in a process of its own, so that the memory counted is the work's alone."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple


class Measurement(NamedTuple):
    """What some work took."""

    nodes: int
    seconds: float  # CPU time of the process, without its start
    peak: int  # MiB: the most memory that the process had
    finished: bool  # False: it was cut off, and took more than this

    @property
    def rate(self) -> float:
        """Nodes a CPU second."""
        return self.nodes / self.seconds


def measure_apart(module: str, *arguments: str) -> Measurement:
    """What `python -m module arguments` measures and reports."""
    done = subprocess.run([sys.executable, "-m", module, *arguments], stdout=subprocess.PIPE, text=True, check=True)
    return Measurement(*json.loads(done.stdout))


def report(work: Callable[[], tuple[int, bool]]) -> None:
    """Measure `work`, which returns its nodes and whether it came to its end, for `measure_apart` in another process."""
    start = time.process_time()
    nodes, finished = work()
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # KiB, but bytes on macOS
    print(json.dumps(Measurement(nodes, seconds, peak >> (20 if sys.platform == "darwin" else 10), finished)))
