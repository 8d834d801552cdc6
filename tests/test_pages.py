"""Damage of any bit of a store is harmless, or noticed in one line: it never kills the process, and no answer is wrong."""

import shutil
import time
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

import pytest
from processes import spawned
from test_store import batch, numbered

from solver.pages import Unsound, _Meta, check_metas
from solver.position import InputError
from solver.store import Store

PAGE = 4096
HEAD = 40  # bytes, with some pointers


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of several writes, with free pages and pages of branches."""
    directory = tmp_path_factory.mktemp("sound")
    with Store.open(directory, map_size=1 << 16) as store:
        for number in range(4):
            store.put_many(batch(number)[:100])
        store.put_many(batch(0))
    return directory


def _use(answer: Connection, directory: Path, flips: int, seed: int) -> None:
    """Flip one bit after the other, half of them in heads of pages, and use what is there: how often was what seen?"""
    whole, random = (directory / "data.mdb").read_bytes(), Random(seed)
    seen = {"refused": 0, "lost": 0, "damaged": 0, "sound": 0}
    spoilt = directory / "spoilt"
    for _ in range(flips):
        place = random.randrange(len(whole) // PAGE) * PAGE + random.randrange(HEAD) if random.random() < 0.5 else random.randrange(len(whole))
        data = bytearray(whole)
        data[place] ^= 1 << random.randrange(8)
        spoilt.mkdir()
        (spoilt / "data.mdb").write_bytes(data)
        answer.send(place)  # lest it be known where the process died
        seen[_outcome(spoilt)] += 1
        shutil.rmtree(spoilt)
    answer.send(seen)


def _outcome(directory: Path) -> str:
    try:
        opened = Store.open(directory)
    except InputError as error:
        assert len(str(error).splitlines()) == 1
        return "refused"
    with opened as store:
        outcome = "sound"
        for position, metric, record in (row for number in range(4) for row in batch(number)[:100:7]):
            try:
                found = store.get(position, metric)
                assert found is None or found == record
                outcome = "lost" if found is None else outcome
            except InputError:
                outcome = "damaged"
        try:
            store.put_many(batch(5))
        except InputError:
            outcome = "damaged"
        return outcome


@pytest.mark.parametrize("flips", [40, pytest.param(3000, marks=pytest.mark.slow)])
def test_any_flipped_bit(sound: Path, flips: int) -> None:
    with spawned(_use, sound, flips, 1) as (process, line):
        place = seen = None
        try:
            while not isinstance(seen, dict):
                place, seen = seen, line.recv()
        except EOFError:
            process.join()
            pytest.fail(f"a flipped bit of byte {place} ended the process: {process.exitcode}")
    assert sum(seen.values()) == flips and seen["refused"] > flips / 20 and seen["sound"] > flips / 4
    print(seen)


def test_the_first_pages_are_looked_at_before_lmdb_reads_them(sound: Path, tmp_path: Path) -> None:
    """A page size of zero would end the process with SIGFPE, an older transaction would hide the newest one."""
    whole, file = (sound / "data.mdb").read_bytes(), tmp_path / "data.mdb"
    for place in (0, 10, 40, 44, 92, 144, PAGE + 10, PAGE + 16, PAGE + 41, PAGE + 145):
        data = bytearray(whole)
        data[place] ^= 16
        file.write_bytes(data)
        with pytest.raises(Unsound, match="data.mdb is damaged"):
            check_metas(file)


def _write(answer: Connection, directory: Path) -> None:
    random = Random(3)
    with Store.open(directory, map_size=1 << 16) as store:
        answer.send("open")
        while not answer.poll():
            store.put_many(numbered(random.randrange(10**6)) for _ in range(random.choice((1, 30, 1000))))


def test_what_another_process_writes_is_never_taken_for_damage(tmp_path: Path) -> None:
    with spawned(_write, tmp_path) as (_, line):
        assert line.recv() == "open"
        end = time.monotonic() + 2
        while time.monotonic() < end:
            Store.open(tmp_path, readonly=True).close()


def test_lists_of_free_pages_that_fill_pages_of_their_own(tmp_path: Path) -> None:
    random, overflows = Random(5), 0
    for size in (20_000, 2500):
        with Store.open(tmp_path, map_size=1 << 16) as store:
            store.put_many(numbered(random.randrange(10**6)) for _ in range(size))
        data = (tmp_path / "data.mdb").read_bytes()
        meta = max((_Meta.read(data, start) for start in (0, PAGE)), key=lambda meta: meta.transaction)
        overflows += meta.free.overflows
    assert overflows > 0
    Store.open(tmp_path).close()
