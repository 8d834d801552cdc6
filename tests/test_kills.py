"""Processes die at any moment: nothing that was committed is lost, nothing is corrupt, and what goes on makes what was never stopped.

Three kills of each kind take some seconds; `-m slow` has 60 of each, and one at every file operation of a run and of a build.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from processes import children, group, spawned, started
from test_store import batch

import books
from solver.pool import _Lane
from solver.position import Position
from solver.store import Record, Store, _unpack, merge

ROOT = Path(__file__).parent.parent
FEW, MANY = 3, 60
READY = """
import sys
from solver import __main__ as entry, cli
main = cli.main
cli.main = lambda ready: main(ready=lambda: (ready(), print(flush=True)))
sys.exit(entry.main())
"""
"""A command, and a line when it begins its work: the moment from which Ctrl-C ends it with a message."""

SLOW = pytest.mark.slow
how_often = pytest.mark.parametrize("kills", [FEW, pytest.param(MANY, marks=SLOW)])


def some(number: int) -> list[tuple[Position, str, Record]]:
    """A batch that is written at once."""
    return batch(number)[:50]


def holds(store: Store, number: int) -> bool:
    return all(store.get(position, metric) == record for position, metric, record in some(number))


def _write_forever(answer: Connection, directory: Path, number: int) -> None:
    with Store.open(directory) as store:
        while True:
            store.put_many(some(number))
            answer.send(number)
            number += 1


def acknowledged(line: Connection, number: int) -> int:
    """The first batch that a killed writer did not say it had written, if it was to begin with `number`."""
    try:
        while True:
            number = line.recv() + 1
    except EOFError:
        return number


@how_often
def test_nothing_acknowledged_is_lost_when_a_writer_is_killed(tmp_path: Path, kills: int) -> None:
    random, number = Random(kills), 0
    for _ in range(kills):
        start = number
        with spawned(_write_forever, tmp_path, number) as (writer, line):
            for _ in range(random.choice((0, 1, 1, 2, 5))):
                number = line.recv() + 1
            time.sleep(random.uniform(0, 0.03))
            writer.kill()
            number = acknowledged(line, number)
        with Store.open(tmp_path) as store:
            assert all(holds(store, earlier) for earlier in range(start, number))
    with Store.open(tmp_path) as store:
        assert all(holds(store, earlier) for earlier in range(number))


@how_often
def test_two_writers_of_one_store_and_the_death_of_one(tmp_path: Path, kills: int) -> None:
    """They write the same batches, but for the first 50 of one of them."""
    random, ends = Random(kills), [0, 50]
    for turn in range(kills):
        starts = ends
        with spawned(_write_forever, tmp_path, ends[0]) as (one, first), spawned(_write_forever, tmp_path, ends[1]) as (other, second):
            ends = [first.recv() + 1, second.recv() + 1]
            time.sleep(random.uniform(0, 0.03))
            (one, other)[turn % 2].kill()
            survivor = (second, first)[turn % 2]
            for _ in range(3):
                assert survivor.recv() is not None
            one.kill()
            other.kill()
            ends = [acknowledged(first, ends[0]), acknowledged(second, ends[1])]
        with Store.open(tmp_path) as store:
            assert all(holds(store, earlier) for earlier in [*range(starts[0], ends[0]), *range(starts[1], ends[1])])
    with Store.open(tmp_path) as store:
        assert all(holds(store, earlier) for earlier in [*range(ends[0]), *range(50, ends[1])])


class Job(NamedTuple):
    """A command that works for some seconds, and how it ends if it is let."""

    arguments: list[str]
    directory: Path
    results: dict[str, object]  # what stands in the directory at the end, by name
    store: dict[bytes, Record]  # and in its store
    seconds: float


def command(job: Job) -> list[str]:
    return [sys.executable, "-c", READY, *job.arguments]


def contents(store: Path) -> dict[bytes, Record]:
    """All records by their keys; the store is opened, which has to succeed."""
    if not (store / "data.mdb").exists():
        return {}
    with Store.open(store) as opened, opened._environment.begin() as transaction:
        return {bytes(key): _unpack(bytes(key), bytes(value)) for key, value in transaction.cursor() if key[0]}


def standing(directory: Path) -> dict[str, object]:
    """What stands in the directory beside store and logs, but for the time when a book was made."""

    def inside(path: Path) -> object:
        if path.suffix != ".book":
            return path.read_bytes()
        with books.open(path) as book:
            return book.metadata._replace(made=""), list(book.records())

    return {path.name: inside(path) for path in directory.iterdir() if path.is_file() and ".part" not in path.suffixes}


Prepare = Callable[[Path, bool], list[str]]
"""Makes the arguments of a job in a directory, with much to do or little."""


def job(directory: Path, prepare: Prepare, *, much: bool) -> Job:
    """Do it once without disturbance, and be ready to do it again."""
    whole, again = directory / "whole", directory / "again"
    whole.mkdir()
    again.mkdir()
    start = time.monotonic()
    subprocess.run([sys.executable, "-m", "solver", *prepare(whole, much)], cwd=ROOT, check=True, capture_output=True)
    return Job(prepare(again, much), again, standing(whole), contents(whole / "store"), time.monotonic() - start)


def run(directory: Path, much: bool) -> list[str]:
    sizes = '["5x5", "4x6"]' if much else '["4x4"]'
    keys = f"size = {sizes}", 'metric = "checkmate"', 'openings = "all"', "workers = 2", 'reference = "table.csv"'
    (directory / "some.toml").write_text("\n".join(keys))
    return ["run", str(directory / "some.toml"), "--store", str(directory / "store")]


def build(directory: Path, much: bool) -> list[str]:
    return ["book", "build", "5x5" if much else "4x4", "-o", str(directory / "a.book"), "--store", str(directory / "store"), "--workers", "2", "--memory", "64"]


def check(job: Job, before: dict[bytes, Record]) -> dict[bytes, Record]:
    """Everything is there that was there, and is right; what the store has."""
    known = contents(job.directory / "store")
    for key, record in before.items():
        assert merge(known[key], record) is known[key]
    for key, record in known.items():
        assert key not in job.store or merge(job.store[key], record)[:3] == job.store[key][:3]
    for name, content in standing(job.directory).items():
        assert content == job.results[name]
    log = job.directory / "logs" / "some.log"
    for line in log.read_text().splitlines() if log.exists() else []:
        assert re.fullmatch(r"\S+Z \dx\d \w\d(/\w\d)? winner=\w+ length=\d+ nodes=\d+ seconds=\d+\.\d\d", line), line
    return known


def disturbed(job: Job, random: Random, way: str) -> bool:
    """Start the job and disturb it at a random moment; whether it had not ended yet."""
    with started(command(job), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        time.sleep(random.uniform(0, 0.9 * job.seconds))
        if process.poll() is not None:
            assert process.returncode == 0
            return False
        if way == "all die":
            os.killpg(process.pid, signal.SIGKILL)
        elif way == "the command dies":
            process.kill()
        elif way == "Ctrl-C":
            os.killpg(process.pid, signal.SIGINT)
            pressed = time.monotonic()
            _, errors = process.communicate(timeout=60)
            if process.returncode == 0 and time.monotonic() - pressed < 0.2:  # it was giving its memory back
                return False
            # After the answer, while the interpreter ends, the signal has its default action.
            assert process.returncode in (130, -signal.SIGINT) and "Traceback" not in errors, errors
        elif workers := children(process.pid):
            os.kill(random.choice(workers), signal.SIGKILL)
            _, errors = process.communicate(timeout=100)
            assert process.returncode == 0 and "Traceback" not in errors, errors
        process.wait()
        process.stdout.close()
        process.stderr.close()
        end = time.monotonic() + 30
        while Path("/proc").is_dir() and group(process.pid):
            assert time.monotonic() < end, "workers live on"
            time.sleep(0.01)
    return True


@how_often
@pytest.mark.parametrize("prepare", [run, build])
def test_a_command_that_is_stopped_goes_on_where_it_was(tmp_path: Path, prepare: Prepare, kills: int) -> None:
    doing, random, known = job(tmp_path, prepare, much=kills > FEW), Random(kills), dict[bytes, Record]()
    ways = ["the command dies", "a worker dies", "Ctrl-C", "all die"] if Path("/proc").is_dir() else ["the command dies", "Ctrl-C", "all die"]
    done = 0
    while done < kills:
        done += disturbed(doing, random, ways[done % len(ways)])
        known = check(doing, known)
        if doing.results.keys() == standing(doing.directory).keys():  # all is done: from the start, then
            for name in doing.results.keys() - {"some.toml"}:
                (doing.directory / name).unlink()
            for file in (doing.directory / "store").iterdir():
                file.unlink()
            known = {}
    subprocess.run(command(doing), cwd=ROOT, check=True, capture_output=True)
    check(doing, known)
    assert standing(doing.directory) == doing.results
    assert {path.name for path in doing.directory.iterdir()} == {path.name for path in (tmp_path / "whole").iterdir()}


def test_two_runs_on_one_store(tmp_path: Path) -> None:
    """They may search for the same, but neither takes anything from the other."""
    whole = job(tmp_path, run, much=False)
    others = [tmp_path / name for name in ("one", "other")]
    for directory in others:
        directory.mkdir()
    commands = [[*run(directory, False)[:-1], str(tmp_path / "store")] for directory in others]
    with ExitStack() as running:
        processes = [
            running.enter_context(started([sys.executable, "-m", "solver", *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
            for arguments in commands
        ]
        assert all(process.wait(100) == 0 and b"Traceback" not in process.stderr.read() for process in processes)
    assert all(standing(directory) == whole.results for directory in others)
    known = contents(tmp_path / "store")
    assert known.keys() == whole.store.keys() and all(known[key][:3] == whole.store[key][:3] for key in known)


HASTY = """
import os, signal, threading, time
from multiprocessing import get_context, util
from solver.pool import _interrupt_blocked
spawn, spawned = util.spawnv_passfds, []

