"""Explorer pages that hold a book: what they tell is right, reaches as far as they say, and can be walked through in a browser."""

import re
from functools import cache
from pathlib import Path
from random import Random

import pytest
import shelf
from browser import Browser
from test_explore import browser, click_through, gathered, position_of  # noqa: F401  browser is a fixture

import books
from books.adviser import Adviser
from books.atlas import ALPHABET, Atlas, layers, name, value_of
from books.contents import QUICK_LENGTH
from books.explore import extent, page
from books.shelf import find
from solver.engine import Engine
from solver.notation import format_moves, parse_size
from solver.position import Position, Size

BOOKS = [("3x3", "checkmate"), ("4x4", "connection"), ("5x5", "checkmate")]


@cache
def held(size: str, metric: str) -> Atlas:
    """What a page holds of the book of a board, to its usual depth for books."""
    with books.open(shelf.book(size, metric)) as book, Adviser(book, limits=shelf.SMALL) as adviser:
        return gathered(adviser, metric, 2, book)


def best_game(atlas: Atlas, position: Position) -> list[int]:
    """The moves to which the lines of a page lead, as a reader would follow them."""
    game = list[int]()
    while True:
        key, symmetry = name(position)
        letters = atlas.lines.get(key, "")[1:]
        if not letters:
            return game
        for letter in letters:
            game.append(symmetry.cell(position.size, ALPHABET.index(letter)))
            position = position.play(game[-1])


@pytest.mark.parametrize(("size", "metric"), BOOKS)
def test_it_tells_what_a_search_finds(size: str, metric: str) -> None:
    atlas = held(size, metric)
    assert atlas.from_book and atlas.solved and atlas.values.keys() <= atlas.lines.keys()
    compared = set(Random(5).sample(sorted(atlas.values), min(60, len(atlas.values))))
    with Engine(parse_size(size), limits=shelf.SMALL) as engine:
        for key, letters in atlas.lines.items():
            position = position_of(engine.size, key)
            solution = engine.solve(position, metric)
            assert value_of(letters[0], position.to_move, metric) == (solution.winner, solution.length)
            if key in compared:
                told = [value_of(letter, position.to_move.other, metric) for letter in atlas.values[key]]
                assert told == [(value.winner, value.length) for value in sorted(engine.moves(position, metric))]
            game = best_game(atlas, position)
            assert len(game) == solution.length, format_moves(engine.size, game)
            for move in game:
                position = position.play(move)
            end = engine.solve(position, metric)
            assert (end.winner, end.length) == (solution.winner, 0)


@pytest.mark.parametrize(("size", "metric"), BOOKS)
def test_it_answers_every_defence(size: str, metric: str) -> None:
    """From each opening on, the winner's moves of the page and all moves of the loser lead to positions that it holds."""
    board, atlas = parse_size(size), held(size, metric)
    *_, waiting = layers(board, 1)
    answered = 0
    while waiting:
        position = waiting.pop()
        winner, length = value_of(atlas.lines[name(position)[0]][0], position.to_move, metric)
        if length <= QUICK_LENGTH:
            continue
        moves = best_game(atlas, position)[:1] if position.to_move == winner else position.legal()
        waiting += [position.play(move) for move in moves]
        answered += 1
    assert answered > 0 or size != "5x5"


def test_it_says_how_much_it_holds() -> None:
    atlas = held("5x5", "checkmate")
    told = extent(Size(5, 5), {"checkmate": atlas})
    full = sum(1 for key in atlas.lines if key in atlas.values)
    assert re.search(f"until it needs no more than {QUICK_LENGTH // 2} stones", told)
    assert told.endswith(f": {len(atlas.lines):,} positions, {full:,} of them with the values of all moves.")


def test_a_perfect_game_by_clicks(browser: Browser, tmp_path: Path) -> None:  # noqa: F811
    with books.open(shelf.book("5x5")) as book, Adviser(book, limits=shelf.SMALL) as adviser:
        at = tmp_path / "page.html"
        at.write_text(page(adviser.size, {"checkmate": gathered(adviser, "checkmate", 2, book)}), encoding="utf-8")
        browser.open(at.as_uri())
        with Engine(adviser.size, limits=shelf.SMALL) as engine:
            click_through(browser, engine, "checkmate", "a4")


@pytest.mark.slow
def test_the_page_of_6x6(browser: Browser, tmp_path: Path) -> None:  # noqa: F811
    path = find(Size(6, 6), "checkmate")
    if path is None:
        pytest.skip("there is no book of 6x6 here; 'make books' builds it")
    with books.open(path) as book, Adviser(book) as adviser:
        text = page(adviser.size, {"checkmate": gathered(adviser, "checkmate", 2, book)})
        assert len(text) < 5_000_000
        (tmp_path / "page.html").write_text(text, encoding="utf-8")
        for opening in ("a2", "a3", "d3"):
            browser.open("about:blank")
            browser.open((tmp_path / "page.html").as_uri())
            click_through(browser, adviser, "checkmate", opening)
