"""The opening table as a picture: on each cell who wins after that first move, and in how many plies.

The winner shows in the lightness, for Black's cells are dark and White's light, and in a small stone, so that nothing rests on hue.
Within its range a cell is the darker the longer the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from books.picture import EMPTY, Key, Svg, Swatch, board
from solver.position import Color, Position
from solver.solution import Solution

_SHADES = {Color.BLACK: ("#3f78ad", "#0b2545"), Color.WHITE: ("#fff6e0", "#efae52")}  # the shortest game, the longest
_NOTES = {
    "checkmate": "Checkmate: the winner's chain from edge to edge has no gaps but separate two-bridges.",
    "connection": "Connection: the winner's stones join both edges.",
}
_MOST_SWATCHES = 7


def table_svg(openings: Mapping[int, Solution], width: int | None = None) -> Svg:
    """Draw the table; `openings` gives the solution after each of Black's first moves, is not empty, and of one metric.

    `width` is in pixels (None: as wide as the place where the picture is shown).
    """
    first = next(iter(openings.values()))
    size, metric = first.position.size, first.metric
    swatches = dict(zip(openings, _swatches(openings.values())))
    asked = "Winner" if metric == "winner" else f"Winner and plies to {metric}"
    return board(
        Position.start(size),
        fill={move: swatch.fill for move, swatch in swatches.items()},
        labels={move: swatch.label for move, swatch in swatches.items()},
        marks={move: swatch.mark for move, swatch in swatches.items() if swatch.mark is not None},
        titles={move: _title(solution) for move, solution in openings.items()},
        heading=[f"Hex {size.columns}×{size.rows}", f"{asked} after each first move of Black"],
        legend=list(_winners(swatches.values())),
        notes=list(_notes(openings.values())),
        width=width,
    )


def _swatches(solutions: Iterable[Solution]) -> Iterator[Swatch]:
    """The look of each opening."""
    solutions = list(solutions)
    lengths = [solution.lower for solution in solutions if solution.winner is not None and solution.metric != "winner"]
    for solution in solutions:
        if solution.winner is None:
            yield Swatch(EMPTY, "?")
        elif solution.metric == "winner":
            yield Swatch(_shade(solution.winner, 0.5), mark=solution.winner)
        else:
            depth = (solution.lower - min(lengths)) / max(1, max(lengths) - min(lengths))
            label = f"{solution.lower}" if solution.solved else f"{solution.lower}+"
            yield Swatch(_shade(solution.winner, depth), label, solution.winner)


def _shade(winner: Color, depth: float) -> str:
    """The colour for a length that lies at `depth`, 0 to 1, between the shortest and the longest of a table."""
    light, dark = (bytes.fromhex(shade[1:]) for shade in _SHADES[winner])
    return "#" + bytes(round(start + depth * (end - start)) for start, end in zip(light, dark)).hex()


def _winners(swatches: Iterable[Swatch]) -> Iterator[Key]:
    """A line of the legend for each outcome that occurs, with its lengths or, of many, some of them."""
    swatches = list(swatches)
    for winner in (*Color, None):
        looks = [swatch for swatch in swatches if swatch.mark == winner]
        if not looks:
            continue
        distinct = sorted(set(looks), key=lambda swatch: (int(swatch.label.strip("+?") or 0), swatch.label))
        steps = min(len(distinct), _MOST_SWATCHES) - 1
        shown = [distinct[round(step * (len(distinct) - 1) / max(1, steps))] for step in range(steps + 1)]
        outcome = "Not known" if winner is None else f"{str(winner).capitalize()} wins"
        yield Key(shown, f"{outcome}: {len(looks)} of {len(swatches)}")


def _notes(solutions: Iterable[Solution]) -> Iterator[str]:
    """What the picture does not say of itself."""
    solutions = list(solutions)
    metric = solutions[0].metric
    yield "Black joins top and bottom, White left and right."
    if metric != "winner":
        yield "Plies: the moves of both players after the first; the darker, the more."
        yield _NOTES[metric]
    if any(solution.winner is not None and not solution.solved for solution in solutions):
        yield "+: at least so many."


def _title(solution: Solution) -> str:
    """The value of an opening in words."""
    if solution.winner is None:
        return "not known"
    wins = f"{str(solution.winner).capitalize()} wins"
    if solution.metric == "winner":
        return wins
    return f"{wins} in {solution.lower} plies" if solution.solved else f"{wins} in {solution.lower} to {solution.upper} plies"
