"""The options that the commands and the run files share: one table of names, defaults and meanings."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from solver.notation import quoted, whole_number
from solver.position import InputError
from solver.solution import METRICS

_MOST_MEMORY = 1 << 24  # MiB
_MOST_WORKERS = 1024
_MOST_DIGITS = 99  # of a count


@dataclass(frozen=True)
class Limits:
    """What the engine may spend on an answer."""

    seconds: float | None = None  # by the clock, for each question to the engine; None: no limit
    memory: int = 512 << 20  # bytes, for the kernel's tables
    threads: int = 1  # searches that work on one length together; node counts are reproducible with one only
    sharers: int = 1  # searches that share the moves of a position among them, each move whole; fewer than `threads` means as many


def available_cpus() -> int:
    """The number of CPUs that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Option(NamedTuple):
    """`--name` on the command line, and a key of the same name in a run file."""

    name: str
    metavar: str
    default: Any
    read: Callable[[str], Any]  # the value that a text stands for; raises InputError
    help: str


def _metric(text: str) -> str:
    if text not in METRICS:
        raise InputError(f"{quoted(text)} is no metric; choose {', '.join(METRICS)}")
    return text


def _store(text: str) -> str:
    if not text:
        raise InputError("the store needs a name; name a directory, or none")
    return text


def _count(text: str) -> int:
    count = whole_number(text, _MOST_DIGITS)  # many digits, so that the limits below can say what is too much
    if not count:
        raise InputError(f"{quoted(text)} is no count; write a whole number of at least 1")
    return count


def _workers(text: str) -> int:
    workers = _count(text)
    if workers > _MOST_WORKERS:
        raise InputError(f"{quoted(workers)} workers are more than any machine has processors; write at most {_MOST_WORKERS}")
    return workers


def _mebibytes(text: str) -> int:
    mebibytes = _count(text)
    if mebibytes > _MOST_MEMORY:
        raise InputError(f"{quoted(mebibytes)} MiB is more than any machine has; write the number of MiB that tables may take")
    return mebibytes


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise InputError(f"{quoted(text)} is no time; write a number of seconds above 0")
    return seconds


OPTIONS = {
    option.name: option
    for option in (
        Option("metric", "METRIC", "checkmate", _metric,
               f"what to find out: {', '.join(METRICS)} (default checkmate); winner computes no length"),
        Option("store", "DIR", None, _store,
               "the directory that keeps what was solved; none for none (default: hexbook/store in the user's cache directory)"),
        Option("workers", "N", None, _workers, "processes that solve openings side by side (default: one a processor), or threads on one position (default: one, but up to four share the moves of a query)"),
        Option("seconds", "S", None, _seconds,
               "give up on a position after this time, with what is known by then (default: never)"),
        Option("memory", "MiB", Limits.memory >> 20, _mebibytes,
               f"memory for the search tables of a process (default {Limits.memory >> 20})"),
    )
}
