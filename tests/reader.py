"""Second readers of the text forms, the obvious way and without a line from solver: what hexbook reads must be what they read.

They are for text that hexbook accepts, and need not notice what is wrong with any other. A board is a dict from (row, column),
counted from 0, to "B" or "W".
"""

import re
from urllib.parse import unquote

Board = dict[tuple[int, int], str]


def cell(name: str) -> tuple[int, int]:
    """The place that a name such as "c3" means.

    >>> cell("c3"), cell("ab10")
    ((2, 2), (9, 27))
    """
    letters = name.rstrip("0123456789")
    column = 0
    for letter in letters:
        column = 26 * column + "abcdefghijklmnopqrstuvwxyz".index(letter) + 1
    return int(name[len(letters):]) - 1, column - 1


def moves(text: str) -> list[tuple[int, int]]:
    """The cells of a move list.

    >>> moves("A1, b2")
    [(0, 0), (1, 1)]
    """
    return [cell(word) for word in text.lower().replace(",", " ").split()]


def alternated(cells: list[tuple[int, int]]) -> Board:
    """The board after moves, Black first."""
    return {place: "BW"[ply % 2] for ply, place in enumerate(cells)}


def board(text: str) -> tuple[int, int, Board]:
    """Columns, rows and stones of a drawn board.

    >>> board("  a  b\\n1 W5  b 1\\n  2 . O 2\\n    a b")
    (2, 2, {(0, 1): 'B', (1, 1): 'W'})
    """
    lines = [line.split() for line in text.lower().splitlines()]
    lines = [words for words in lines if words and not words[0].startswith("#")]
    drawn = [words for words in lines if not words[0].startswith("a")]
    stones: Board = {}
    columns = 0
    for row, words in enumerate(drawn):
        words = words[words[0].isdecimal():len(words) - words[-1].isdecimal()]
        marked = [re.sub(r".*[0-9*+-].*", ".", word) for word in words]
        columns = len("".join(marked))
        for column, symbol in enumerate("".join(marked)):
            if symbol != ".":
                stones[row, column] = {"b": "B", "x": "B", "w": "W", "o": "W"}[symbol]
    return columns, len(drawn), stones


def hexworld(link: str) -> tuple[int, int, Board, str]:
    """Columns, rows, stones and the side to move at the cursor of a HexWorld link.

    >>> hexworld("#6x7c1,a2:sc3,d4")
    (6, 7, {(0, 1): 'W', (2, 2): 'B'}, 'W')
    """
    text = "".join(unquote(link).split())
    head, _, rest = text[text.find("#") + 1:].partition(",")
    numbers = re.match(r"(\d+)(?:[xX](\d+))?", head)
    assert numbers is not None
    columns, rows = int(numbers[1]), int(numbers[2] or numbers[1])
    stones: Board = {}
    player, other = "BW"
    for token in re.findall(r"[a-zA-Z]+\d+|:[rf].|:.", rest.partition(",")[0]):
        if token == ":s":
            stones = {(column, row): "BW"[stone == "B"] for (row, column), stone in stones.items()}
        elif not token.startswith(":"):
            stones[cell(token.lower())] = player
        elif token != ":p":
            continue
        player, other = other, player
    return columns, rows, stones, player
