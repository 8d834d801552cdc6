"""hexbook bench: the benchmarks, what each ingredient of the searches is worth, and the papers' own systems."""

from __future__ import annotations

import argparse
import textwrap

from solver.ablation import SECONDS, STUDIES, Row, rows
from solver.bench import JOBS, measure
from solver.cli import ANSWERED
from solver.commands.answers import print_json
from solver.commands.papers import run_studies
from solver.measure import Measurement
from solver.notation import quoted
from solver.position import InputError

PAPERS = "papers"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    jobs = "; ".join(f"{name}: {job.purpose}" for name, job in JOBS.items())
    studies = "; ".join(f"{name}: {study.purpose}" for name, study in STUDIES.items())
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"{jobs} (default: all of these); ablations: {studies}; "
                        f"{PAPERS}: the systems of the papers, their figures beside ours; all, or those whose names follow")
    parser.add_argument("--json", action="store_true", help="print a JSON object for each measurement, on a line of its own")


def run(args: argparse.Namespace) -> int:
    if args.names[:1] == [PAPERS]:
        run_studies(args.names[1:], args.json)
        return ANSWERED
    for name in args.names:
        if name not in JOBS and name not in STUDIES:
            raise InputError(f"{quoted(name)} is no benchmark; choose from {', '.join((*JOBS, *STUDIES, PAPERS))}")
    jobs = [name for name in args.names or JOBS if name in JOBS]
    if jobs:
        _run_jobs(jobs, args.json)
    for name in args.names:
        if name in STUDIES:
            _run_study(name, args.json)
    return ANSWERED


def _run_jobs(names: list[str], as_json: bool) -> None:
    if not as_json:
        print(f"{'job':<12}{'nodes':>14}{'nodes/s':>12}{'CPU s':>10}{'peak MiB':>10}", flush=True)
    for name in names:
        found = measure(name)
        if as_json:
            print_json({"job": name} | _cost_json(found))
        else:
            print(f"{name:<12}{found.nodes:>14,}{found.rate:>12,.0f}{found.seconds:>10.2f}{found.peak:>10,}", flush=True)


def _run_study(name: str, as_json: bool) -> None:
    if as_json:
        for row in rows(name):
            print_json({"ablation": name, "work": row.work, "without": row.without} | _cost_json(row.cost))
        return
    purpose, _, works, ingredients = STUDIES[name]
    width = max(map(len, works)) + 2
    print(f"\n{purpose}\n")
    for ingredient, meaning in ingredients.items():
        print(textwrap.fill(meaning, 100, initial_indent=f"  {ingredient:<11}", subsequent_indent=" " * 13))
    print(f"\n{'work':<{width}}{'ingredients':<20}{'nodes':>14}{'times':>8}{'CPU s':>10}{'peak MiB':>10}", flush=True)
    for row in rows(name):
        if row.without is None:
            everything = row.cost
        print(_line(row, everything, width), flush=True)


def _line(row: Row, everything: Measurement, width: int) -> str:
    """A row of the table; `times` compares its nodes with those that the work takes with `everything`."""
    label = "all" if row.without is None else f"without {row.without}"
    nodes, seconds, peak, finished = row.cost
    more = "" if finished else ">"
    times = f"{more}{nodes / everything.nodes:.2f}"
    line = f"{row.work:<{width}}{label:<20}{f'{more}{nodes:,}':>14}{times:>8}{f'{more}{seconds:.2f}':>10}{peak:>10,}"
    return line if finished else f"{line}  cut off after {SECONDS:.0f} CPU seconds"


def _cost_json(cost: Measurement) -> dict[str, float]:
    return cost._asdict() | {"rate": round(cost.rate)}
