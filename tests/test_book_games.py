"""Games of the book's side against every kind of defender: it always wins, never later than stated, and by the judge's word."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import oracle
import pytest
import shelf
from positions import Setup

import books
from books.adviser import Adviser
from books.shelf import find
from solver.duel import Duel
from solver.engine import Engine
from solver.guess import guessed_moves
from solver.position import Color, Position, Size

Defender = Callable[[Position], int]


def mated(position: Position, winner: Color) -> bool:
    """Whether the judge sees a checkmate."""
    return oracle.checkmate(Setup(position.size.columns, position.size.rows, position.black, position.white).board, "BW"[winner])


def plies_of(adviser: Engine, position: Position, winner: Color, defender: Defender) -> int:
    """The plies of a game that the winner plays with the book."""
    plies = 0
    while not mated(position, winner):
        if position.to_move == winner:
            move = Duel(adviser, position, winner.other, metric="checkmate", swap=False).best_move()
        else:
            move = defender(position)
        position = position.play(move)
        plies += 1
    return plies


def random_defender(rng: Random) -> Defender:
    return lambda position: rng.choice(position.legal())


def greedy_defender(rng: Random) -> Defender:
    """One of the places where the short paths of both players cross."""
    return lambda position: rng.choice(guessed_moves(position)[:3])


def longest_defender(engine: Engine, rng: Random) -> Defender:
    """Any of the moves that hold out longest."""
    return lambda position: rng.choice([value.move for value in engine.moves(position) if value.optimal])


def play_all(path: Path, rounds: int, *, independent: bool = True) -> int:
    """Games after all openings, so many against each of the three; how many they were.

    An `independent` defender knows nothing of the book; otherwise the optimal one asks it, too.
    """
    rng, games = Random(11), 0
    with books.open(path) as book, Adviser(book, limits=shelf.SMALL) as adviser, Engine(adviser.size, limits=shelf.SMALL) as other:
        start = Position.start(adviser.size)
        longest = longest_defender(other if independent else adviser, rng)
        for _ in range(rounds):
            for opening in start.legal():
                position = start.play(opening)
                entry = book.probe(position)
                assert entry.length is not None
                for defender in (random_defender(rng), greedy_defender(rng)):
                    assert plies_of(adviser, position, entry.winner, defender) <= entry.length
                assert plies_of(adviser, position, entry.winner, longest) == entry.length
                games += 3
    return games


@pytest.mark.parametrize(("size", "rounds"), [("2x2", 2), ("3x3", 4), ("4x4", 3), ("5x5", 1)])
def test_the_book_wins_in_time(size: str, rounds: int) -> None:
    assert play_all(shelf.book(size), rounds) >= 24


@pytest.mark.slow
@pytest.mark.parametrize(("size", "rounds"), [("4x4", 21), ("5x5", 14)])
def test_the_book_wins_a_thousand_games(size: str, rounds: int) -> None:
    assert play_all(shelf.book(size), rounds) >= 1000


@pytest.mark.slow
def test_the_book_of_6x6_wins_a_thousand_games() -> None:
    path = find(Size(6, 6), "checkmate")
    if path is None:
        pytest.skip("there is no book of 6x6 here; 'make books' builds it")
    assert play_all(path, 10, independent=False) >= 1000
