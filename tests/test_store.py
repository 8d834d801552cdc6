"""The store: what is put is there again, after every accident, and bad directories are refused in one line."""

import doctest
import os
import resource
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count, permutations
from multiprocessing.connection import Connection
from pathlib import Path

import lmdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import called, spawned

import solver.store
from solver.position import SYMMETRIES, Color, InputError, Position, Size
from solver.store import Record, Store, default_directory, merge

BATCH = 250
WON = Record(Color.BLACK, 16, 16, 1234, 56)


def numbered(index: int) -> tuple[Position, str, Record]:
    """The index-th of many positions, no two of them symmetric, with a record of its own."""
    position = Position(Size(8, 8), black=(index + 1) << 1, white=1, to_move=Color.WHITE)
    return position, "checkmate", Record(Color(index % 2), index % 64, index % 64, index, 2 * index)


def batch(number: int) -> list[tuple[Position, str, Record]]:
    return [numbered(index) for index in range(number * BATCH, (number + 1) * BATCH)]


def holds(store: Store, number: int) -> bool:
    return all(store.get(position, metric) == record for position, metric, record in batch(number))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store") as opened:
        yield opened


@pytest.fixture
def corner() -> Position:
    return Position.start(Size(6, 6)).play(0)


@contextmanager
def raw(directory: Path) -> Iterator[lmdb.Transaction]:
    with lmdb.open(str(directory)) as environment, environment.begin(write=True) as transaction:
        yield transaction


def refusal(directory: Path, readonly: bool = False) -> str:
    with pytest.raises(InputError) as caught:
        Store.open(directory, readonly).close()
    message = str(caught.value)
    assert "\n" not in message and str(directory) in message
    return message


@pytest.mark.parametrize(
    "record", [WON, Record(Color.WHITE, 0, 0, 0, 0), Record(None, 0, None, 9, 1), Record(None, 3, 9, 9, 1)]
)
def test_a_record_comes_back_after_reopening(tmp_path: Path, corner: Position, record: Record) -> None:
    with Store.open(tmp_path) as store:
        store.put_many([(corner, "checkmate", record)])
    with Store.open(tmp_path, readonly=True) as store:
        assert store.get(corner, "checkmate") == record
        assert store.get(corner, "connection") is None
        assert store.get(corner.play(1), "checkmate") is None


@st.composite
def positions(draw: st.DrawFn) -> Position:
    size = Size(draw(st.integers(1, 8)), draw(st.integers(1, 8)))
    black, other = draw(st.integers(0, size.full)), draw(st.integers(0, size.full))
    return Position(size, black, other & ~black, draw(st.sampled_from(Color)))


@given(positions(), st.sampled_from(Color))
def test_images_share_a_record(position: Position, winner: Color) -> None:
    with tempfile.TemporaryDirectory() as directory, Store.open(Path(directory)) as store:
        store.put_many([(position, "checkmate", WON._replace(winner=winner))])
        for symmetry in SYMMETRIES:
            found = store.get(symmetry.position(position), "checkmate")
            assert found == WON._replace(winner=symmetry.color(winner))


def test_bounds_only_become_tighter_in_any_order() -> None:
    news = [
        Record(None, 3, None, 1, 1), Record(None, 0, 19, 2, 2), Record(Color.WHITE, 5, 25, 3, 3), Record(None, 7, 17, 4, 4)
    ]
    for order in permutations(news):
        known = order[0]
        for record in order[1:]:
            known = merge(known, record)
        assert known[:3] == (Color.WHITE, 7, 17)


def test_a_worse_record_changes_nothing(store: Store, corner: Position) -> None:
    store.put_many([(corner, "checkmate", WON)])
    for worse in (Record(None, 2, 40, 10**9, 10**9), Record(Color.BLACK, 0, None, 0, 0)):
        store.put_many([(corner, "checkmate", worse)])
    assert store.get(corner, "checkmate") == WON


@pytest.mark.parametrize(
    "record", [WON._replace(winner=Color.WHITE), WON._replace(lower=18, upper=18), WON._replace(lower=0, upper=14)]
)
def test_a_contradiction_is_refused_with_its_batch(store: Store, corner: Position, record: Record) -> None:
    store.put_many([(corner, "checkmate", WON)])
    with pytest.raises(InputError, match="contradicts"):
        store.put_many([numbered(1), (corner, "checkmate", record)])
    assert store.get(corner, "checkmate") == WON and store.get(*numbered(1)[:2]) is None


