from solver.kernel.api import SWITCHES, BoundAnswer, Decision, Inputs, Kernel, Proof, Stopped, WinnerAnswer, terminal
from solver.kernel.outlook import OUTLOOK_FEATURES, OUTLOOK_WEIGHTS
from solver.kernel.promise import INPUTS, SCALE, network
from solver.kernel.surroundings import FEATURES

__all__ = ["FEATURES", "INPUTS", "OUTLOOK_FEATURES", "OUTLOOK_WEIGHTS", "SCALE", "SWITCHES", "BoundAnswer", "Decision", "Inputs", "Kernel", "Proof",
           "Stopped", "WinnerAnswer", "network", "terminal"]