def interrupted_spawn(*arguments):
    spawned.append(arguments)
    if len(spawned) == 2:  # the first one helps multiprocessing
        os.kill(os.getpid(), signal.SIGINT)
    return spawn(*arguments)

util.spawnv_passfds = interrupted_spawn
threading.Thread(target=time.sleep, args=(60,), daemon=True).start()  # as a kernel's: it takes the signal, the main thread acts on it
try:
    with _interrupt_blocked():
        worker = get_context("spawn").Process(target=os.kill, args=(0, signal.SIGINT))
        worker.start()
        worker.join()
        print(worker.exitcode)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_while_the_first_worker_starts() -> None:
    """The worker is not harmed, neither by that Ctrl-C nor by one that it gets itself; then the command is interrupted."""
    with started([sys.executable, "-c", HASTY], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.communicate(timeout=60) == ("0\ninterrupted\n", "")


def test_a_worker_that_dies_while_it_tells_something() -> None:
    lane = object.__new__(_Lane)
    lane._inlet, outlet = get_context("spawn").Pipe(duplex=False)
    os.write(outlet.fileno(), (1000).to_bytes(4, "big") + b"the beginning of a message")
    outlet.close()
    assert list(lane.received()) == []
    lane._inlet.close()


DEADLY = """
import os, signal, sys
left, place = int(sys.argv.pop(1)), sys.argv.pop(1)
def count(event, arguments):
    global left
    if event in ("open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.truncate") and str(arguments[0]).startswith(place):
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(count)
""" + READY


@pytest.mark.slow
@pytest.mark.parametrize("prepare", [run, build])
def test_a_death_at_every_file_operation(tmp_path: Path, prepare: Prepare) -> None:
    doing = job(tmp_path, prepare, much=False)
    for operation in range(200):
        deadly = [sys.executable, "-c", DEADLY, str(operation), str(doing.directory), *doing.arguments]
        with started(deadly, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            status = process.wait(100)
        check(doing, {})
        if status == 0:
            break
        assert status == -signal.SIGKILL
    assert status == 0 and operation > 5 and standing(doing.directory) == doing.results
    assert {path.name for path in doing.directory.iterdir()} == {path.name for path in (tmp_path / "whole").iterdir()}
