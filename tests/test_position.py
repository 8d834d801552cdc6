"""Sizes, positions and symmetries."""

import doctest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver import position as module
from solver.position import SYMMETRIES, Color, InputError, Position, Size, Symmetry, cells_of

relaxed = settings(deadline=None)

sizes = st.one_of(
    st.builds(Size, st.integers(1, 8), st.integers(1, 8)),
    st.sampled_from([Size(1, 64), Size(64, 1), Size(32, 2), Size(2, 32), Size(9, 7)]),
)
symmetries = st.sampled_from(SYMMETRIES)


@st.composite
def positions(draw: st.DrawFn, sizes: st.SearchStrategy[Size] = sizes) -> Position:
    """Any stones, any side to move."""
    size = draw(sizes)
    taken = draw(st.integers(0, size.full))
    black = taken & draw(st.integers(0, size.full))
    return Position(size, black, taken & ~black, draw(st.sampled_from(Color)))


def place(size: Size, cell: int) -> tuple[int, int]:
    return divmod(cell, size.columns)


def adjacent(size: Size, one: int, two: int) -> bool:
    (row, column), (other_row, other_column) = place(size, one), place(size, two)
    steps = (0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)
    return (other_row - row, other_column - column) in steps


def connected(position: Position, color: Color) -> bool:
    """Whether `color` joins its edges: a plain flood fill."""
    size, axis = position.size, 0 if color == Color.BLACK else 1
    last = (size.rows, size.columns)[axis] - 1
    stones = cells_of(position.stones(color))
    reached = [cell for cell in stones if place(size, cell)[axis] == 0]
    for cell in reached:
        reached += [near for near in stones if near not in reached and adjacent(size, cell, near)]
    return any(place(size, cell)[axis] == last for cell in reached)


def test_docstring_examples() -> None:
    outcome = doctest.testmod(module)
    assert outcome.attempted and not outcome.failed


def test_colors() -> None:
    assert Color.BLACK.other is Color.WHITE and Color.WHITE.other is Color.BLACK
    assert str(Color.WHITE) == f"{Color.WHITE}" == "white"
    assert f"{Color.BLACK:>6}" == " black"


@pytest.mark.parametrize("columns, rows", [
    (0, 3), (3, 0), (-1, 5), (-8, -8), (9, 8), (65, 1), (10**9, 1),
])
def test_bad_sizes(columns: int, rows: int) -> None:
    with pytest.raises(InputError, match=f"board of {columns}x{rows} has"):
        Size(columns, rows)


def test_size() -> None:
    size = Size(6, 7)
    assert (str(size), size.cells, size.full, size.square) == ("6x7", 42, 2**42 - 1, False)
    assert size.transposed == Size(7, 6)
    assert Size(8, 8).full == 2**64 - 1 and Size(8, 8).square


@given(st.integers(0, 2**64 - 1))
def test_cells_of_a_mask(mask: int) -> None:
    cells = cells_of(mask)
    assert cells == sorted(cells) and sum(1 << cell for cell in cells) == mask


