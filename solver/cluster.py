"""Jobs done by the workers of a Dask cluster, on as many machines as there are.

The scheduler hands out the jobs and has those of a lost worker done again. A worker needs hexbook, of the same version, and no files:
it keeps tables of its own, and a job brings along what the store knows of its position. What a search finds out on the way goes to the
scheduler every few seconds, as an event. So this process hears of it and puts it into the one store, and a worker that does the job of a
lost one goes on from there.

When this process ends, in whatever way, the scheduler drops its jobs; workers look whether theirs is still wanted, and stop.
"""

from __future__ import annotations

import logging
import pickle
import threading
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from solver.interrupt import interrupt_held_back
from solver.job import EngineMaker, Job, Jobs, Row, Tick
from solver.options import Limits
from solver.position import InputError, Position
from solver.store import Record, Store, merge
from solver.worker import LimitReached, Status

if TYPE_CHECKING:
    from distributed import Client, Future

_log = logging.getLogger(__name__)
_PATIENCE = 20.0  # seconds to find the scheduler
_PERIOD = 0.5  # seconds between two ticks
_REPORT = 2.0  # seconds between two reports of a worker


class _Report(NamedTuple):
    """What a worker tells while it searches. Dask carries it as a dictionary, and adds the worker to that."""

    task: str
    nodes: int  # searched for this job so far
    rows: bytes  # what there is to store: a pickled list of rows

    @classmethod
    def of(cls, event: tuple[float, dict[str, Any]]) -> _Report:
        """The report that an event brings."""
        return cls(**{field: event[1][field] for field in cls._fields})


def solve_on_cluster(
    jobs: Jobs, *, scheduler: str, store: Store | None, limits: Limits, engine: EngineMaker, tick: Tick
) -> Generator[tuple[Job, Any], None, None]:
    """As `solver.pool.solve_in_processes`, with the workers of the cluster whose scheduler has this address.

    Workers may come and go. A job is given up, with the answer None, when more workers died of it than the scheduler allows (Dask's
    `allowed-failures`, three). Raises InputError when the scheduler cannot be reached or is lost, or a worker cannot do a job.
    """
    with _connected(scheduler) as client:
        batch = _Batch(client, store, (limits, engine, version("hexbook")))
        while True:
            with interrupt_held_back():
                while batch.has_room() and (job := jobs.take()) is not None:
                    batch.submit(job)
            if not batch.jobs:
                client.run(_leave, on_error="ignore")
                return
            for future in batch.wait():
                yield batch.pop(future)
            tick(list(batch.jobs.values()), batch.nodes)


@contextmanager
def _connected(scheduler: str) -> Iterator[Client]:
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError("a cluster needs Dask, here and on the workers: python -m pip install 'distributed>=2024.9'") from error
    try:
        client = Client(scheduler, timeout=_PATIENCE, set_as_default=False, name="hexbook")
    except (OSError, ValueError) as error:
        raise InputError(f"no Dask scheduler is at {scheduler!r}; start one with 'dask scheduler', it tells its address") from error
    with client:
        try:
            yield client
        except OSError as error:
            raise _lost(scheduler) from error


def _lost(scheduler: str) -> InputError:
    return InputError(f"the Dask scheduler at {scheduler} is lost; start it anew and run again, to go on from what the store knows")


class _Batch:
    """The jobs that the cluster has in hand."""

    def __init__(self, client: Client, store: Store | None, tools: tuple[Limits, EngineMaker, str]) -> None:
        self.jobs: dict[Future, Job] = {}
        self._client, self._store, self._tools = client, store, tools
        self._name, self._number = f"hexbook-{uuid4().hex}", 0
        self._nodes: dict[str, int] = {}  # by task
        self._news = SimpleQueue[Any]()  # futures that are done, and reports; filled by threads of the client
        client.subscribe_topic(self._name, lambda event: self._news.put(_Report.of(event)))

    @property
    def nodes(self) -> int:
        """Nodes searched by all workers so far."""
        return sum(self._nodes.values())

    def has_room(self) -> bool:
        """Whether a thread of the cluster has nothing to do; without workers one job is set to wait for them."""
        return len(self.jobs) < max(1, sum(self._client.nthreads().values()))

    def submit(self, job: Job) -> None:
        """Give a job to the cluster, with what the store knows."""
        self._number += 1
        known = [] if self._store is None else [
            (job.position, metric, record)
            for metric in dict.fromkeys((job.metric, "winner"))
            if (record := self._store.get(job.position, metric)) is not None
        ]
        task = f"{self._name}-{self._number}"
        future = self._client.submit(_do, job, known, self._name, *self._tools, key=task, pure=False)
        self.jobs[future] = job
        future.add_done_callback(self._news.put)

    def wait(self) -> list[Future]:
        """Take what has come in, after a while at the latest: the futures that are done. What was reported goes into the store."""
        done, rows = list[Any](), list[Row]()
        try:
            news = self._news.get(timeout=_PERIOD)
            while True:
                if isinstance(news, _Report):
                    self._nodes[news.task] = max(news.nodes, self._nodes.get(news.task, 0))
                    rows += pickle.loads(news.rows)
                else:
                    done.append(news)
                news = self._news.get_nowait()
        except Empty:
            pass
        if self._store is not None:
            self._store.put_many(rows)
        return done

    def pop(self, future: Future) -> tuple[Job, Any]:
        """The job that a future stood for, and the answer to it. Raises what the worker did."""
        from distributed import KilledWorker

        job = self.jobs.pop(future)
        if future.status in ("cancelled", "lost"):
            raise _lost(self._client.scheduler.address)
        problem = future.exception()
        if isinstance(problem, KilledWorker):
            return job, None
        if isinstance(problem, ImportError | RuntimeError):
            raise InputError(f"a worker of the cluster cannot do a job ({problem}); is the same hexbook installed there?") from problem
        answer, self._nodes[future.key] = future.result()
        return job, answer


