"""Divided positions: the same values as by one search, whatever is divided, in whatever order the answers come."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import solver.division
from solver.division import Division
from solver.engine import METRICS, Engine
from solver.job import Job
from solver.notation import parse_moves, parse_size, position_after
from solver.options import Limits
from solver.player import winner_by
from solver.position import Color, Position, Size
from solver.solution import Solution
from solver.store import Store
from solver.worker import LimitReached, Status


SMALL = Limits(memory=16 << 20)


class Reluctant(Engine):
    """An engine that has too little time for positions with few stones: of these it finds the winner at most, and a bound."""

    def __init__(
        self, size: Size, *, stones: int, winners: bool = True, store: Store | None = None, limits: Limits = SMALL, cold: bool = False
    ) -> None:
        super().__init__(size, store=store, limits=limits, cold=cold)
        self.stones, self.winners, self.asked = stones, winners, list[Position]()

    def solve(
        self, position: Position, metric: str = "checkmate", progress: object = None, *, most: int | None = None
    ) -> Solution:
        self.asked.append(position)
        if (position.black | position.white).bit_count() >= self.stones:
            return super().solve(position, metric, most=most)
        winner = super().solve(position, "winner").winner if self.winners else None
        bounded = winner is not None and metric != "winner" and winner_by(metric, position) is None
        lower = 2 - (winner == position.to_move) if bounded else 0
        return Solution(position, metric, winner, lower, position.empty.bit_count(), "search", 10, 2.0)


def settled(division: Division, engine: Engine, rng: Random, hands: int = 3) -> Iterator[Solution]:
    """Do the jobs, up to `hands` at a time; their answers come in any order."""
    in_hand = list[Job]()
    while True:
        while len(in_hand) < hands and (job := division.take()) is not None:
            in_hand.append(job)
        if not in_hand:
            return
        rng.shuffle(in_hand)
        job = in_hand.pop()
        if rng.random() < 0.1:
            division.put_back(job)
        else:
            yield from division.learn(job, job.solve(engine, lambda status: None))


@pytest.mark.parametrize("winners", [True, False])
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(("board", "stones"), [("2", 3), ("3", 3), ("2x4", 3), ("4x3", 2), ("4", 2)])
def test_the_values_are_those_of_one_search(board: str, stones: int, metric: str, winners: bool) -> None:
    size = parse_size(board)
    roots = [Position.start(size), *(Position.start(size).play(cell) for cell in range((size.cells + 1) // 2))]
    division = Division(roots, metric, None, 1.0)
    with Engine(size) as engine, Reluctant(size, stones=stones, winners=winners) as reluctant:
        found = {solution.position: solution for solution in settled(division, reluctant, Random(stones))}
        assert list(found) and set(found) == set(roots) and division.take() is None
        for root in roots:
            expected = engine.solve(root, metric)
            assert (found[root].winner, found[root].length) == (expected.winner, expected.length)
            assert found[root].solved and found[root].nodes >= 10


def test_only_what_matters_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the winner is to move, replies that do not win are asked for the winner only, and lengths only up to what would help."""
    monkeypatch.setattr(solver.division, "_PAUSE", 0)
    size = Size(3, 3)
    root = position_after(size, parse_moves(size, "a1"))  # White wins in one ply, by b2
    division = Division([root], "checkmate", None, 1.0)
    with Reluctant(size, stones=2) as engine:
        jobs = list[Job]()
        while (job := division.take()) is not None:
            jobs.append(job)
            division.learn(job, job.solve(engine, lambda status: None))
    assert jobs[0] == Job(root, "checkmate", seconds=1.0) and [job.metric for job in jobs[1:]] == ["winner", "checkmate"]
    assert jobs[2].position == jobs[1].position and jobs[2].most == 0


@pytest.mark.parametrize("metric", ["checkmate", "connection"])
@pytest.mark.parametrize("moves", ["", "a1", "b2", "b2 a3"])
def test_a_bound_is_proved_or_refuted_and_no_more(moves: str, metric: str) -> None:
    size = Size(3, 4)
    position = position_after(size, parse_moves(size, moves))
    with Engine(size) as engine:
        length = engine.solve(position, metric).length
    for most in range(length + 4):
        with Engine(size) as engine:
            found = engine.solve(position, metric, most=most)
            assert found.lower <= length <= found.upper and (found.upper <= most) == (length <= most) == (found.lower <= most)
            assert engine.solve(position, metric).length == length


def test_a_job_has_its_time() -> None:
    class Slow:
        def solve(self, position: Position, metric: str, progress):  # type: ignore[no-untyped-def]
            while True:
                progress(Status(1, None))

    with pytest.raises(LimitReached):
        Job(Position.start(Size(3, 3)), "checkmate", seconds=0.05).solve(Slow(), lambda status: None)


def test_without_division_each_root_is_one_job() -> None:
    size = Size(3, 3)
    roots = [Position.start(size).play(cell) for cell in range(5)]
    division = Division(roots, "checkmate", None, None)
    jobs = [division.take() for _ in roots]
    assert jobs == [Job(root, "checkmate") for root in roots] and division.take() is None
    stopped = Solution(roots[0], "checkmate", None, 3, 8, "search", 7, 1.5)
    assert division.learn(Job(roots[0], "checkmate"), stopped) == [stopped]
    (given_up,) = division.learn(Job(roots[1], "checkmate"), None)
    assert (given_up.position, given_up.winner, given_up.solved) == (roots[1], None, False)


def test_a_job_that_is_given_up_is_divided() -> None:
    size = Size(3, 3)
    root = position_after(size, parse_moves(size, "a1"))
    division = Division([root], "checkmate", None, 1.0)
    first = division.take()
    assert first is not None and division.learn(first, None) == []
    with Engine(size) as engine:
        (found,) = settled(division, engine, Random(1))
    assert (found.winner, found.length) == (Color.WHITE, 1)


def test_another_time_goes_on_from_the_store(tmp_path: Path) -> None:
    """What was found hard is divided at once, and what was answered is not asked again."""
    size = Size(4, 4)
    root = position_after(size, parse_moves(size, "b1"))
    with Store.open(tmp_path) as store, Reluctant(size, stones=3) as engine:
        first = Division([root], "checkmate", store, 1.0)
        while len(engine.asked) < 12 and (job := first.take()) is not None:
            answer = job.solve(engine, lambda status: None)
            store.put_many([(job.position, job.metric, record(answer))])
            assert first.learn(job, answer) == []
        before = set(engine.asked)
        again = Division([root], "checkmate", store, 1.0)
        assert root not in [job.position for job in iter(again.take, None)]
        again = Division([root], "checkmate", store, 1.0)
        (found,) = settled(again, engine, Random(2))
        hard = {position for position in before if (position.black | position.white).bit_count() < 3}
        assert hard and not hard & set(engine.asked[len(before):])
        with Engine(size) as alone:
            assert found.length == alone.solve(root).length
        assert store.get(root, "checkmate")[:3] == (found.winner, found.length, found.length)
        last = Division([root], "checkmate", store, 1.0)
        assert last.take() == Job(root, "checkmate", seconds=1.0) and last.take() is None


def record(found: Solution):  # type: ignore[no-untyped-def]
    from solver.openings import records

    return records(found)[-1][2]
