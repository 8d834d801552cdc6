"""Many openings of one board: each class of images searched once, in parallel, and never what the store knows already."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial

from tqdm import tqdm

from solver.cluster import solve_on_cluster
from solver.division import Division
from solver.engine import Engine
from solver.job import EngineMaker, Job, Jobs, Row, Tick
from solver.notation import format_cell
from solver.options import Limits, available_cpus
from solver.pool import solve_in_processes
from solver.position import Position, Size, Symmetry, cells_of
from solver.solution import Solution
from solver.store import Record, Store

_log = logging.getLogger(__name__)
HALF_TURN = Symmetry(rotate=True, reflect=False)
_HEARTBEAT = 60.0  # seconds between two signs of life in a log
_REFRESH = 0.5  # seconds between two looks of the bar


def solve_openings(
    size: Size,
    metric: str,
    openings: Iterable[int],
    *,
    store: Store | None,
    workers: int | None,
    scheduler: str | None = None,
    limits: Limits = Limits(),
    split: float | None = None,
    fresh: bool = False,
    progress: bool = True,
    engine: EngineMaker = Engine,
) -> Generator[Solution, None, None]:
    """The solution of the position after each of `openings` (Black's first moves), in the order in which they come.

    One search serves an opening and its image. What `store` knows comes first and is not searched again; what is found goes into the
    store before it is yielded. An opening that a limit stopped, or whose worker was killed too often, comes with what is known of it.
    However the iteration ends, the searches end with it and nothing found is lost; close the iterator (`contextlib.closing`) to be sure
    that it does so at once.

    With `split`, positions that are not solved in so many CPU seconds are divided into those below (see `solver.division`). Without, the
    tables are empty before each search. With `fresh`, every opening is searched, by one thread and whatever the store knows: its node
    count is always the same.

    With `progress`, standard error shows a bar if it is a terminal, and else a line is logged for each class that is solved.
    `limits` hold for each search and each worker. `workers` None: one a CPU. A single opening that is not divided is searched by as
    many threads, in this process. `scheduler` is the address of a Dask cluster, whose workers do the searches instead.
    """
    jobs = job_list(size, openings)
    positions = [Position.start(size).play(cell) for cell in jobs]
    source = None if fresh else store
    known = {position: remembered(position, metric, source) for position in positions}
    unsolved = [position for position in positions if not known[position].solved]
    division = Division(unsolved, metric, source, split)

    def tick(in_hand: list[Job], nodes: int) -> None:
        display.tick([division.root_of(job) for job in in_hand], nodes)

    with closing(Display(len(positions), progress)) as display:
        for position in positions:
            if known[position].solved:
                display.solved(known[position])
                yield from images(known[position], jobs)
        engine = partial(engine, cold=split is None)
        hands = workers or available_cpus()
        if scheduler is not None:
            found = solve_on_cluster(division, scheduler=scheduler, store=source, limits=replace(limits, threads=1), engine=engine, tick=tick)
        elif (hands if split is not None else min(hands, len(unsolved))) > 1:
            found = solve_in_processes(division, store=source, workers=hands, limits=replace(limits, threads=1), engine=engine, tick=tick)
        else:
            threads = 1 if fresh else hands
            found = _solve_here(division, store=source, limits=replace(limits, threads=threads), engine=engine, tick=tick)
        with closing(found):
            for job, answer in found:
                if answer is None:
                    _log.error("%s is given up: its worker was killed twice; is there memory enough?", _name(division.root_of(job)))
                elif store is not None:
                    store.put_many(records(answer))
                for solution in division.learn(job, answer):
                    if store is not None:
                        store.put_many(records(solution))
                    display.solved(solution)
                    yield from images(solution, jobs)


def job_list(size: Size, openings: Iterable[int]) -> dict[int, list[int]]:
    """One opening of each class of `openings` that a half turn exchanges, and all of them that are in its class.

    The hard ones come first, so that the workers finish together: a guess. By the nodes of 5x5 (checkmate) and 6x6 (winner)
    they are mostly far from the centre, but not on Black's own edges, where a stone is all but wasted.

    >>> job_list(Size(3, 3), [0, 1, 3, 4, 8])
    {3: [3], 4: [4], 0: [0, 8], 1: [1]}
    """
    classes: dict[int, list[int]] = {}
    for cell in sorted(set(openings)):
        classes.setdefault(min(cell, HALF_TURN.cell(size, cell)), []).append(cell)

    def ease(cell: int) -> tuple[bool, int]:
        row, column = divmod(cell, size.columns)
        down, right = 2 * row - (size.rows - 1), 2 * column - (size.columns - 1)  # from the centre, in half steps
        return row in (0, size.rows - 1), -max(abs(down), abs(right), abs(down + right))

    return {cells[0]: cells for cells in sorted(classes.values(), key=lambda cells: ease(cells[0]))}


def images(solution: Solution, jobs: Mapping[int, Iterable[int]]) -> Iterator[Solution]:
    """The solution of an opening for all the openings of its class, as `job_list` has them."""
    for cell in jobs[opening(solution)]:
        yield solution if cell == opening(solution) else solution.seen_through(HALF_TURN)


def opening(solution: Solution) -> int:
    """The cell of the only stone of a solved opening."""
    return cells_of(solution.position.black)[0]


def summary(solution: Solution) -> str:
    """One line for a log: "a2/f5 winner=white length=19 nodes=1234 seconds=0.52"."""
    if not solution.solved:
        winner = "unknown" if solution.winner is None else solution.winner
        value = f"winner={winner} lower={solution.lower} upper={solution.upper}"
    elif solution.length is None:
        value = f"winner={solution.winner}"
    else:
        value = f"winner={solution.winner} length={solution.length}"
    return f"{_name(solution.position)} {value} nodes={solution.nodes} seconds={solution.seconds:.2f}"


def _solve_here(
    jobs: Jobs, *, store: Store | None, limits: Limits, engine: EngineMaker, tick: Tick
) -> Generator[tuple[Job, Solution | None], None, None]:
    """The jobs with the answers of an engine of this process."""
    job = jobs.take()
    if job is None:
        return
    with engine(job.position.size, store=store, limits=limits) as own:
        while job is not None:
            doing = job
            yield job, job.solve(own, lambda status: tick([doing], status.nodes))
            job = jobs.take()


def remembered(position: Position, metric: str, store: Store | None) -> Solution:
    """What the store knows of a position."""
    record = None if store is None else store.get(position, metric)
    longest = position.empty.bit_count()
    if record is None:
        return Solution(position, metric, None, 0, longest, "search")
    upper = longest if record.upper is None else record.upper
    seconds = record.milliseconds / 1000
    return Solution(position, metric, record.winner, record.lower, upper, "store", record.nodes, seconds)


def records(solution: Solution) -> list[Row]:
    """What there is to store of a solution; a length tells the winner as well."""
    position, winner, cost = solution.position, solution.winner, (solution.nodes, round(1000 * solution.seconds))
    records = [(position, "winner", Record(winner, 0, None, *cost))]
    if solution.metric != "winner":
        records.append((position, solution.metric, Record(winner, solution.lower, solution.upper, *cost)))
    return records


def _name(position: Position) -> str:
    """An opening and its image: "a2/f5", or "c3" when it is its own."""
    size, cell = position.size, cells_of(position.black)[0]
    cells = dict.fromkeys((cell, HALF_TURN.cell(size, cell)))
    return "/".join(format_cell(size, cell) for cell in cells)


class Display:
    """On standard error: a bar if it is a terminal; else a logged line for each class solved, and now and then a sign of life."""

    def __init__(self, total: int, shown: bool) -> None:
        self._bar = tqdm(
            total=total,
            disable=None if shown else True,
            file=sys.stderr,
            bar_format="{percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} openings [{elapsed}{postfix}]",
            dynamic_ncols=True,
            leave=False,
        )
        self._logged = shown and self._bar.disable
        self._period = _HEARTBEAT if self._logged else _REFRESH
        self._time, self._nodes = time.monotonic(), 0

    def tick(self, positions: list[Position], nodes: int) -> None:
        """Show what is searched, and how fast."""
        now = time.monotonic()
        passed = now - self._time
        if passed < self._period:
            return
        rate = (nodes - self._nodes) / passed
        self._time, self._nodes = now, nodes
        names = " ".join(dict.fromkeys(map(_name, positions)))
        counts = f"{tqdm.format_sizeof(nodes)} nodes, {tqdm.format_sizeof(rate)}/s"
        if self._logged:
            _log.info("searching %s: %s", names, counts)
        self._bar.set_postfix_str(f"{names}: {counts}")

    def solved(self, solution: Solution) -> None:
        """Count a class of openings."""
        if self._logged and solution.source != "store":
            _log.info("%s", summary(solution))
        self._bar.update()

    def close(self) -> None:
        self._bar.close()
