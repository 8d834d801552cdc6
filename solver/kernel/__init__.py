from solver.kernel.api import SWITCHES, BoundAnswer, Decision, Kernel, Proof, Stopped, WinnerAnswer, terminal
from solver.kernel.outlook import OUTLOOK_FEATURES, OUTLOOK_WEIGHTS
from solver.kernel.promise import FEATURES, SCALE, WEIGHTS

__all__ = ["FEATURES", "OUTLOOK_FEATURES", "OUTLOOK_WEIGHTS", "SCALE", "SWITCHES", "WEIGHTS", "BoundAnswer", "Decision", "Kernel", "Proof", "Stopped", "WinnerAnswer", "terminal"]
