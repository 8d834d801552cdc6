from solver.kernel.api import SWITCHES, BoundAnswer, Kernel, Stopped, WinnerAnswer, terminal

__all__ = ["SWITCHES", "BoundAnswer", "Kernel", "Stopped", "WinnerAnswer", "terminal"]
