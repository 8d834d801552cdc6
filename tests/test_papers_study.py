"""The studies of the papers' systems: every system is there, a study is named alone or with its system, and its tables are printed."""

import json

import pytest

from solver.commands.papers import run_studies
from solver.papers.study import SYSTEMS, chosen, studies
from solver.position import InputError


def test_every_system_has_studies_of_some_minutes() -> None:
    assert {"queenbee", "hexy"} <= set(SYSTEMS)
    for system in SYSTEMS:
        assert [name for name in chosen([system]) if name.startswith(f"{system}-")]
    assert not any(studies()[name].long for name in chosen([]))


def test_long_studies_are_done_only_when_they_are_named() -> None:
    assert "hexy-play-long" not in chosen(["hexy"])
    assert chosen(["hexy-play-long", "hexy-limits", "hexy-play-long"]) == ["hexy-play-long", "hexy-limits"]


@pytest.mark.parametrize("name", ["", "bees", "hexy-figure"])
def test_an_unknown_study_is_an_error_of_one_line(name: str) -> None:
    with pytest.raises(InputError) as error:
        chosen([name])
    assert repr(name) in str(error.value) and "queenbee" in str(error.value) and "\n" not in str(error.value)


def test_a_study_prints_its_tables(capsys: pytest.CaptureFixture[str]) -> None:
    run_studies(["queenbee-lowest"], False)
    printed = capsys.readouterr().out
    assert printed.startswith("## queenbee-lowest") and "| won       | good    | ours  |" in printed


def test_or_each_row_as_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    run_studies(["queenbee-lowest"], True)
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["study"] for row in rows} == {"queenbee-lowest"}
    papers = [row for row in rows if row["positions"] == "won" and row[""] == "paper" and row["move"] == "good"]
    assert [row["0"] for row in papers] == [12]
