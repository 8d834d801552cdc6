"""The learned order of moves: their features, the proofs and refutations to learn from, and the fit."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import numpy as np
import oracle
import pytest
from positions import Setup, bits, random_setup

from solver import kernel, learning, learning_bounds, learning_winners, network
from solver.position import Size
from solver.softmax import Sample, fit, images


def turned(cells: int, count: int) -> int:
    return sum(1 << count - 1 - cell for cell in bits(cells))


def reflected(cells: int, columns: int, rows: int) -> int:
    return sum(1 << cell % columns * rows + cell // columns for cell in bits(cells))


def board(searcher: kernel.Kernel, size: Size, setup: Setup, to_move: int, last: int) -> tuple[network.Board, dict[int, int]] | None:
    """As the side to move sees it, every promising move with an equal part of the probability."""
    if (inputs := searcher.inputs(setup.black, setup.white, to_move, last)) is None:
        return None
    grids = [np.array(inputs.cells), *(np.array([cell in inputs.promises for cell in range(size.cells)]) for _ in range(2))]
    grids = [grid.reshape(size.rows, size.columns, *grid.shape[1:]) for grid in grids]
    return network.Board(*(grids if to_move == 0 else [grid.swapaxes(0, 1) for grid in grids])), inputs.promises


def around(inputs: np.ndarray) -> np.ndarray:
    """The inputs that neither the deduction nor dead cells take part in: on another image of the board deduction may keep other connections of
    many, and dead cells go to Black everywhere."""
    return inputs[..., [*range(13), 14, 15]]


@pytest.mark.parametrize("columns, rows", [(6, 6), (8, 8), (6, 7), (8, 7)])
def test_images_of_a_position_have_the_same_inputs(columns: int, rows: int) -> None:
    """After a half turn, and after a reflection with the colours exchanged."""
    rng, size = Random(f"inputs {columns} {rows}"), Size(columns, rows)
    searcher, transposed = kernel.Kernel(columns, rows, 1 << 20), kernel.Kernel(rows, columns, 1 << 20)
    cells, seen, mirrored, whole = size.cells, 0, 0, list[bool]()
    for _ in range(60):
        setup, to_move, last = random_setup(rng, columns, rows, cells - rng.randint(1, columns)), rng.randrange(2), rng.choice([64, *range(cells)])
        found = board(searcher, size, setup, to_move, last)
        half = Setup(columns, rows, turned(setup.black, cells), turned(setup.white, cells))
        mirror = Setup(rows, columns, reflected(setup.white, columns, rows), reflected(setup.black, columns, rows))
        if found is None:
            continue
        seen += 1
        assert found[0].inputs.shape == ((rows, columns) if to_move == 0 else (columns, rows)) + (17,)
        assert all((found[0].inputs >= 0).flat) and all((found[0].inputs < kernel.INPUTS["end"]).flat)
        if (image := board(searcher, size, half, to_move, cells - 1 - last if last < 64 else 64)) is not None:
            assert (around(network.turned(found[0]).inputs) == around(image[0].inputs)).all()
            whole += (network.turned(found[0]).inputs == image[0].inputs).all(2).ravel().tolist()
        image = board(transposed, Size(rows, columns), mirror, 1 - to_move, last % columns * rows + last // columns if last < 64 else 64)
        if image is not None and (found[0].inputs[..., 0] == image[0].inputs[..., 0]).all():  # not so if there are dead cells
            mirrored += 1
            assert (around(found[0].inputs) == around(image[0].inputs)).all()
    assert seen > 20 and mirrored > 10 and len(whole) > 100 and sum(whole) > 0.8 * len(whole)


def estimated(weights: dict[str, np.ndarray], inputs: np.ndarray) -> np.ndarray:
    """The network's output at every cell."""
    rows, columns, _ = inputs.shape
    value = np.clip(weights["INPUT"][inputs].sum(2), 0, 4095)
    for layer, bias in zip(weights["LAYER"], weights["BIAS"], strict=True):
        wide = np.pad(value, ((1, 1), (1, 1), (0, 0)))
        near = np.concatenate([wide[1 + r : 1 + r + rows, 1 + c : 1 + c + columns] for r, c in ((0, 0), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))], 2)
        value = np.clip((near @ layer.T + bias >> 10) + value, 0, 4095)
    return value @ weights["OUTPUT"] >> 10


