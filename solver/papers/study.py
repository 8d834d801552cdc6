"""Studies of the papers' own systems: each measures one system here and puts its paper's figures beside ours.

A system is a module of this package with a dictionary STUDIES, named in SYSTEMS. A study is called `system-key`; it yields tables.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import NamedTuple

from solver.notation import quoted
from solver.position import InputError

SYSTEMS: dict[str, str] = {
    "queenbee": "solver.papers.queenbee_studies",
    "hexy": "solver.papers.hexy_studies",
    "utility": "solver.papers.utility_studies",
    "toolbox": "solver.papers.toolbox_studies",
    "learning": "solver.papers.learning_studies",
}
"""The systems by name: the modules that hold their studies."""

Value = str | int | float | None
"""What stands in a cell of a table; None where there is nothing to say."""


class Table(NamedTuple):
    """Figures of a paper and ours."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[Value, ...]]
    note: str = ""  # what a reader has to know to compare the figures


class Study(NamedTuple):
    """One experiment."""

    purpose: str  # what is measured, and the section of the paper
    tables: Callable[[], Iterable[Table]]
    long: bool = False  # takes more than a few minutes: only done if it is named itself


class Outcome(NamedTuple):
    """What a study found, and the CPU seconds that it took."""

    name: str
    tables: list[Table]
    seconds: float


def studies() -> dict[str, Study]:
    """All studies by their full names."""
    return {
        f"{system}-{key}": study
        for system, module in SYSTEMS.items()
        for key, study in import_module(module).STUDIES.items()
    }


def chosen(names: Sequence[str]) -> list[str]:
    """The full names of the studies meant: all but the long ones, those of a system, or single ones.

    Raises InputError for a name that is neither a system nor a study.
    """
    known = studies()
    meant = []
    for name in names or SYSTEMS:
        if name in SYSTEMS:
            meant += [full for full, study in known.items() if full.startswith(f"{name}-") and not study.long]
        elif name in known:
            meant.append(name)
        else:
            raise InputError(f"{quoted(name)} is no study of the papers; choose from {', '.join((*SYSTEMS, *known))}")
    return list(dict.fromkeys(meant))


def outcomes(names: Sequence[str], workers: int) -> Generator[Outcome, None, None]:
    """The studies of these full names, each done in a process of its own, in this order."""
    processes: list[subprocess.Popen[str]] = []

    def done(name: str) -> Outcome:
        process = subprocess.Popen([sys.executable, "-m", __spec__.name, name], stdout=subprocess.PIPE, text=True)
        processes.append(process)
        answer, _ = process.communicate()
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, process.args)
        seconds, *tables = json.loads(answer)
        return Outcome(name, [Table(*table) for table in tables], seconds)

    with ThreadPoolExecutor(workers) as threads:
        try:
            yield from threads.map(done, names)
        finally:
            for process in processes:
                process.kill()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # an interrupt is told by the process that waits for this one
    start = time.process_time()
    tables = list(studies()[sys.argv[1]].tables())
    print(json.dumps([time.process_time() - start, *tables]))
