"""Run files: a batch of openings as a text file, and what the run leaves beside it.

    size = "6x6"                               # or a list of boards: ["4x5", "5x4"]
    metric = "checkmate"
    openings = "all"                           # or a list: ["a2", "c3"]
    workers = 2                                # processes; default: one a CPU
    seconds = 3600                             # for each opening; default: no limit
    split = 60                                 # CPU seconds after which a position is divided into those below; default: never
    memory = 512                               # MiB of tables for each worker
    reference = "reference/6x6-checkmate.csv"  # the finished table, relative to the run file
    nodes = true                               # the table has node counts, too: see below; default: false
    bounds = "reference/7x7-checkmate.csv"     # for lengths out of reach: a table of bounds, see below

Each search that ends adds a line to `logs/NAME.log`. The reference is written when every opening is solved: it lists all of
them in the order of the cells, with what depends neither on the machine nor on the way there, so that another run writes the
same lines.

    # 6x6, metric checkmate: winner and length in plies after every opening
    # made by hexbook 0.1.0, run 6x6-checkmate.toml; each length proved from below and above: ...
    # nodes: ...
    opening,winner,length,nodes
    a1,white,17,154570

With `split`, what takes longer is divided into jobs for all workers, of this machine or of a cluster (see `solver.division`).

With `bounds`, the lengths of one board are not solved one after the other but narrowed from both sides, question by question, the easy
ones first (see `solver.brackets`); `seconds` then limits a question. The table (see `solver.bounds`) is written anew after every answer that is news.
What it says when the run begins is believed, so that a run goes on where another one, perhaps on another machine, ended.

With a list of boards, their tables stand one below the other, and each line begins with the board.

Node counts depend on what is known before a search. With `nodes`, nothing is: every opening is searched, whatever the store knows
(it still learns from the run), so that the run begins anew when it was stopped. Another version of the program counts differently.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from errno import EISDIR
from importlib.metadata import version
from pathlib import Path
from typing import Any

from solver.bounds import read_bounds, write_bounds
from solver.brackets import narrow_openings
from solver.engine import Engine
from solver.files import append, beside, read_text, replaced
from solver.job import EngineMaker
from solver.notation import format_cell, parse_cell, parse_size, quoted
from solver.openings import opening, solve_openings, summary
from solver.options import OPTIONS, Limits
from solver.position import InputError, Size
from solver.solution import Solution
from solver.store import Store

_MOST = 64 << 10  # bytes of a run file
_NEEDED = ("size", "metric", "openings")
_KEYS = (*_NEEDED, "workers", "seconds", "split", "memory", "reference", "nodes", "bounds")


@dataclass(frozen=True)
class Run:
    """What a run file asks for."""

    path: Path
    openings: Mapping[Size, tuple[int, ...]]  # of each board the cells, in ascending order
    metric: str
    workers: int | None  # None: one a CPU
    limits: Limits
    split: float | None  # None: no position is divided
    reference: Path | None  # None: no table is wanted
    nodes: bool  # the table has node counts; nothing known is used
    bounds: Path | None  # None: every opening is solved, or stopped by a limit

    @classmethod
    def load(cls, path: Path) -> Run:
        """Read a run file. Raises InputError, which names the key, for what is missing, unknown or not understood."""
        try:
            keys = tomllib.loads(read_text(path, most=_MOST))
        except OSError as error:
            raise InputError(f"cannot read the run file {path}: {error.strerror}") from error
        except InputError as error:
            raise InputError(f"run file {error}") from error
        except ValueError as error:  # TOMLDecodeError, or a number of more digits than Python reads
            raise InputError(f"the run file {path} is no TOML: {error}") from error
        except RecursionError as error:
            raise InputError(f"the run file {path} is nested too deeply: no key holds more than a list") from error
        try:
            return _run(path, keys)
        except InputError as error:
            raise InputError(f"run file {path}: {error}") from error

    @property
    def log(self) -> Path:
        """Where the lines of the searches go."""
        return self.path.parent / "logs" / f"{self.path.stem}.log"

    def execute(
        self, store: Store | None, *, scheduler: str | None = None, progress: bool = True, engine: EngineMaker = Engine
    ) -> list[Solution]:
        """Solve what `store` does not know yet; the solutions of all openings, in the order of the boards and cells.

        The workers are processes of this machine, or those of the Dask cluster whose `scheduler` has this address. The reference is
        written if all openings are solved. Raises OSError when the log cannot be written, InputError before any search when the reference
        cannot.
        """
        self.log.parent.mkdir(parents=True, exist_ok=True)
        for key, file in (("reference", self.reference), ("bounds", self.bounds)):
            if file is not None:
                _require_replaceable(self.path, key, file)
        if self.bounds is not None:
            if scheduler is not None:
                raise InputError(f"run file {self.path}: key 'bounds': its questions are for this machine; leave --scheduler out")
            return self._narrow(self.bounds, store, progress=progress, engine=engine)
        table = list[Solution]()
        self.log.open("a").close()  # lest it fail after the first search
        for size, cells in self.openings.items():
            found = solve_openings(
                size, self.metric, cells, store=store, workers=self.workers, scheduler=scheduler, limits=self.limits,
                split=self.split, fresh=self.nodes, progress=progress, engine=engine,
            )
            with closing(found):
                solutions = self._logged(found)
            table += (solutions[cell] for cell in cells)
        if self.reference is not None and all(solution.solved for solution in table):
            self._write_reference(self.reference, table)
        return table

    def _narrow(self, file: Path, store: Store | None, *, progress: bool, engine: EngineMaker) -> list[Solution]:
        """Better bounds than those of the table, which is written anew for each; then the solutions of all openings."""
        ((size, cells),) = self.openings.items()
        heading = (
            f"{size}, metric {self.metric}: winner, and bounds on the length in plies, after every opening",
            f"made by hexbook {version('hexbook')}, run {self.path.name}; what the columns mean: see solver/bounds.py",
        )
        found = narrow_openings(
            size, self.metric, cells, read_bounds(file, size, self.metric), store=store, workers=self.workers, limits=self.limits,
            progress=progress, engine=engine,
        )
        table = dict[int, Solution]()
        with closing(found):
            for news in found:
                if table:
                    self._log(news[0])
                table |= {opening(solution): solution for solution in news}
                write_bounds(file, heading, (table[cell] for cell in cells))
        return [table[cell] for cell in cells]

    def _logged(self, found: Iterator[Solution]) -> dict[int, Solution]:
        """The solutions of a board by their openings; a line in the log for each search."""
        solutions = dict[int, Solution]()
        for solution in found:
            size, cell = solution.position.size, opening(solution)
            if solution.source != "store" and size.cells - 1 - cell not in solutions:  # that was the search of its image, too
                self._log(solution)
            solutions[cell] = solution
        return solutions

    def _log(self, solution: Solution) -> None:
        append(self.log, f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {solution.position.size} {summary(solution)}")

    def _write_reference(self, file: Path, table: list[Solution]) -> None:
        rows = [self._row(solution) for solution in table]
        lines = [f"# {line}" for line in self._heading()]
        lines += (",".join(map(str, values)) for values in (rows[0], *(row.values() for row in rows)))
        with replaced(file) as whole:
            whole.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def _heading(self) -> Iterator[str]:
        first, *more = self.openings
        boards = f"{1 + len(more)} boards from {first} to {more[-1]}" if more else first
        timed = self.metric != "winner"
        proofs = "; each length proved from below and above: one stone less is not enough, so many are" if timed else ""
        whole = all(len(cells) == size.cells for size, cells in self.openings.items())
        which = "every opening" if whole else "some openings"
        yield f"{boards}, metric {self.metric}: {'winner and length in plies' if timed else 'winner'} after {which}"
        yield f"made by hexbook {version('hexbook')}, run {self.path.name}{proofs}"
        if self.nodes:
            searched = "searched for both" if timed else "searched"
            yield f"nodes: positions {searched}, from empty tables; an opening and its image by half a turn share a search"

    def _row(self, solution: Solution) -> dict[str, object]:
        size = solution.position.size
        row: dict[str, object] = {"size": size} if len(self.openings) > 1 else {}
        row |= {"opening": format_cell(size, opening(solution)), "winner": solution.winner}
        if self.metric != "winner":
            row["length"] = solution.length
        if self.nodes:
            row["nodes"] = solution.nodes
        return row


def _run(path: Path, keys: dict[str, Any]) -> Run:
    for key in keys:
        if key not in _KEYS:
            raise InputError(f"unknown key {quoted(key)}; the keys are {', '.join(_KEYS)}")
    for key in _NEEDED:
        if key not in keys:
            raise InputError(f"the key {key!r} is missing; every run names its {', '.join(_NEEDED)}")
    with _naming("size"):
        sizes = _sizes(keys["size"])
    with _naming("openings"):
        openings = {size: _openings(size, keys["openings"]) for size in sizes}
    with _naming("metric"):
        metric = OPTIONS["metric"].read(_text(keys["metric"]))
    with _naming("reference"):
        reference = path.parent / _text(keys["reference"]) if "reference" in keys else None
    with _naming("nodes"):
        nodes = _truth(keys.get("nodes", False))
    numbers = {}
    for key in ("workers", "seconds", "memory"):
        with _naming(key):
            numbers[key] = _number(key, keys[key]) if key in keys else OPTIONS[key].default
    with _naming("split"):
        split = _number("seconds", keys["split"]) if "split" in keys else None
        if split is not None and (nodes or numbers["seconds"] is not None):
            raise InputError("it does not go with 'seconds' or 'nodes'; leave one of them out")
    with _naming("bounds"):
        bounds = path.parent / _text(keys["bounds"]) if "bounds" in keys else None
        if bounds is not None and (metric == "winner" or len(sizes) > 1 or split is not None or reference is not None or nodes):
            raise InputError("it goes with one board and a metric of lengths, and without 'reference', 'split' and 'nodes'")
    limits = Limits(numbers["seconds"], numbers["memory"] << 20)
    return Run(path, openings, metric, numbers["workers"], limits, split, reference, nodes, bounds)


def _require_replaceable(run: Path, key: str, reference: Path) -> None:
    """Make the directory of a table, and find out what would go wrong with it after a long search."""
    try:
        if reference.is_dir():
            raise IsADirectoryError(EISDIR, "it is a directory")
        reference.parent.mkdir(parents=True, exist_ok=True)
        beside(reference).touch()
        beside(reference).unlink()
    except (OSError, ValueError) as error:  # a ValueError for a zero byte
        problem = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"run file {run}: key {key!r}: {str(reference)!r} cannot be written: {problem}") from error


@contextmanager
def _naming(key: str) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        raise InputError(f"key {key!r}: {error}") from error


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise InputError(f"{quoted(value)} is no text; write it in quotes")
    return value


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise InputError(f"{quoted(value)} is neither true nor false; write one of them, without quotes")
    return value


def _number(key: str, value: object) -> Any:
    if isinstance(value, str):
        raise InputError(f"{quoted(value)} is a text; write the number without quotes")
    if isinstance(value, int) and value.bit_length() > 64:  # Python does not write those of thousands of digits
        raise InputError(f"{quoted(value)} is too large")
    return OPTIONS[key].read(str(value))


def _sizes(value: object) -> list[Size]:
    if value == []:
        raise InputError('the list names no board; write such as "6x6" or ["4x5", "5x4"]')
    return [parse_size(_text(size)) for size in (value if isinstance(value, list) else [value])]


def _openings(size: Size, value: object) -> tuple[int, ...]:
    if value == "all":
        return tuple(range(size.cells))
    if not isinstance(value, list) or not value:
        raise InputError(f'{quoted(value)} names no openings; write "all" or a list such as ["a1", "b1"]')
    return tuple(sorted({parse_cell(size, _text(cell)) for cell in value}))
