from solver.kernel.api import FEATURES, SCALE, SWITCHES, WEIGHTS, BoundAnswer, Kernel, Proof, Stopped, WinnerAnswer, terminal

__all__ = ["FEATURES", "SCALE", "SWITCHES", "WEIGHTS", "BoundAnswer", "Kernel", "Proof", "Stopped", "WinnerAnswer", "terminal"]
