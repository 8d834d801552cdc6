# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Connection Utility Search as Algorithm 1 prints it, and the two searches of table 1 beside it (Rasmussen, Maire and Hayward 2006).

All three go on until the edges are really joined, and none has a table. Pattern search is Algorithm 1 without its line 32: the static order
stays as it is. Alpha-beta knows two values only, so that it is pattern search without the must-play region of line 31 as well.
"""
from typing import NamedTuple

from libc.string cimport memset

from solver.kernel.chains cimport connected
from solver.kernel.geometry cimport Board, bits_t, uint64_t, bit, board_init, lowest
from solver.papers.two_distance cimport Potentials, potentials

CELLS_IN_ORDER, TOTAL_POTENTIAL, OPPONENT_POTENTIAL = range(3)
cdef int BY_TOTAL = TOTAL_POTENTIAL, BY_OPPONENT = OPPONENT_POTENTIAL


class Result(NamedTuple):
    winner: int
    carrier: int
    nodes: int
    finished: bool


cdef class Search:
    cdef Board board
    cdef int[64] rank          # among cells that the static order takes for equal: 0 first
    cdef int order
    cdef bint must_play, utilities
    cdef uint64_t count, limit
    cdef bint over             # the limit was reached

    def __cinit__(self, int columns, int rows, *, cells=None, int order=CELLS_IN_ORDER, bint must_play=True, bint utilities=True):
        board_init(&self.board, columns, rows)
        self.order, self.must_play, self.utilities = order, must_play, utilities
        for place, cell in enumerate(range(self.board.cells) if cells is None else cells):
            self.rank[cell] = place

    def solve(self, bits_t black, bits_t white, int to_move, bint every_move=False, limit=None):
        cdef bits_t[2] stones
        cdef bits_t carrier
        cdef uint64_t[64] gained
        cdef int winner
        stones[0], stones[1] = black, white
        self.count, self.over = 0, False
        self.limit = <uint64_t>-1 if limit is None else limit
        with nogil:
            winner = self.visit(stones, to_move, every_move, &carrier, gained)
        return Result(winner, carrier, min(self.count, self.limit) - 1, not self.over)

    cdef int visit(self, const bits_t* stones, int side, bint every_move, bits_t* carrier, uint64_t* gained) noexcept nogil:
        """The winner, the carrier of its threat pattern, and how often it had a stone on each cell where the search ended (`gained`).

        With every_move the search goes on after a winning move; what it then returns beside the winner is of no use.
        """
        cdef int[64] moves
        cdef uint64_t[64] below
        cdef bits_t[2] child
        cdef bits_t within
        cdef int n, i, cell, winner = 1 - side
        memset(gained, 0, 64 * sizeof(uint64_t))
        carrier[0] = 0
        self.count += 1
        self.over = self.over or self.count > self.limit
        if self.over:
            return winner
        if connected(&self.board, 1 - side, stones[1 - side]):
            count_cells(stones[1 - side], gained)
            return 1 - side
        n = self.moves(stones, side, moves)
        i = 0
        while i < n:
            cell = moves[i]
            i += 1
            child[0], child[1] = stones[0], stones[1]
            child[side] |= bit(cell)
            if self.visit(child, 1 - side, False, &within, below) == side:
                winner = side
                if every_move:
                    continue
                carrier[0] = bit(cell) | within
                for cell in range(self.board.cells):
                    gained[cell] = below[cell]
                return side
            carrier[0] |= within
            for cell in range(self.board.cells):
                gained[cell] += below[cell]
            if self.must_play:
                n = i + keep(moves + i, n - i, within)
            if self.utilities:
                sort_by_utility(moves + i, n - i, gained)
        return winner

    cdef int moves(self, const bits_t* stones, int side, int* moves) noexcept nogil:
        """Fills in the moves in the static order; returns how many."""
        cdef Potentials p
        cdef int[64] key
        cdef bits_t empty = self.board.full & ~(stones[0] | stones[1])
        cdef int n = 0, i, cell
        if self.order:
            potentials(&self.board, stones, NULL, &p)
        while empty:
            cell = lowest(empty)
            empty &= empty - 1
            key[cell] = self.rank[cell]
            if self.order == BY_TOTAL:
                key[cell] += 64 * (p.cell[0][cell] + p.cell[1][cell])
            elif self.order == BY_OPPONENT:
                key[cell] += 64 * p.cell[1 - side][cell]
            i = n
            while i and key[moves[i - 1]] > key[cell]:
                moves[i] = moves[i - 1]
                i -= 1
            moves[i] = cell
            n += 1
        return n


cdef inline void count_cells(bits_t cells, uint64_t* gained) noexcept nogil:
    while cells:
        gained[lowest(cells)] += 1
        cells &= cells - 1


cdef inline int keep(int* moves, int n, bits_t region) noexcept nogil:
    """Leaves the moves in the region, in their order; returns how many."""
    cdef int kept = 0, i
    for i in range(n):
        if bit(moves[i]) & region:
            moves[kept] = moves[i]
            kept += 1
    return kept


cdef inline void sort_by_utility(int* moves, int n, const uint64_t* gained) noexcept nogil:
    """The highest utility first; moves of the same utility stay in their order."""
    cdef int i, k, cell
    for i in range(1, n):
        cell, k = moves[i], i
        while k and gained[moves[k - 1]] < gained[cell]:
            moves[k] = moves[k - 1]
            k -= 1
        moves[k] = cell
