"""Coverage-guided fuzzing of whatever reads what others wrote (tests/targets.py), with Atheris:

    python tests/fuzz.py --inputs 1000000 --seed 1            # all targets, spread by what an input costs
    python tests/fuzz.py --inputs 1000 --seed 1 board sgf     # only these

Each target has a process of its own, whose only state is the seed. An input that a target does not survive (an exception other than
a refusal, a wrong reading, more than 20 seconds) is kept in build/fuzz, and the exit status is 1.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import atheris

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
FAULTS = ROOT / "build" / "fuzz"
SHARES = {"htp": 1, "request": 2, "arguments": 1, "dialogue": 1, "book": 2, "book-file": 5}
"""How many inputs a slow target gets, for 20 of one that is not named."""
QUICK = 20
MEMORY = Path("/dev/shm")
TIMEOUT = 20  # seconds


def main() -> int:
    parser = argparse.ArgumentParser(description="Fuzzes the readers of hexbook.")
    parser.add_argument("targets", metavar="TARGET", nargs="*", help="(default: all of TARGETS)")
    parser.add_argument("--inputs", type=int, default=1_000_000, help="in all (default 1000000)")
    parser.add_argument("--seed", type=int, default=1, help="(default 1)")
    parser.add_argument("--into", type=Path, help=argparse.SUPPRESS)  # in the process of a target: its directory
    args = parser.parse_args()
    if args.into:
        fuzz(args.targets[0], args.inputs, args.seed, args.into)
    from targets import TARGETS  # in the process of a target it is instrumented instead

    names = args.targets or list(TARGETS)
    if unknown := set(names) - TARGETS.keys():
        parser.error(f"no target {', '.join(unknown)}; there are {', '.join(TARGETS)}")
    FAULTS.mkdir(parents=True, exist_ok=True)
    shares = {name: SHARES.get(name, QUICK) for name in names}
    done = [watched(name, -(-args.inputs * share // sum(shares.values())), args.seed) for name, share in shares.items()]
    print(f"{sum(inputs for inputs, _ in done)} inputs, seed {args.seed}, {sum(not sound for _, sound in done)} faults")
    return 0 if all(sound for _, sound in done) else 1


def watched(name: str, inputs: int, seed: int) -> tuple[int, bool]:
    """Fuzz one target in a process of its own; how many inputs it took, and whether it survived them all."""
    start = time.monotonic()
    with TemporaryDirectory(prefix="hexbook-fuzz-", dir=MEMORY if MEMORY.is_dir() else None) as directory:
        command = [sys.executable, __file__, "--inputs", str(inputs), "--seed", str(seed), "--into", directory, name]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=os.environ | {"TMPDIR": directory})
    count = re.search(r"number_of_executed_units: (\d+)", done.stdout)
    taken = int(count[1]) if count else 0
    features = re.findall(r"ft: (\d+)", done.stdout)[-1:]
    sound = done.returncode == 0 and taken >= inputs
    print(f"{name:10} {taken:8} inputs {time.monotonic() - start:7.0f} s  {''.join(features):>6} features  {'sound' if sound else 'FAULT'}", flush=True)
    if not sound:
        print(done.stdout[-6000:])
    return taken, sound


def fuzz(name: str, inputs: int, seed: int, directory: Path) -> None:
    """Try inputs until there were as many or one was not survived; ends the process."""
    with atheris.instrument_imports(include=["solver", "books"]):
        import solver.commands.play  # noqa: F401  the command line imports them when they are called
        import solver.commands.show  # noqa: F401
        from targets import TARGETS

    target, corpus, words = TARGETS[name], directory / "corpus", directory / "words"
    corpus.mkdir()
    for number, data in enumerate(target.seeds):
        (corpus / str(number)).write_bytes(data)
    words.write_text("".join(f'"{escaped(word)}"\n' for word in target.words))
    options = {
        "runs": inputs, "seed": seed, "max_len": target.most, "timeout": TIMEOUT, "dict": words, "artifact_prefix": FAULTS / f"{name}-",
        "print_final_stats": 1,
    }
    atheris.Setup([sys.argv[0], *(f"-{option}={value}" for option, value in options.items()), str(corpus)], target.check)
    atheris.Fuzz()


def escaped(word: str) -> str:
    """A word as a dictionary of the fuzzer has it."""
    return "".join(f"\\x{byte:02x}" for byte in word.encode())


if __name__ == "__main__":
    sys.exit(main())
