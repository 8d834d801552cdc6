from solver.kernel.api import SWITCHES, BoundAnswer, Kernel, Proof, Stopped, WinnerAnswer, terminal
from solver.kernel.promise import FEATURES, SCALE, WEIGHTS

__all__ = ["FEATURES", "SCALE", "SWITCHES", "WEIGHTS", "BoundAnswer", "Kernel", "Proof", "Stopped", "WinnerAnswer", "terminal"]
