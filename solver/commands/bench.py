"""hexbook bench: the benchmarks."""

from __future__ import annotations

import argparse

from solver.bench import JOBS, measure
from solver.cli import ANSWERED
from solver.commands.answers import print_json
from solver.position import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    listing = "; ".join(f"{name}: {purpose}" for name, (purpose, _) in JOBS.items())
    parser.add_argument("jobs", metavar="NAME", nargs="*", help=f"{listing} (default: all)")
    parser.add_argument("--json", action="store_true", help="print a JSON object for each job, on a line of its own")


def run(args: argparse.Namespace) -> int:
    for name in args.jobs:
        if name not in JOBS:
            raise InputError(f"{name!r} is no benchmark; choose from {', '.join(JOBS)}")
    if not args.json:
        print(f"{'job':<12}{'nodes':>14}{'nodes/s':>12}{'CPU s':>10}{'peak MiB':>10}", flush=True)
    for name in args.jobs or JOBS:
        found = measure(name)
        if args.json:
            print_json(found._asdict() | {"rate": round(found.rate)})
        else:
            print(f"{name:<12}{found.nodes:>14,}{found.rate:>12,.0f}{found.seconds:>10.2f}{found.peak:>10,}", flush=True)
    return ANSWERED
