"""Benchmarks and ablations: the same work with and without an ingredient, and rows that are cut off."""

import pytest

from solver import ablation, kernel
from solver.bench import JOBS
from solver.notation import parse_size
from solver.position import InputError


def test_every_ingredient_is_studied() -> None:
    studied = [ingredient for study in ablation.STUDIES.values() for ingredient in study.ingredients]
    assert set(studied) == set(kernel.SWITCHES)
    for study in ablation.STUDIES.values():
        assert all(parse_size(work.split()[0]).square for work in study.works)


@pytest.mark.parametrize("metric", ["winner", "checkmate"])
def test_an_ablation_asks_what_the_engine_asks(metric: str) -> None:
    job = JOBS["winner5"]._replace(sizes=(4,), metric=metric)
    assert ablation.solve(metric, "4x4") == (job.solve(), True)
    assert ablation.solve(metric, "4x4 a1 d4") == ablation.solve(metric, "4x4 d4")
    assert ablation.solve(metric, "4x4", "deduction") > (job.solve(), True)


def test_a_row_that_takes_too_long_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ablation, "SECONDS", 0)
    nodes, finished = ablation.solve("winner", "8x8 a1")
    assert nodes > 0 and not finished


def test_a_row_names_a_board() -> None:
    with pytest.raises(InputError):
        ablation.solve("winner", "9x9")