# What follows runs on the workers.

_idle = list["_Desk"]()
_idle_lock = threading.Lock()


class _Notes:
    """What an engine of a worker takes for its store."""

    def __init__(self) -> None:
        self._known: dict[tuple[Position, str], Record] = {}
        self._fresh = list[Row]()

    def get(self, position: Position, metric: str) -> Record | None:
        """What the jobs brought along, or this worker found."""
        canonical, symmetry = position.canonical()
        known = self._known.get((canonical, metric))
        return None if known is None else known.seen_through(symmetry)

    def put_many(self, rows: Iterable[Row]) -> None:
        """Keep what was found, to be told."""
        rows = list(rows)
        self.learn(rows)
        self._fresh += rows

    def taken(self) -> list[Row]:
        """What was found since the last time."""
        fresh, self._fresh = self._fresh, []
        return fresh

    def learn(self, rows: Iterable[Row]) -> None:
        """Keep what others found."""
        for position, metric, record in rows:
            canonical, symmetry = position.canonical()
            key, record = (canonical, metric), record.seen_through(symmetry)
            self._known[key] = merge(self._known[key], record) if key in self._known else record


class _Desk:
    """An engine, for one job at a time of one batch."""

    def __init__(self, batch: str, job: Job, limits: Limits, engine: EngineMaker) -> None:
        self.batch = batch
        self.notes = _Notes()
        self.engine = engine(job.position.size, store=self.notes, limits=limits)
        self._nodes = 0  # of all jobs so far

    def do(self, job: Job, task: str) -> tuple[Any, int]:
        """The answer to a job, and the nodes searched for it; reports now and then, and stops when the job is not wanted any more."""
        from distributed import get_worker

        before, reported = self._nodes, time.monotonic()

        def progress(status: Status) -> None:
            nonlocal reported
            self._nodes = status.nodes
            if not _wanted(task):
                raise LimitReached
            if time.monotonic() - reported > _REPORT:
                reported = time.monotonic()
                report = _Report(task, self._nodes - before, pickle.dumps(self.notes.taken()))
                get_worker().log_event([self.batch, task], report._asdict())

        return job.solve(self.engine, progress), self._nodes - before


def _do(job: Job, known: list[Row], batch: str, limits: Limits, engine: EngineMaker, program: str) -> tuple[Any, int]:
    """Do a job on this worker."""
    from distributed import get_client, get_worker

    if program != version("hexbook"):
        raise InputError(f"the worker at {get_worker().address} has hexbook {version('hexbook')}, not {program}: install the same")
    task = get_worker().get_current_task()
    desk = _desk_of(batch) or _Desk(batch, job, limits, engine)
    desk.notes.learn(known)
    for event in get_client().get_events(task):  # of workers that were lost with this job
        desk.notes.learn(pickle.loads(_Report.of(event).rows))
    done = desk.do(job, task)
    with _idle_lock:
        _idle.append(desk)
    return done


def _desk_of(batch: str) -> _Desk | None:
    """An idle engine of a batch; those of other batches are put away."""
    with _idle_lock:
        for other in [desk for desk in _idle if desk.batch != batch]:
            _idle.remove(other)
            other.engine.close()
        return _idle.pop() if _idle else None


def _wanted(task: str) -> bool:
    """Whether the scheduler still waits for a task of this worker."""
    from distributed import Status as State
    from distributed import get_worker

    known = get_worker().state.tasks.get(task)
    return get_worker().status == State.running and known is not None and known.state == "executing"


def _leave() -> None:
    """Put all idle engines away."""
    with _idle_lock:
        while _idle:
            _idle.pop().engine.close()
