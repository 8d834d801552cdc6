"""`python -m solver` and the script `hexbook`: the command line, quiet about Ctrl-C from the first moment to the last.

Importing takes a while, and a KeyboardInterrupt raised deep in it can get lost; until the command begins its work, and once it has
answered, Ctrl-C just ends the process.
"""

import os
import signal
import sys

_INTERRUPTED = 130


def main() -> int:
    """Run the command that the arguments of the process name; returns the exit status."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # ignored, as under nohup
        from solver import cli

        return cli.main()
    _quiet()
    from solver import cli

    try:
        return cli.main(ready=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    except KeyboardInterrupt:
        return _INTERRUPTED
    finally:
        _quiet()


def _quiet() -> None:
    signal.signal(signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))


if __name__ == "__main__":
    sys.exit(main())
