"""hexbook bench papers: the tables of the papers beside our measurements, in Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from solver.commands.answers import print_json
from solver.papers.study import Table, Value, chosen, outcomes, studies
from solver.options import available_cpus


def run_studies(names: Sequence[str], as_json: bool) -> None:
    """Do the studies of these names, or all but the long ones, as many at a time as there are CPUs, and print what they find."""
    known = studies()
    for name, tables, seconds in outcomes(chosen(names), available_cpus()):
        if as_json:
            for table in tables:
                for row in table.rows:
                    print_json({"study": name, "table": table.title} | dict(zip(table.columns, row, strict=True)))
        else:
            print(f"## {name}\n\n{_wrapped(known[name].purpose)}\n({seconds:.1f} CPU seconds)\n")
            for table in tables:
                print(markdown(table), flush=True)


def markdown(table: Table) -> str:
    """A table as text; numbers stand on the right, None is a dash.

    >>> print(markdown(Table("Nodes", ("board", "theirs", "ours"), [("3x3", 2223, None), ("4x4", 3765784, 0.5)])))
    **Nodes**
    <BLANKLINE>
    | board |    theirs | ours |
    |-------|----------:|-----:|
    | 3x3   |     2,223 |    - |
    | 4x4   | 3,765,784 | 0.50 |
    <BLANKLINE>
    """
    lines = [table.columns, *([_text(value) for value in row] for row in table.rows)]
    columns = list(zip(*lines, strict=True))
    widths = [max(map(len, column)) for column in columns]
    left = [all(isinstance(row[i], str) for row in table.rows) for i in range(len(columns))]
    rule = [("-" * (width + 2)) if text else ("-" * (width + 1) + ":") for width, text in zip(widths, left, strict=True)]
    rows = [
        "|".join(f" {cell:{'<' if text else '>'}{width}} " for cell, width, text in zip(line, widths, left, strict=True))
        for line in lines
    ]
    body = "\n".join(f"|{row}|" for row in (rows[0], "|".join(rule), *rows[1:]))
    note = f"\n\n{_wrapped(table.note)}" if table.note else ""
    return f"**{table.title}**\n\n{body}{note}\n"


def _text(value: Value) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:,.2f}"
    return value if isinstance(value, str) else f"{value:,}"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 100)
