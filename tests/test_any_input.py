"""Whatever comes in is read rightly or refused in one line: all that tests/targets.py lists, with inputs that Hypothesis draws.

`make fuzz` tries many more, guided by coverage.
"""

import doctest

import pytest
import reader
from hypothesis import given, settings
from hypothesis import strategies as st
from targets import TARGETS, Target

SLOW = {"htp", "arguments", "dialogue", "book"}


def test_docstring_examples() -> None:
    outcome = doctest.testmod(reader)
    assert outcome.attempted and not outcome.failed


@st.composite
def spoilt(draw: st.DrawFn, target: Target) -> bytes:
    """An input that is understood, with some places of it replaced by words or by anything."""
    data = draw(st.sampled_from(target.seeds))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 8)))
        data = data[:start] + draw(words(target) | st.binary(max_size=3)) + data[end:]
    return data


def words(target: Target) -> st.SearchStrategy[bytes]:
    return st.sampled_from([word.encode() for word in target.words])


@pytest.mark.parametrize("name", TARGETS)
def test_any_input(name: str) -> None:
    target = TARGETS[name]
    inputs = st.one_of(spoilt(target), st.lists(words(target), max_size=30).map(b"".join), st.binary(max_size=target.most))

    @settings(deadline=None, max_examples=10 if name in SLOW else 80)
    @given(inputs)
    def check(data: bytes) -> None:
        target.check(data)

    for seed in target.seeds:
        target.check(seed)
    check()
