"""`python -m solver` is the same as `hexbook`."""

import sys

from solver.cli import main

sys.exit(main())
