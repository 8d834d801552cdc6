"""Processes that do not outlive the test that starts them."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

_SPAWN = get_context("spawn")


@contextmanager
def started(command: Sequence[str | Path], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """A process in a group of its own; at the end all of the group are killed."""
    with subprocess.Popen(command, start_new_session=True, **options) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def spawned(target: Callable[..., object], *arguments: object) -> Iterator[tuple[BaseProcess, Connection]]:
    """A process that runs `target(connection, *arguments)`, and the other end of the connection; killed at the end."""
    ours, theirs = _SPAWN.Pipe()
    process = _SPAWN.Process(target=target, args=(theirs, *arguments), daemon=True)
    process.start()
    theirs.close()
    with ours:
        try:
            yield process, ours
        finally:
            process.kill()
            process.join()


def called(target: Callable[..., object], *arguments: object) -> Any:
    """What `target(connection, *arguments)` sends from a process of its own."""
    with spawned(target, *arguments) as (process, connection):
        answer = connection.recv()
        process.join()
    assert process.exitcode == 0
    return answer


def group(process: int) -> list[int]:
    """The processes of a group that are alive, on a system that has /proc."""
    return [member for member, state, _, group in _processes() if group == process and state != "Z"]


def children(process: int) -> list[int]:
    """The workers of a process, on a system that has /proc."""
    found = []
    for child, state, parent, _ in _processes():
        with suppress(FileNotFoundError, ProcessLookupError):  # it may end meanwhile
            if parent == process and state != "Z" and "resource_tracker" not in Path(f"/proc/{child}/cmdline").read_text():
                found.append(child)
    return found


def _processes() -> Iterator[tuple[int, str, int, int]]:
    """Number, state, parent and group of all processes."""
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):
            state, parent, group = status.read_text().rpartition(")")[2].split()[:3]
            yield int(status.parent.name), state, int(parent), int(group)