@pytest.mark.parametrize("black, white, message", [
    (0b110, 0b010, "row 1, column 2 of the 3x3 board"),
    (1 << 9, 0, "outside the 3x3 board"),
    (0, 1 << 64, "outside the 3x3 board"),
    (-1, 0, "outside the 3x3 board"),
])
def test_bad_stones(black: int, white: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Position(Size(3, 3), black, white, Color.BLACK)


@pytest.mark.parametrize("cell, message", [
    (4, "row 2, column 2 of the 3x3 board is occupied"),
    (-1, "not on the 3x3 board"),
    (9, "not on the 3x3 board"),
])
def test_bad_plays(cell: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Position.start(Size(3, 3)).play(4).play(cell)


@relaxed
@given(positions())
def test_play_adds_one_stone_of_the_side_to_move(position: Position) -> None:
    assert [cell for cell in range(position.size.cells) if position.empty >> cell & 1] == position.legal()
    for cell in position.legal():
        after = position.play(cell)
        mover = position.to_move
        assert after.to_move == mover.other
        assert after.stones(mover) == position.stones(mover) | 1 << cell
        assert after.stones(mover.other) == position.stones(mover.other)


def test_symmetries_by_hand() -> None:
    # B . W        the board turned: . B .    and mirrored: W .
    # . B .                          W . B                  . W
    #                                                       B .
    position = Position(Size(3, 2), 0b010_001, 0b000_100, Color.WHITE)
    turned = Position(Size(3, 2), 0b100_010, 0b001_000, Color.WHITE)
    mirrored = Position(Size(2, 3), 0b01_00_00, 0b00_10_01, Color.BLACK)
    assert Symmetry(rotate=True, reflect=False).position(position) == turned
    assert Symmetry(rotate=False, reflect=True).position(position) == mirrored


@given(positions(), symmetries)
def test_symmetries_undo_themselves(position: Position, symmetry: Symmetry) -> None:
    size = position.size
    image = symmetry.position(position)
    assert image.size == symmetry.size(size)
    assert symmetry.position(image) == position
    assert symmetry.mask(image.size, symmetry.mask(size, position.black)) == position.black
    assert symmetry.color(symmetry.color(position.to_move)) == position.to_move
    for cell in range(size.cells):
        assert symmetry.cell(image.size, symmetry.cell(size, cell)) == cell


@given(positions())
def test_rotation_and_reflection_commute(position: Position) -> None:
    rotate, reflect, both = Symmetry(True, False), Symmetry(False, True), Symmetry(True, True)
    assert rotate.position(reflect.position(position)) == both.position(position)
    assert reflect.position(rotate.position(position)) == both.position(position)
    assert Symmetry(False, False).position(position) == position


@given(positions(), symmetries)
def test_masks_go_cell_by_cell(position: Position, symmetry: Symmetry) -> None:
    size = position.size
    assert symmetry.mask(size, position.black) == sum(
        1 << symmetry.cell(size, cell) for cell in cells_of(position.black))


@relaxed
@given(positions(), symmetries)
def test_symmetries_commute_with_play(position: Position, symmetry: Symmetry) -> None:
    for cell in position.legal():
        image = symmetry.position(position).play(symmetry.cell(position.size, cell))
        assert image == symmetry.position(position.play(cell))


@given(sizes, symmetries)
@settings(deadline=None, max_examples=25)
def test_symmetries_keep_neighbours(size: Size, symmetry: Symmetry) -> None:
    image = [symmetry.cell(size, cell) for cell in range(size.cells)]
    for one in range(size.cells):
        for two in range(one):
            assert adjacent(size, one, two) == adjacent(symmetry.size(size), image[one], image[two])


@given(positions(st.builds(Size, st.integers(1, 5), st.integers(1, 5))), symmetries)
def test_symmetries_keep_the_winner(position: Position, symmetry: Symmetry) -> None:
    full = Position(position.size, position.black, position.size.full & ~position.black, position.to_move)
    image = symmetry.position(full)
    assert connected(full, Color.BLACK) != connected(full, Color.WHITE)
    for color in Color:
        assert connected(image, symmetry.color(color)) == connected(full, color)


@given(positions())
def test_canonical_is_the_smallest_image(position: Position) -> None:
    images = [symmetry.position(position) for symmetry in SYMMETRIES]
    smallest = min(images, key=lambda p: (p.size.rows, p.size.columns, p.to_move, p.black, p.white))
    assert len(SYMMETRIES) == 4
    for image in images:
        canonical, symmetry = image.canonical()
        assert canonical == smallest == symmetry.position(image)
    assert smallest.canonical() == (smallest, Symmetry(False, False))
    assert smallest.to_move == Color.BLACK or not position.size.square