def test_the_worked_examples() -> None:
    assert doctest.testmod(solver.store).failed == 0


def test_an_unknown_metric_is_refused(store: Store, corner: Position) -> None:
    with pytest.raises(InputError, match="winner, checkmate, connection"):
        store.get(corner, "chess")


def test_the_layout_is_the_documented_one(store: Store) -> None:
    position = Position(Size(3, 2), black=0b000100, white=0b001000, to_move=Color.WHITE)
    store.put_many([(position, "connection", Record(Color.WHITE, 0, 4, 0x0102, 3))])
    store.close()
    body = bytes([0b111, 0, 4, 2, 1, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0])
    key = bytes([3, 2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 8])
    with raw(store.directory) as transaction:
        assert transaction.get(key) == body + bytes([int.from_bytes(key + body, "big") % 251])
        assert transaction.get(b"\0hexbook") == b"hexbook store 1"


def test_every_flipped_bit_of_a_record_is_noticed(store: Store, corner: Position) -> None:
    store.put_many([(corner, "checkmate", WON)])
    with store._environment.begin() as transaction:
        ((_, _), (key, value)) = transaction.cursor()
    for bit in range(8 * len(value)):
        flipped = (int.from_bytes(value, "big") ^ 1 << bit).to_bytes(len(value), "big")
        with store._environment.begin(write=True) as transaction:
            transaction.put(key, flipped)
        with pytest.raises(InputError, match="damaged"):
            store.get(corner, "checkmate")


@pytest.mark.parametrize("body", [bytes([7, 9, 8]) + bytes(16), bytes([0, 65, 0]) + bytes(16), bytes([4, 0, 65]) + bytes(16), bytes([8]) + bytes(18)])
def test_what_no_record_can_say_is_noticed(store: Store, corner: Position, body: bytes) -> None:
    store.put_many([(corner, "checkmate", WON)])
    with store._environment.begin(write=True) as transaction:
        ((_, _), (key, _)) = transaction.cursor()
        transaction.put(key, body + bytes([int.from_bytes(key + body, "big") % 251]))
    with pytest.raises(InputError, match="damaged"):
        store.get(corner, "checkmate")


def test_the_default_directory_is_in_the_users_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
    assert default_directory() == Path("/elsewhere/hexbook/store")
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    assert default_directory() == Path.home() / ".cache/hexbook/store"


