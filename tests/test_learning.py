"""How promising moves are: the features of moves, the proofs to learn from, and the fit."""

from contextlib import suppress
from pathlib import Path
from random import Random

import numpy as np
import oracle
import pytest
from positions import Setup, bits, random_setup

from solver import kernel, learning
from solver.position import Size

GROUPS = sorted((begin, name) for name, begin in kernel.FEATURES.items())


def group(feature: int) -> str:
    return max((begin, name) for begin, name in GROUPS if begin <= feature)[1]


def turned(cells: int, count: int) -> int:
    return sum(1 << count - 1 - cell for cell in bits(cells))


def reflected(cells: int, columns: int, rows: int) -> int:
    return sum(1 << cell % columns * rows + cell // columns for cell in bits(cells))


def around(listed: list[int]) -> list[int]:
    """The features that neither the deduction nor dead cells take part in: on another image of the board deduction may keep other
    connections of many, and dead cells go to Black everywhere."""
    return [feature for feature in listed if group(feature) not in ("paths", "filled")]


@pytest.mark.parametrize("columns, rows", [(6, 6), (8, 8), (6, 7), (8, 7)])
def test_images_of_a_move_have_the_same_features(columns: int, rows: int) -> None:
    """After a half turn, and after a reflection with the colours exchanged."""
    rng = Random(f"features {columns} {rows}")
    searcher, transposed = kernel.Kernel(columns, rows, 1 << 20), kernel.Kernel(rows, columns, 1 << 20)
    tied, cells, whole = learning.images(), columns * rows, list[bool]()
    for _ in range(60):
        setup, to_move, last = random_setup(rng, columns, rows, cells - rng.randint(1, columns)), rng.randrange(2), rng.choice([64, *range(cells)])
        moves = searcher.features(setup.black, setup.white, to_move, last)
        half = searcher.features(turned(setup.black, cells), turned(setup.white, cells), to_move, cells - 1 - last if last < 64 else 64)
        mirror = transposed.features(
            reflected(setup.white, columns, rows), reflected(setup.black, columns, rows), 1 - to_move,
            last % columns * rows + last // columns if last < 64 else 64,
        )
        for move, listed in moves.items():
            assert all(0 <= feature < kernel.FEATURES["end"] for feature in listed) and len(listed) == 11 + (last < 64)
            if (image := half.get(cells - 1 - move)) is not None:
                assert sorted(tied[around(listed)]) == sorted(tied[around(image)])
                whole.append(sorted(tied[listed]) == sorted(tied[image]))
            if (image := mirror.get(move % columns * rows + move // columns)) is not None:
                whole.append(sorted(tied[around(listed)]) == sorted(tied[around(image)]))
    assert len(whole) > 100 and sum(whole) > 0.8 * len(whole)


@pytest.mark.parametrize("columns, rows", [(5, 5), (6, 5)])
def test_proofs_are_of_won_positions(columns: int, rows: int) -> None:
    searcher = kernel.Kernel(columns, rows, 1 << 22, deduction=0, patterns=0)
    with suppress(kernel.Stopped):
        searcher.winner(1, 0, 1, 5000)
    proofs = list(searcher.proofs())
    assert len(proofs) > 20
    late = 0
    for proof in Random(1).sample(proofs, min(len(proofs), 200)):
        assert proof.nodes >= 2 and not (proof.black | proof.white) >> columns * rows
        if columns * rows - (proof.black | proof.white).bit_count() <= 9:
            late += 1
            assert oracle.winner(Setup(columns, rows, proof.black, proof.white).board, "BW"[proof.to_move]) == "BW"[proof.to_move]
    assert late > 20


def test_a_search_that_may_look_at_few_positions_stops() -> None:
    searcher = kernel.Kernel(6, 6, 1 << 22)
    with pytest.raises(kernel.Stopped):
        searcher.winner(1, 0, 1, 50)
    assert 50 <= searcher.nodes < 100
    assert searcher.winner(1, 0, 1, 10**6) == searcher.winner(1, 0, 1)


def test_the_fit_prefers_what_had_the_short_proofs() -> None:
    good, bad, always = kernel.FEATURES["place"] + 3, kernel.FEATURES["place"] + 4, kernel.FEATURES["paths"]
    samples = [learning.Sample([[always, bad], [always, good], [always, bad]], np.array([0.1, 0.9, 0.0]))] * 5
    weights = learning.fit(samples)
    assert weights[good] > kernel.SCALE / 2 > 0 > weights[bad] and len(weights) == len(kernel.WEIGHTS)
    assert sum(weights != 0) == 2


def test_samples_share_a_probability_among_the_moves_that_win() -> None:
    drawn = learning.draw_samples(Size(5, 5), np.random.default_rng(0))
    samples = [next(drawn) for _ in range(20)]
    assert all(len(sample.features) == len(sample.target) > 1 and sample.target.sum() == pytest.approx(1) for sample in samples)
    assert any(0 < sum(sample.target > 0) < len(sample.target) for sample in samples)


def test_the_weights_of_the_kernel_are_those_of_the_file(tmp_path: Path) -> None:
    learning.write(np.array(kernel.WEIGHTS), tmp_path / "weights.h")
    assert (tmp_path / "weights.h").read_text() == learning.WEIGHTS.read_text()
    weights = np.array(kernel.WEIGHTS)
    assert (weights == weights[learning.images()]).all()
