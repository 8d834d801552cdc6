# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The kernel's one face to Python; __init__.pyi describes it."""
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from typing import NamedTuple

from solver.kernel.geometry cimport BLACK, WHITE, Board, bits_t, uint64_t, bit, lowest, board_init, reflect
from solver.kernel.chains cimport checkmate, connected
from solver.kernel.connections cimport Deduction
from solver.kernel.table cimport table_open, table_close, table_clear
from solver.kernel.winner cimport WinnerSearch, WinnerOptions, UNKNOWN, WIN, winner_search

METRICS = {"checkmate": 0, "connection": 1}
SWITCHES = ("fill", "deduction", "guess", "reach")


class Stopped(Exception):
    """The search was stopped from outside before it had an answer."""


class WinnerAnswer(NamedTuple):
    winner: int
    move: int | None
    carrier: int


class BoundAnswer(NamedTuple):
    proved: bool
    move: int | None
    carrier: int | None


def terminal(str metric, int columns, int rows, bits_t black, bits_t white, int player):
    cdef Board b
    cdef bits_t carrier = 0
    cdef bits_t stones[2]
    cdef bint reached
    board_init(&b, columns, rows)
    stones[0], stones[1] = black, white
    if METRICS[metric] == 0:
        reached = checkmate(&b, player, stones[player], b.full & ~(black | white), &carrier)
    else:
        reached = connected(&b, player, stones[player])
    return carrier if reached else None


cdef class Kernel:
    cdef Board board
    cdef WinnerSearch search
    cdef int stopped
    cdef uint64_t count

    def __cinit__(self, int columns, int rows, size_t memory=512 << 20, **switches):
        board_init(&self.board, columns, rows)
        for name in switches:
            if name not in SWITCHES:
                raise TypeError(f"no switch {name!r}; there are {', '.join(SWITCHES)}")
        self.search.board = &self.board
        self.search.stop = &self.stopped
        self.search.nodes = &self.count
        self.search.limit = ~<uint64_t>0
        self.search.options.fill = switches.get("fill", 1)
        self.search.options.deduction = switches.get("deduction", 1)
        self.search.options.guess = switches.get("guess", 1)
        self.search.options.reach = switches.get("reach", 1)
        self.search.deduction = <Deduction*>calloc(1, sizeof(Deduction))
        if self.search.deduction == NULL:
            raise MemoryError("no memory for the deduction's lists")
        self.search.deduction.board = &self.board
        table_open(&self.search.table, memory)

    def __dealloc__(self):
        free(self.search.deduction)
        table_close(&self.search.table)

    @property
    def nodes(self):
        return self.count

    def stop(self):
        self.stopped = 1

    def clear(self):
        table_clear(&self.search.table)

    def winner(self, bits_t black, bits_t white, int to_move):
        cdef bits_t carrier = 0
        cdef int move = -1, result
        cdef bits_t stones[2]
        stones[0], stones[1] = black, white
        self.stopped = 0
        with nogil:
            result = winner_search(&self.search, stones, to_move, &carrier, &move)
        if result == UNKNOWN:
            raise Stopped
        winner = to_move if result == WIN else 1 - to_move
        return WinnerAnswer(winner, move if move >= 0 else None, carrier & ~(black | white))
