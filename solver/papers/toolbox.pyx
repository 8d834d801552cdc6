# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The search; its tools are described in toolbox.pxd. The game ends at checkmate, leaves have Queenbee's evaluation, and moves that no tool
orders come cell by cell, so that a tool has to do the whole ordering itself, as in OCTI."""
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from typing import NamedTuple

from solver.kernel.chains cimport checkmate
from solver.kernel.geometry cimport WHITE, Board, bit, board_init, lowest, popcount
from solver.kernel.table cimport hash_position
from solver.papers.two_distance cimport Potentials, evaluation, potentials


class Found(NamedTuple):
    move: int
    value: int
    nodes: tuple
    hits: int
    probes: int
    confusions: int
    stored: int


cdef class Search:
    cdef Board board
    cdef Tools tools
    cdef Entry* table
    cdef uint64_t mask, keep
    cdef uint64_t count, hits, probes, confusions, stored
    cdef int root_move
    cdef int[DEPTHS] killers
    cdef uint64_t[2][64] history

    def __cinit__(self, int columns, int rows, *, bint pvs=False, int aspiration=0, int null_move=0, bint killer=False, int history=0,
                  bint exact=False, bint bounds=False, bint order=False, int replacement=DEEP, bint checks=True, int table_bits=18,
                  int key_bits=64):
        board_init(&self.board, columns, rows)
        self.tools = Tools(pvs, aspiration, null_move, killer, history, exact, bounds, order, replacement, checks)
        self.mask = (<uint64_t>1 << table_bits) - 1
        self.keep = <uint64_t>-1 if key_bits == 64 else (<uint64_t>1 << key_bits) - 1
        self.table = <Entry*>calloc(self.mask + 1, sizeof(Entry))
        if self.table == NULL:
            raise MemoryError("no memory for the transposition table")

    def __dealloc__(self):
        free(self.table)

    def search(self, bits_t black, bits_t white, int to_move, int plies):
        cdef bits_t[2] stones
        cdef int depth, value = 0, low, high, i
        cdef uint64_t before
        stones[0], stones[1] = black, white
        memset(self.table, 0, (self.mask + 1) * sizeof(Entry))
        memset(self.history, 0, sizeof(self.history))
        for i in range(DEPTHS):
            self.killers[i] = -1
        self.count = self.hits = self.probes = self.confusions = self.stored = 0
        nodes = []
        for depth in range(1, plies + 1):
            before = self.count
            low, high = -2 * MATE, 2 * MATE
            if self.tools.aspiration and depth > 1:
                low, high = value - self.tools.aspiration, value + self.tools.aspiration
            with nogil:
                value = self.visit(stones, to_move, depth, low, high, 0, False)
                if value <= low or value >= high:
                    value = self.visit(stones, to_move, depth, -2 * MATE, 2 * MATE, 0, False)
            nodes.append(self.count - before)
        return Found(self.root_move, value, tuple(nodes), self.hits, self.probes, self.confusions, self.stored)

    cdef int visit(self, const bits_t* stones, int side, int depth, int alpha, int beta, int ply, bint passed) noexcept nogil:
        """The value of a position for the side to move, if it lies between alpha and beta; else a bound beyond them."""
        cdef int[64] moves
        cdef bits_t[2] child
        cdef bits_t carrier
        cdef uint64_t before = self.count
        cdef Entry* entry
        cdef int i, n, value, best = -2 * MATE, best_move = -1, floor = alpha, first = -1
        self.count += 1
        if checkmate(&self.board, 1 - side, stones[1 - side], self.board.full & ~(stones[0] | stones[1]), &carrier):
            return popcount(stones[0] | stones[1]) - MATE
        if not depth:
            return self.leaf(stones, side)
        entry = self.probe(stones, side)
        if entry != NULL:
            if ply and entry.depth >= depth and (
                (self.tools.exact and entry.bound == EXACT)
                or (self.tools.bounds and (entry.value >= beta if entry.bound == LOWER else entry.bound == UPPER and entry.value <= alpha))
            ):
                self.hits += 1
                return entry.value
            if self.tools.order and entry.move >= 0:
                first = entry.move
                self.hits += 1
        if self.tools.null_move and ply and not passed and depth > self.tools.null_move:
            value = -self.visit(stones, 1 - side, depth - 1 - self.tools.null_move, -beta, 1 - beta, ply + 1, True)
            if value >= beta:
                return value
        n = self.moves(self.board.full & ~(stones[0] | stones[1]), side, first, depth, moves)
        for i in range(n):
            child[0], child[1] = stones[0], stones[1]
            child[side] |= bit(moves[i])
            if i and self.tools.pvs:
                value = -self.visit(child, 1 - side, depth - 1, -alpha - 1, -alpha, ply + 1, False)
                if alpha < value < beta:
                    value = -self.visit(child, 1 - side, depth - 1, -beta, -alpha, ply + 1, False)
            else:
                value = -self.visit(child, 1 - side, depth - 1, -beta, -alpha, ply + 1, False)
            if value > best:
                best, best_move = value, moves[i]
                alpha = max(alpha, best)
            if alpha >= beta:
                self.killers[depth] = best_move
                break
        self.praise(side, best_move, depth)
        if not ply:
            self.root_move = best_move
        self.remember(stones, side, depth, best, UPPER if best <= floor else LOWER if best >= beta else EXACT, best_move, self.count - before)
        return best

    cdef int leaf(self, const bits_t* stones, int side) noexcept nogil:
        cdef Potentials p
        potentials(&self.board, stones, NULL, &p)
        return evaluation(&p) if side == WHITE else -evaluation(&p)

    cdef int moves(self, bits_t empty, int side, int first, int depth, int* moves) noexcept nogil:
        """Fills in the moves in their order: that of the table, the killer, then by history, then cell by cell; returns how many."""
        cdef uint64_t[64] key
        cdef int n = 0, i, cell
        while empty:
            cell = lowest(empty)
            empty &= empty - 1
            key[cell] = self.history[side][cell] if self.tools.history else 0
            if self.tools.killer and cell == self.killers[depth]:
                key[cell] = <uint64_t>-2
            if cell == first:
                key[cell] = <uint64_t>-1
            i = n
            while i and key[moves[i - 1]] < key[cell]:
                moves[i] = moves[i - 1]
                i -= 1
            moves[i] = cell
            n += 1
        return n

    cdef void praise(self, int side, int move, int depth) noexcept nogil:
        cdef uint64_t[5] gain
        gain[0], gain[1], gain[2], gain[3], gain[4] = 0, 1, depth, depth * depth, <uint64_t>1 << min(depth, 40)
        self.history[side][move] += gain[self.tools.history]

    cdef inline bint two_places(self) noexcept nogil:
        return self.tools.replacement >= TWO_DEEP

    cdef Entry* place(self, uint64_t key) noexcept nogil:
        """The place of a key, or the first of its two."""
        return &self.table[key & (self.mask & ~<uint64_t>1 if self.two_places() else self.mask)]

    cdef Entry* probe(self, const bits_t* stones, int side) noexcept nogil:
        """What the table says of a position; NULL if nothing, or if no tool asks it."""
        cdef uint64_t key = hash_position(stones[0], stones[1], side) & self.keep
        cdef Entry* entry
        cdef int i
        if not (self.tools.exact or self.tools.bounds or self.tools.order):
            return NULL
        self.probes += 1
        for i in range(2 if self.two_places() else 1):
            entry = self.place(key) + i
            if entry.taken and entry.key == key:
                if entry.stones[0] == stones[0] and entry.stones[1] == stones[1] and entry.side == side:
                    return entry
                self.confusions += 1
                if not self.tools.checks:
                    return entry
        return NULL

    cdef void remember(self, const bits_t* stones, int side, int depth, int value, int bound, int move, uint64_t below) noexcept nogil:
        cdef uint64_t key = hash_position(stones[0], stones[1], side) & self.keep
        cdef Entry* entry = self.place(key)
        cdef int scheme = self.tools.replacement
        cdef bint same = entry.taken and entry.stones[0] == stones[0] and entry.stones[1] == stones[1] and entry.side == side
        cdef bint bigger = below >= entry.below if scheme == BIG or scheme == TWO_BIG else depth >= entry.depth
        self.stored += 1
        if entry.taken and not same:
            if self.two_places():
                if bigger:
                    entry[1] = entry[0]
                else:
                    entry += 1
            elif scheme == OLD or (scheme != NEW and not bigger):
                return
        entry.key, entry.stones[0], entry.stones[1], entry.side, entry.taken = key, stones[0], stones[1], side, True
        entry.depth, entry.value, entry.bound, entry.move, entry.below = depth, value, bound, move, below