def test_another_format_version_is_refused_with_advice(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    with raw(tmp_path) as transaction:
        transaction.put(b"\0hexbook", b"hexbook store 7")
    message = refusal(tmp_path)
    assert "format 7" in message and "format 1" in message and "solve again" in message


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("hello")
    assert "not a directory" in refusal(file) and "not a directory" in refusal(file, readonly=True)

    assert "No such file" in refusal(tmp_path / "missing", readonly=True)
    assert not (tmp_path / "missing").exists()

    foreign = tmp_path / "foreign"
    foreign.mkdir()
    with raw(foreign) as transaction:
        transaction.put(b"key", b"of another program")
    assert "something else" in refusal(foreign) and "something else" in refusal(foreign, readonly=True)

    (foreign / "data.mdb").write_bytes(b"no pages" * 4096)
    assert "no file that this LMDB reads" in refusal(foreign)


def test_a_directory_that_cannot_be_made_or_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    refusal(tmp_path / "file" / "store")
    assert "cannot open" in refusal(Path("/proc/hexbook-store"))


def test_a_directory_without_permission_is_refused() -> None:
    directory = Path(tempfile.mkdtemp())
    user = os.geteuid()
    try:
        directory.chmod(0o555)
        if user == 0:
            os.seteuid(65534)
        assert "Permission denied" in refusal(directory)
        assert "Permission denied" in refusal(directory / "below")
    finally:
        os.seteuid(user)
        shutil.rmtree(directory)


def test_a_second_opening_in_one_process_is_refused(store: Store) -> None:
    assert "already open in this process" in refusal(store.directory)
    store.close()
    Store.open(store.directory).close()


def test_a_truncated_file_is_refused_before_its_pages_are_touched(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        for number in range(4):
            store.put_many(batch(number))
    file = tmp_path / "data.mdb"
    whole = file.read_bytes()
    for length in [1, 4095, 4096, 8191, 8192, *range(10_000, len(whole), 20_000), len(whole) - 1]:
        file.write_bytes(whole[:length])
        message = refusal(tmp_path)
        assert "truncated" in message or "no file that this LMDB reads" in message
    file.write_bytes(whole)
    with Store.open(tmp_path) as store:
        assert all(holds(store, number) for number in range(4))


def test_the_map_grows_by_itself(tmp_path: Path) -> None:
    with Store.open(tmp_path, map_size=1 << 16) as store:
        for number in range(20):
            store.put_many(batch(number))
        assert store._environment.info()["map_size"] > 1 << 16
        assert all(holds(store, number) for number in range(20))


def test_a_batch_larger_than_the_map_is_written_whole(tmp_path: Path) -> None:
    with Store.open(tmp_path, map_size=1 << 16) as store:
        store.put_many(numbered(index) for index in range(25 * BATCH))
        assert all(holds(store, number) for number in range(25))


def test_readers_follow_a_map_that_another_process_let_grow(tmp_path: Path) -> None:
    with Store.open(tmp_path, map_size=1 << 16) as store:
        store.put_many(batch(0))
        called(_write_batches, tmp_path, 1, 20)
        assert all(holds(store, number) for number in range(20))
        store.put_many(batch(20))
        assert holds(store, 20)


def _write_batches(answer: Connection, directory: Path, first: int, end: int) -> None:
    with Store.open(directory, map_size=1 << 16) as store:
        for number in range(first, end):
            store.put_many(batch(number))
    answer.send(None)


def test_a_full_disk_is_one_clear_line_and_loses_nothing(tmp_path: Path) -> None:
    written, message = called(_write_until_full, tmp_path)
    assert "cannot write it: " in message and "\n" not in message
    with Store.open(tmp_path) as store:
        assert written > 2 and all(holds(store, number) for number in range(written))
        assert not holds(store, written)
        store.put_many(batch(written))
        assert holds(store, written)


def _write_until_full(answer: Connection, directory: Path) -> None:
    """A file size limit stands in for a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 19, 1 << 19))
    with Store.open(directory) as store:
        for number in count():
            try:
                store.put_many(batch(number))
            except InputError as error:
                answer.send((number, str(error)))
                return


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_may_not_use_the_store(store: Store, corner: Position) -> None:
    child = os.fork()
    if child == 0:
        try:
            store.get(corner, "checkmate")
        except RuntimeError:
            os._exit(7)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def _read_along(answer: Connection, directory: Path, batches: int) -> None:
    """See the batches come; none is ever there in part, and none goes away again."""
    with Store.open(directory, readonly=True) as store:
        answer.send("open")
        seen = 0
        while seen < batches:
            first, *_, last = batch(seen)
            if store.get(*first[:2]) is not None:
                assert store.get(*last[:2]) == last[2]
                assert holds(store, seen)
                seen += 1
    answer.send(seen)


def test_two_processes_read_while_one_writes(store: Store) -> None:
    with ExitStack() as running:
        readers = [running.enter_context(spawned(_read_along, store.directory, 20)) for _ in range(2)]
        assert all(line.recv() == "open" for _, line in readers)
        for number in range(20):
            store.put_many(batch(number))
        assert all(line.recv() == 20 for _, line in readers)


def test_a_killed_readers_slot_is_taken_back_at_the_next_opening(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    with spawned(_hold_a_snapshot, tmp_path) as (killed, to_killed), spawned(_hold_a_snapshot, tmp_path) as (alive, to_alive):
        assert to_killed.recv() == to_alive.recv() == "reading"
        killed.kill()
        killed.join()
        with Store.open(tmp_path) as store:
            slots = store._environment.readers()
            assert str(alive.pid) in slots and str(killed.pid) not in slots


def _hold_a_snapshot(answer: Connection, directory: Path) -> None:
    with Store.open(directory, readonly=True) as store, store._transaction():
        answer.send("reading")
        answer.recv()