@pytest.mark.parametrize("columns, rows", [(5, 5), (7, 7), (8, 8), (6, 7), (7, 9)])
def test_promises_are_those_of_the_network(columns: int, rows: int) -> None:
    rng, size, searcher, seen = Random(f"promises {columns} {rows}"), Size(columns, rows), kernel.Kernel(columns, rows, 1 << 20), 0
    weights = {name: np.array(values) for name, values in kernel.network().items()}
    for _ in range(60):
        setup, to_move = random_setup(rng, columns, rows, size.cells - rng.randint(0, columns // 2)), rng.randrange(2)
        if (found := board(searcher, size, setup, to_move, rng.choice([64, *range(size.cells)]))) is None:
            continue
        output = estimated(weights, found[0].inputs)
        output = (output if to_move == 0 else output.T).ravel()
        for move, promise in found[1].items():
            seen += 1
            assert output[move] == promise
    assert seen > 20


def test_no_sum_of_the_network_overflows() -> None:
    weights = {name: np.abs(np.array(values)) for name, values in kernel.network().items()}
    assert max(weights["INPUT"].max() * 17, weights["LAYER"].max(), weights["OUTPUT"].max()) < 2**15
    assert weights["LAYER"].sum(2).max() < 2**18 and weights["BIAS"].max() < 2**29 and weights["OUTPUT"].sum() < 2**18


@pytest.mark.parametrize("columns, rows", [(5, 5), (6, 5)])
def test_proofs_are_of_won_positions(columns: int, rows: int) -> None:
    searcher = kernel.Kernel(columns, rows, 1 << 22, deduction=0, patterns=0)
    with suppress(kernel.Stopped):
        searcher.winner(1, 0, 1, 5000)
    proofs = list(searcher.proofs())
    assert len(proofs) > 20
    late = 0
    for proof in Random(1).sample(proofs, min(len(proofs), 200)):
        assert proof.nodes >= 2 and not (proof.black | proof.white) >> proof.move & 1 and not (proof.black | proof.white) >> columns * rows
        if columns * rows - (proof.black | proof.white).bit_count() <= 9:
            late += 1
            assert oracle.winner(Setup(columns, rows, proof.black, proof.white).board, "BW"[proof.to_move]) == "BW"[proof.to_move]
    assert late > 20


@pytest.mark.parametrize("patience", [2, 10**6])
def test_a_search_that_may_look_at_few_positions_stops(patience: int) -> None:
    searcher = kernel.Kernel(6, 6, 1 << 22, patience=patience)
    with pytest.raises(kernel.Stopped):
        searcher.winner(1 << 12, 0, 1, 50)
    assert 50 <= searcher.nodes < 100
    assert searcher.winner(1 << 12, 0, 1, 10**6) == searcher.winner(1 << 12, 0, 1)


def test_a_bounded_search_that_may_look_at_few_positions_stops() -> None:
    searcher = kernel.Kernel(6, 6, 1 << 22)
    with pytest.raises(kernel.Stopped):
        searcher.within(1 << 2, 0, 1, 1, 7, "checkmate", 50)
    assert 50 <= searcher.nodes < 200
    assert searcher.within(1 << 2, 0, 1, 1, 7, "checkmate", 10**7) == searcher.within(1 << 2, 0, 1, 1, 7, "checkmate")


def decided(columns: int, rows: int) -> list[kernel.Decision]:
    searcher = kernel.Kernel(columns, rows, 1 << 24)
    for opening in range(columns):
        winner = searcher.winner(1 << opening, 0, 1).winner
        for stones in range(1, 9):
            searcher.within(1 << opening, 0, 1, winner, stones, "checkmate")
    return sorted(searcher.decisions())


@pytest.mark.parametrize("columns, rows", [(5, 5), (6, 5)])
def test_decisions_are_true_and_by_a_move(columns: int, rows: int) -> None:
    """Said of a position whose other cells are the defender's: by a search without tables in common, and by brute force where that is quick."""
    decisions = decided(columns, rows)
    assert all(sum(decision.side == side for decision in decisions) > 50 for side in (0, 1))
    board, bare, late = (1 << columns * rows) - 1, kernel.Kernel(columns, rows, 1 << 22, outlook=0, pressure=0, dead=0), 0
    for own, empty, side, stones, nodes in Random(1).sample(decisions, 150):
        assert nodes >= 1 and not own & empty and not (own | empty) & ~board
        bare.clear()
        assert bare.within(own, board & ~(own | empty), side, 0, stones, "checkmate").proved == (side == 0)
        if empty.bit_count() <= 8:
            late += 1
            late_board = Setup(columns, rows, own, board & ~(own | empty)).board
            assert oracle.within(late_board, "BW"[side], "B", 2 * stones - (side == 0), "checkmate") == (side == 0), (own, empty, side, stones)
    assert late > 5


@pytest.mark.parametrize("columns, rows", [(5, 5), (6, 6), (6, 5)])
def test_images_of_a_move_have_the_same_outlook(columns: int, rows: int) -> None:
    """After a half turn; but for the pressure, since on another image of the board deduction may keep other connections of many."""
    cells, searcher, tied, moves_seen = columns * rows, kernel.Kernel(columns, rows, 1 << 20), images(kernel.OUTLOOK_FEATURES["end"]), 0
    for own, empty, side, stones, _ in Random(2).sample(decided(columns, rows), 100):
        half = searcher.outlook_features(turned(own, cells), turned(empty, cells), side, stones)
        for move, listed in searcher.outlook_features(own, empty, side, stones).items():
            assert listed[-1] >= kernel.OUTLOOK_FEATURES["pressure"] and all(0 <= feature < kernel.OUTLOOK_FEATURES["end"] for feature in listed)
            if (image := half.get(cells - 1 - move)) is not None:
                moves_seen += 1
                assert sorted(tied[listed[:-1]]) == sorted(tied[image[:-1]])
    assert moves_seen > 50


def test_the_fit_prefers_what_had_the_short_proofs() -> None:
    good, bad, always = kernel.FEATURES["place"] + 3, kernel.FEATURES["place"] + 4, kernel.FEATURES["paths"]
    samples = [Sample([[always, bad], [always, good], [always, bad]], np.array([0.1, 0.9, 0.0]))] * 5
    weights = fit(samples, images(kernel.FEATURES["end"]))
    assert weights[good] > kernel.SCALE / 2 > 0 > weights[bad] and len(weights) == kernel.FEATURES["end"]
    assert sum(weights != 0) == 2


def test_the_network_learns_which_moves_had_the_short_proofs() -> None:
    pytest.importorskip("torch")
    drawn = [learning_winners.draw_samples(Size(columns, rows), np.random.default_rng(1)) for columns, rows in ((5, 5), (6, 5))]
    boards = [next(source) for source in drawn for _ in range(40)]
    weights = network.fit(boards, epochs=60)
    assert {name: values.shape for name, values in weights.items()} == {name: np.array(values).shape for name, values in kernel.network().items()}
    best = 0
    for sample in boards:
        output = np.where(sample.moves, estimated(weights, sample.inputs), -(10**9))
        best += sample.target.flat[output.argmax()] > 0.7 * sample.target.max()
    assert best > 0.9 * len(boards)


def test_pressure_is_fitted_beside_the_rest() -> None:
    place, groups = kernel.FEATURES["place"], kernel.OUTLOOK_FEATURES
    few, many = groups["pressure"] + 2, groups["pressure"] + 9
    samples = [Sample([[place + 3, many], [place + 4, few]], np.array([0.9, 0.1]))] * 3 + [Sample([[place + 4, many], [place + 4, few]], np.array([0.1, 0.9]))]
    weights = learning_bounds.fit_outlook(samples)
    assert weights[place + 3] > 0 > weights[place + 4] and weights[few] > weights[many] and len(weights) == groups["end"]
    without = fit([Sample([listed[:1] for listed in features], target) for features, target in samples], images(groups["end"]))
    assert (weights[: groups["pressure"]] == without[: groups["pressure"]]).all() and not without[groups["pressure"] :].any()


def test_samples_share_a_probability_among_the_moves_that_win() -> None:
    drawn = learning_winners.draw_samples(Size(6, 5), np.random.default_rng(0))
    samples = [next(drawn) for _ in range(20)]
    assert {sample.moves.shape for sample in samples} <= {(5, 6), (6, 5)}
    assert all(sample.moves.sum() > 1 and sample.target.sum() == pytest.approx(1) and not sample.target[~sample.moves].any() for sample in samples)
    assert any(0 < (sample.target > 0).sum() < sample.moves.sum() for sample in samples)


def test_great_proofs_give_the_move_that_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning_winners, "_CLASSES", 4)  # on small boards no proof is great
    samples = list(learning_winners.draw_great(Size(6, 6), 12, np.random.default_rng(0)))
    assert len(samples) > 20
    assert all(sample.moves.sum() > 1 and sample.target.max() == sample.target.sum() == 1 for sample in samples)
    assert all(sample.moves[sample.target > 0].all() for sample in samples)


def test_samples_are_kept_when_drawing_them_is_interrupted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(learning, "SAMPLES", tmp_path / "samples")
    monkeypatch.setattr(learning, "_PART", 3)
    drawn = list[int]()

    def draw(rng: np.random.Generator) -> Iterator[int]:
        while True:
            drawn.append(len(drawn))
            yield drawn[-1]
            if len(drawn) == 7:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learning._drawn("numbers", 8, draw, 5)
    assert drawn == [*range(7)]
    assert learning._drawn("numbers", 8, draw, 5) == [*range(6), 7, 8], "what was drawn of the third part is lost"
    assert learning._drawn("numbers", 7, draw, 5) == [*range(6), 7] and len(drawn) == 10, "nothing is drawn anew"
    monkeypatch.setattr(learning, "KERNEL", tmp_path)
    (tmp_path / "network.h").write_text("others")
    (tmp_path / "weights.h").write_text("")
    assert learning._drawn("numbers", 4, draw, 5) == [*range(10, 14)]


def test_samples_of_the_bounded_search_are_of_both_sides() -> None:
    drawn = learning_bounds.draw_samples(Size(5, 5), np.random.default_rng(0))
    sides, samples = zip(*(next(drawn) for _ in range(60)), strict=True)
    assert set(sides) == {0, 1}
    assert all(len(sample.features) == len(sample.target) > 1 and sample.target.sum() == pytest.approx(1) for sample in samples)
    assert any(0 < sum(sample.target > 0) < len(sample.target) for sample in samples)


def test_the_weights_of_the_kernel_are_those_of_the_files() -> None:
    outlook = [np.array(weights) for weights in kernel.OUTLOOK_WEIGHTS]
    assert learning.written(outlook) == (learning.KERNEL / "weights.h").read_text()
    assert all((weights == weights[images(len(weights))]).all() for weights in outlook)
    weights = {name: np.array(values) for name, values in kernel.network().items()}
    assert network.written(weights) == (learning.KERNEL / "network.h").read_text()
