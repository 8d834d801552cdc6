"""Run files: a batch of openings as a text file, and what the run leaves beside it.

    size = "6x6"
    metric = "checkmate"
    openings = "all"                           # or a list: ["a2", "c3"]
    workers = 2                                # processes; default: one a CPU
    seconds = 3600                             # for each opening; default: no limit
    memory = 512                               # MiB of tables for each worker
    reference = "reference/6x6-checkmate.csv"  # the finished table, relative to the run file

Each search that ends adds a line to `logs/NAME.log`. The reference is written when every opening is solved: it lists all of
them in the order of the cells, with what depends neither on the machine nor on the way there (node counts and times are in the
log), so that another run writes the same lines.

    # 6x6, metric checkmate: winner and length in plies after every opening
    # hexbook 0.1.0
    opening,winner,length
    a1,white,17
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from solver.engine import Engine
from solver.notation import format_cell, parse_cell, parse_size
from solver.openings import opening, solve_openings, summary
from solver.options import OPTIONS, Limits
from solver.pool import EngineMaker
from solver.position import InputError, Size
from solver.solution import Solution
from solver.store import Store

_NEEDED = ("size", "metric", "openings")
_KEYS = (*_NEEDED, "workers", "seconds", "memory", "reference")


@dataclass(frozen=True)
class Run:
    """What a run file asks for."""

    path: Path
    size: Size
    metric: str
    openings: tuple[int, ...]  # cells, in ascending order
    workers: int | None  # None: one a CPU
    limits: Limits
    reference: Path | None  # None: no table is wanted

    @classmethod
    def load(cls, path: Path) -> Run:
        """Read a run file. Raises InputError, which names the key, for what is missing, unknown or not understood."""
        try:
            keys = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise InputError(f"cannot read the run file {path}: {error.strerror}") from error
        except ValueError as error:
            raise InputError(f"the run file {path} is no TOML: {error}") from error
        try:
            return _run(path, keys)
        except InputError as error:
            raise InputError(f"run file {path}: {error}") from error

    @property
    def log(self) -> Path:
        """Where the lines of the searches go."""
        return self.path.parent / "logs" / f"{self.path.stem}.log"

    def execute(self, store: Store | None, *, progress: bool = True, engine: EngineMaker = Engine) -> list[Solution]:
        """Solve what `store` does not know yet; the solutions of all openings, in the order of the cells.

        The reference is written if all of them are solved. Raises OSError when the log or the reference cannot be written.
        """
        for file in (self.log, self.reference):
            if file is not None:
                file.parent.mkdir(parents=True, exist_ok=True)
        found = solve_openings(
            self.size, self.metric, self.openings, store=store, workers=self.workers, limits=self.limits,
            progress=progress, engine=engine,
        )
        solutions: dict[int, Solution] = {}
        with closing(found), self.log.open("a", encoding="utf-8") as log:
            for solution in found:
                if solution.source != "store" and self._image(solution) not in solutions:
                    log.write(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {summary(solution)}\n")
                    log.flush()
                solutions[opening(solution)] = solution
        table = [solutions[cell] for cell in self.openings]
        if self.reference is not None and all(solution.solved for solution in table):
            self._write_reference(self.reference, table)
        return table

    def _image(self, solution: Solution) -> int:
        """The opening that a half turn makes of the solved one."""
        return self.size.cells - 1 - opening(solution)

    def _write_reference(self, file: Path, table: list[Solution]) -> None:
        """Write the table beside its place and move it there, so that what stands there is always whole."""
        timed = self.metric != "winner"
        values = "winner and length in plies" if timed else "winner"
        lines = [
            f"# {self.size}, metric {self.metric}: {values} after every opening",
            f"# hexbook {version('hexbook')}",
            "opening,winner,length" if timed else "opening,winner",
        ]
        for solution in table:
            row = f"{format_cell(self.size, opening(solution))},{solution.winner}"
            lines.append(f"{row},{solution.length}" if timed else row)
        beside = file.with_name(f"{file.name}.new")
        beside.write_text("\n".join(lines) + "\n", encoding="utf-8")
        os.replace(beside, file)


def _run(path: Path, keys: dict[str, Any]) -> Run:
    for key in keys:
        if key not in _KEYS:
            raise InputError(f"unknown key {key!r}; the keys are {', '.join(_KEYS)}")
    for key in _NEEDED:
        if key not in keys:
            raise InputError(f"the key {key!r} is missing; every run names its {', '.join(_NEEDED)}")
    with _naming("size"):
        size = parse_size(_text(keys["size"]))
    with _naming("openings"):
        openings = _openings(size, keys["openings"])
    with _naming("metric"):
        metric = OPTIONS["metric"].read(_text(keys["metric"]))
    with _naming("reference"):
        reference = path.parent / _text(keys["reference"]) if "reference" in keys else None
    numbers = {}
    for key in ("workers", "seconds", "memory"):
        with _naming(key):
            numbers[key] = _number(key, keys[key]) if key in keys else OPTIONS[key].default
    limits = Limits(numbers["seconds"], numbers["memory"] << 20)
    return Run(path, size, metric, openings, numbers["workers"], limits, reference)


@contextmanager
def _naming(key: str) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        raise InputError(f"key {key!r}: {error}") from error


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise InputError(f"{value!r} is no text; write it in quotes")
    return value


def _number(key: str, value: object) -> Any:
    if isinstance(value, str):
        raise InputError(f"{value!r} is a text; write the number without quotes")
    return OPTIONS[key].read(str(value))


def _openings(size: Size, value: object) -> tuple[int, ...]:
    if value == "all":
        return tuple(range(size.cells))
    if not isinstance(value, list) or not value:
        raise InputError(f'{value!r} names no openings; write "all" or a list such as ["a1", "b1"]')
    return tuple(sorted({parse_cell(size, _text(cell)) for cell in value}))
