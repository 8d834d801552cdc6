"""The bytes of a book: everything comes back, and what was changed is seen."""

import doctest
import json
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_position import positions, relaxed

from books import contents
from books import format as module
from books.contents import Entry, minimax, quick, roots
from books.format import SEAL_SIZE, Coder, DamagedBook, Metadata, pack, read_seal, seal, unpack
from solver.position import SYMMETRIES, Color, InputError, Position, Size

METADATA = Metadata(Size(6, 5), "checkmate", 2, (1, 2, 3), "ab" * 32, "hexbook 0.1.0", "2026-11-28T12:00:00Z")


@pytest.mark.parametrize("documented", [module, contents])
def test_docstring_examples(documented: ModuleType) -> None:
    outcome = doctest.testmod(documented)
    assert outcome.attempted and not outcome.failed


@relaxed
@given(positions())
def test_a_key_names_its_position(position: Position) -> None:
    canonical, _ = position.canonical()
    coder = Coder(position.size)
    assert coder.position(coder.key(canonical)) == canonical


@relaxed
@given(positions(), positions())
def test_keys_of_different_positions_differ(one: Position, other: Position) -> None:
    one, other = one.canonical()[0], Position(one.size, other.black & one.size.full, 0, other.to_move).canonical()[0]
    coder = Coder(one.size)
    assert (coder.key(one) == coder.key(other)) == (one == other)


def test_keys_are_short() -> None:
    assert [len(Coder(Size(n, n)).key(Position.start(Size(n, n)))) for n in range(1, 9)] == [2, 2, 2, 4, 6, 8, 10, 13]


def test_keys_that_name_no_canonical_position() -> None:
    size = Size(3, 3)
    coder = Coder(size)
    sound = coder.key(Position(size, 1, 2, Color.BLACK))
    turned = coder.key(SYMMETRIES[1].position(Position(size, 1, 2, Color.BLACK)))
    for key in (turned, b"", sound + b"\0", sound[:-1], b"\xff" * len(sound), sound[:-1] + bytes([sound[-1] // 3 * 3 + 2])):
        with pytest.raises(DamagedBook):
            coder.position(key)


def test_another_board_is_refused() -> None:
    with pytest.raises(InputError, match="3x3"):
        Coder(Size(4, 4)).key(Position.start(Size(3, 3)))
    Coder(Size(3, 4)).key(Position.start(Size(4, 3)))  # the mirror image


@relaxed
@given(st.binary(min_size=2, max_size=13), st.sampled_from(Color), st.integers(0, 64))
def test_values_come_back(key: bytes, winner: Color, length: int) -> None:
    assert unpack(key, pack(key, Entry(winner, length)), "checkmate") == Entry(winner, length)
    assert unpack(key, pack(key, Entry(winner, None)), "winner") == Entry(winner, None)


@relaxed
@given(st.binary(min_size=2, max_size=13), st.sampled_from(Color), st.integers(0, 64), st.data())
def test_no_flipped_bit_of_a_record_goes_unseen(key: bytes, winner: Color, length: int, data: st.DataObject) -> None:
    record = key + pack(key, Entry(winner, length))
    bit = data.draw(st.integers(0, 8 * len(record) - 1))
    flipped = (int.from_bytes(record, "big") ^ 1 << bit).to_bytes(len(record), "big")
    with pytest.raises(DamagedBook):
        unpack(flipped[:-2], flipped[-2:], "checkmate")


def test_metadata_come_back() -> None:
    assert Metadata.unpacked(METADATA.packed()) == METADATA
    assert METADATA.positions == 6 and METADATA.to_json()["size"] == "6x5"


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[1]", b"\xff", METADATA.packed()[:-1], METADATA.packed().replace(b"plies", b"plays"), b"[" * 100_000,
             METADATA.packed().replace(b'"plies":2', b'"plies":' + b"9" * 5000)]
)
def test_metadata_that_are_none(data: bytes) -> None:
    with pytest.raises(DamagedBook):
        Metadata.unpacked(data)


@pytest.mark.parametrize("key", METADATA.to_json())
@pytest.mark.parametrize("value", [None, True, -1, 1.5, "x\n", [], ["a"], [-1], {}], ids=lambda value: type(value).__name__)
def test_metadata_of_other_kinds(key: str, value: object) -> None:
    data = json.dumps(METADATA.to_json() | {key: value}, sort_keys=True, separators=(",", ":")).encode()
    with pytest.raises(DamagedBook):
        Metadata.unpacked(data)


def test_the_seal() -> None:
    line = seal("0f" * 32)
    assert len(line) == SEAL_SIZE and read_seal(line) == (module.FORMAT, "0f" * 32)
    assert read_seal(line[:-1]) is None and read_seal(line.replace(b"sha256", b"sha257")) is None


def test_roots_are_all_positions_after_so_many_moves() -> None:
    for size in (Size(1, 1), Size(2, 2), Size(3, 4), Size(4, 3)):
        positions, layers = [Position.start(size)], roots(size, 3)
        assert len(layers) == 4
        for layer in layers:
            assert {position.canonical()[0] for position in layer} == {position.canonical()[0] for position in positions}
            assert len(layer) == len({position.canonical()[0] for position in layer})
            assert all(position.size == Position.start(size).canonical()[0].size for position in layer)
            positions = [position.play(move) for position in positions for move in position.legal()]


def test_the_value_of_a_position_from_its_replies() -> None:
    position = Position.start(Size(2, 2))
    black, white = Color.BLACK, Color.WHITE
    assert minimax(position, [Entry(white, 3), Entry(white, 5)]) == Entry(white, 6)
    assert minimax(position, [Entry(white, 3), Entry(black, 4), Entry(black, 2)]) == Entry(black, 3)
    assert minimax(position, [Entry(white, None), Entry(black, None)]) == Entry(black, None)


def test_what_is_quick() -> None:
    position = Position.start(Size(7, 7))
    assert quick(position, Entry(Color.BLACK, 10)) and not quick(position, Entry(Color.BLACK, 11))
    assert not quick(position, Entry(Color.BLACK, None)) and quick(Position.start(Size(6, 6)), Entry(Color.BLACK, None))
