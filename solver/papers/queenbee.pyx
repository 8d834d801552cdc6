# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The search; its settings are described in queenbee.pxd and named in styles.py.

Reversible moves may be left out all at once: if the side to move wins by such a move m, it also wins after the answer c, hence from the
position in which m and c are played and it is to move. The winning move there wins in the first position too, since m adds no neighbours
to the player once c is there. So some winning move is left by the time the board is full, and a move that is not reversible on the fuller
board was not on the emptier one.
"""
from libc.stdlib cimport calloc, free
from typing import NamedTuple

from solver.kernel.chains cimport checkmate
from solver.kernel.geometry cimport WHITE, Board, bit, board_init, lowest, popcount
from solver.kernel.table cimport hash_position
from solver.kernel.two_distance cimport NEVER
from solver.papers.edge_patterns cimport EdgePatterns, add_ghosts, extend_edges, patterns_init
from solver.papers.two_distance cimport Potentials, badness, evaluation, potentials, reversible_moves


class Found(NamedTuple):
    """What a search says of a position. A win or loss is one by checkmate; it is proved if no move was dropped or too dear."""

    move: int
    value: int       # for the side to move: hundredths of a step of the board potentials
    length: int | None  # plies to the checkmate, if one was found
    plies: int       # depth of the last iteration that was finished
    nodes: int       # positions visited

    @property
    def won(self):
        """Whether the side to move was found to win."""
        return self.length is not None and self.value > 0

    @property
    def lost(self):
        """Whether the side to move was found to lose."""
        return self.length is not None and self.value < 0


cdef class Search:
    cdef Board board
    cdef EdgePatterns patterns
    cdef Style style
    cdef Entry* table
    cdef uint64_t mask
    cdef uint32_t age
    cdef uint64_t count, limit
    cdef bint over             # the limit of nodes was reached
    cdef bint may_stop         # there is a move to play
    cdef bits_t excluded       # moves of the root that are not searched
    cdef int depth             # plies of the iteration
    cdef int last              # the side to move at the leaves
    cdef int root_move, root_value
    cdef int cheapest          # the lowest weight
    cdef bint full_width       # no move is dropped for its badness

    def __cinit__(self, int columns, int rows, *, weights, int width=64, int taper=NO_TAPER, int before=PLAIN, int step=2 * UNIT,
                  int null_move=0, int threshold=MATE, int tolerance=4 * NEVER, bint tension=False, bint two_budgets=False,
                  bint balanced=False, bint prunes_reversible=False, bint defensive=False, int table_bits=17):
        board_init(&self.board, columns, rows)
        patterns_init(&self.patterns, &self.board)
        self.style = Style(weights, width, taper, before, step, null_move, threshold, tolerance, tension, two_budgets, balanced,
                           prunes_reversible, defensive)
        self.cheapest = min(weights)
        self.full_width = width == 64 and taper == NO_TAPER and tolerance >= 4 * NEVER
        self.mask = (<uint64_t>1 << table_bits) - 1
        self.table = <Entry*>calloc(self.mask + 1, sizeof(Entry))
        if self.table == NULL:
            raise MemoryError("no memory for the transposition table")

    def __dealloc__(self):
        free(self.table)

    def search(self, bits_t black, bits_t white, int to_move, uint64_t nodes, int plies=64, bits_t excluded=0):
        """The best move of a position that is not finished, found by searching `nodes` positions at most (more only if the first line
        is longer), or to a depth of `plies`.

        Moves of the mask `excluded` are not considered; one must be left.
        """
        cdef bits_t[2] stones
        cdef int empty = self.board.cells - popcount(black | white)
        cdef int budget = 2 * UNIT if self.style.defensive else UNIT, done = 0
        cdef bint settled, whole = False
        stones[0], stones[1] = black, white
        self.age += 1
        self.count, self.limit, self.over, self.may_stop, self.excluded = 0, nodes, False, False, excluded
        self.last = to_move if self.style.defensive else 1 - to_move
        found = -1, 0
        while not self.over and budget <= plies * UNIT:
            self.depth = (budget + UNIT - 1) // UNIT
            self.root_move = -1
            with nogil:
                self.iterate(stones, to_move, budget)
            if self.root_move >= 0 and (found[0] < 0 or not self.over or self.root_value > -MATE // 2):
                found, whole = (self.root_move, self.root_value), not self.over
            settled = abs(found[1]) > MATE // 2 and (found[1] > 0 or self.full_width)
            if not self.over:
                done = self.depth
            if settled or self.depth > 2 * empty:
                break
            budget += self.style.step
        move, value = found
        if value < -MATE // 2 and not whole:       # only the moves searched so far lose
            value = -MATE // 4
        length = MATE - abs(value) - popcount(black | white) if abs(value) > MATE // 2 else None
        return Found(move, value, length, done, self.count)

    cdef void iterate(self, const bits_t* stones, int side, int budget) noexcept nogil:
        cdef int[2] left
        left[0], left[1] = budget, 0
        if self.style.two_budgets:      # the root's side makes the first and the last move
            left[side], left[1 - side] = (budget + UNIT) // 2, (budget - UNIT) // 2
        self.visit(stones, side, -2 * MATE, 2 * MATE, left, 0, 0, False)

    cdef int visit(self, const bits_t* stones, int side, int alpha, int beta, const int* left, int ply, int parent, bint passed) noexcept nogil:
        """The value of a position for the side to move, if it lies between alpha and beta; else a bound beyond them. `parent` is the
        evaluation of the position before; `passed` that it differs by a pass."""
        cdef Potentials p
        cdef int[64] moves
        cdef int[64] costs
        cdef int[2] below
        cdef bits_t[2] child
        cdef bits_t carrier
        cdef Entry* entry
        cdef int here, mine, n, i, value, cost, best = -2 * MATE, best_move = -1, floor = alpha, first = -1
        cdef int purse = side if self.style.two_budgets else 0
        cdef bint may_end = side == self.last
        if self.over or (self.count >= self.limit and self.may_stop):
            self.over = True
            return 0
        self.count += 1
        if checkmate(&self.board, 1 - side, stones[1 - side], self.board.full & ~(stones[0] | stones[1]), &carrier):
            return popcount(stones[0] | stones[1]) - MATE
        entry = &self.table[hash_position(stones[0], stones[1], side) & self.mask]
        if entry.age == self.age and entry.stones[0] == stones[0] and entry.stones[1] == stones[1] and entry.side == side:
            first = entry.move
            if ply and entry.left[0] >= left[0] and entry.left[1] >= left[1]:
                if entry.bound == EXACT or (entry.value >= beta if entry.bound == LOWER else entry.value <= alpha):
                    return entry.value
        if may_end and (left[purse] < self.cheapest or (self.style.two_budgets and left[1 - side] < self.cheapest)):
            best = self.leaf(stones, side, parent)
            self.remember(entry, stones, side, left, best, EXACT, -1)
            return best
        potentials(&self.board, stones, NULL, &p)
        here = evaluation(&p)
        mine = here if side == WHITE else -here
        if ply and mine >= self.style.threshold:
            return mine
        if self.style.null_move and ply and not passed and left[purse] > (1 + self.style.null_move) * UNIT:
            below[0], below[1] = left[0], left[1]
            below[purse] -= (1 + self.style.null_move) * UNIT
            value = -self.visit(stones, 1 - side, -beta, 1 - beta, below, ply + 1, here, True)
            if self.over:
                return 0
            if value >= beta:
                return value
        n = self.moves(stones, side, &p, first, ply, left[purse], moves, costs)
        if beta - alpha > 1 and n:     # on the principal variation a move counts as one of the lowest category there is
            costs[0] = min_of(costs, n)
        for i in range(n):
            if may_end and costs[i] > left[purse]:
                continue
            child[0], child[1] = stones[0], stones[1]
            child[side] |= bit(moves[i])
            below[0], below[1] = left[0], left[1]
            below[purse] -= costs[i]
            if best_move < 0:
                value = -self.visit(child, 1 - side, -beta, -alpha, below, ply + 1, here, False)
            else:
                value = -self.visit(child, 1 - side, -alpha - 1, -alpha, below, ply + 1, here, False)
                if alpha < value < beta:
                    below[purse] += costs[i] - min_of(costs, n)
                    value = -self.visit(child, 1 - side, -beta, -alpha, below, ply + 1, here, False)
            if self.over:
                return 0
            if value > best:
                best, best_move = value, moves[i]
                if ply == 0:
                    self.root_move, self.root_value, self.may_stop = best_move, best, True
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        if best_move < 0:
            best = self.leaf(stones, side, parent)
            self.remember(entry, stones, side, left, best, EXACT, -1)
        else:
            self.remember(entry, stones, side, left, best, UPPER if best <= floor else LOWER if best >= beta else EXACT, best_move)
        return best

    cdef int leaf(self, const bits_t* stones, int side, int parent) noexcept nogil:
        """The evaluation of a position for the side to move."""
        cdef Potentials p
        cdef bits_t[2] seen
        cdef bits_t anchored[2][2]
        cdef int value
        seen[0], seen[1] = stones[0], stones[1]
        if self.style.before == EXTENSION:
            extend_edges(&self.patterns, &self.board, stones, anchored)
            potentials(&self.board, seen, anchored, &p)
        else:
            if self.style.before == GHOSTS:
                add_ghosts(&self.patterns, &self.board, side, seen)
            potentials(&self.board, seen, NULL, &p)
        value = evaluation(&p)
        if self.style.balanced:
            value = (value + parent) // 2
        return value if side == WHITE else -value

    cdef void remember(self, Entry* entry, const bits_t* stones, int side, const int* left, int value, int bound, int move) noexcept nogil:
        entry.stones[0], entry.stones[1], entry.side, entry.age = stones[0], stones[1], side, self.age
        entry.left[0], entry.left[1], entry.value, entry.bound, entry.move = left[0], left[1], value, bound, move

    cdef int moves(self, const bits_t* stones, int side, const Potentials* p, int first, int ply, int left, int* moves, int* costs) noexcept nogil:
        """Fills in the moves to be searched, best looking first but for `first` before them all, and their costs; returns how many."""
        cdef int[64] bad
        cdef bits_t empty = self.board.full & ~(stones[0] | stones[1]), cells
        cdef int n = 0, i, cell, second = 4 * NEVER, width = self.style.width
        cdef bint unique
        cells = empty if ply else empty & ~self.excluded
        if self.style.prunes_reversible and ply:
            cells &= ~reversible_moves(&self.board, side, stones)
            if not cells:              # every move is as good as any other
                cells = empty & (~empty + 1)
        badness(&self.board, empty, p, bad)
        while cells:
            cell = lowest(cells)
            cells &= cells - 1
            i = n
            while i and bad[moves[i - 1]] > bad[cell]:
                moves[i] = moves[i - 1]
                i -= 1
            moves[i] = cell
            n += 1
        if n > 1:
            second = bad[moves[1]]
        width = self.narrowed(bad, ply, left, moves, min(width, n))
        for i in range(n):             # the move of the table replaces the last one of the beam, if it is not in it
            if moves[i] == first:
                if i >= width:
                    i = width - 1
                while i:
                    moves[i] = moves[i - 1]
                    i -= 1
                moves[0] = first
                break
        for i in range(width):
            costs[i] = self.cost(stones, side, p, bad, second, moves[i])
        return width

    cdef int narrowed(self, const int* bad, int ply, int left, const int* moves, int width) noexcept nogil:
        """How many of the moves the tapering leaves, at least one."""
        cdef int height = max(1, left // UNIT), kept = 1
        while width > 1 and bad[moves[width - 1]] > self.style.tolerance:
            width -= 1
        if self.style.taper == NO_TAPER:
            return width
        if self.style.taper == NARROWING:
            return max(1, min(width, self.depth - ply))
        while kept < width and (bad[moves[kept]] * ply <= height if self.style.taper == CLASSES else bad[moves[kept]] * height <= ply):
            kept += 1
        return kept

    cdef int cost(self, const bits_t* stones, int side, const Potentials* p, const int* bad, int second, int move) noexcept nogil:
        """The weight of a move's category: by badness (6.1, `second` is that of the second best move) or by tension (5.5)."""
        cdef Potentials after
        cdef bits_t[2] child
        cdef int category = bad[move] if bad[move] else -second
        if self.style.tension:
            child[0], child[1] = stones[0], stones[1]
            child[side] |= bit(move)
            potentials(&self.board, child, NULL, &after)
            category = (after.board[0] - after.board[1]) - (p.board[0] - p.board[1])
            if side != WHITE:
                category = -category
        return self.style.weight[min(max(category - LEAST_CATEGORY, 0), CATEGORIES - 1)]


cdef inline int min_of(const int* values, int n) noexcept nogil:
    cdef int i, least = values[0]
    for i in range(1, n):
        least = min(least, values[i])
    return least
