# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Connection Utility Search with a table of threat patterns (Rasmussen, Maire and Hayward 2006, section 6).

The paper says only that patterns were used again. Here a position is looked up before it is searched: a pattern decides it, or the
opponent's weak patterns confine the moves to a must-play region, tell their utilities, and decide it by the OR rule if the region is empty.
What a search proves goes into the table. Two ingredients of which the paper says nothing can be added: moves ordered by how few replies
the table leaves to them, and virtual connections of the kernel's H-search as terminals.
"""
from typing import NamedTuple

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from solver.kernel.chains cimport checkmate
from solver.kernel.connections cimport Carrier, Deduction
from solver.kernel.threats cimport NONE, STRONG, smallest_threat, threaten
from solver.kernel.geometry cimport Board, bits_t, uint64_t, bit, board_init, lowest, neighbours, popcount
from solver.papers.pattern_table cimport Pattern, PatternTable, Utilities, next_strong, next_weak, patterns_add, patterns_close
from solver.papers.two_distance cimport Potentials, potentials

CONNECTION, CHECKMATE, CHECKMATE_AHEAD, DEDUCED = range(4)
UTILITIES, POTENTIALS, POTENTIALS_ALONE, REGIONS = range(4)
cdef int TO_CONNECTION = CONNECTION, AHEAD = CHECKMATE_AHEAD, BY_DEDUCTION = DEDUCED, BY_UTILITY = UTILITIES, BY_POTENTIAL = POTENTIALS, BY_REGION = REGIONS


class Result(NamedTuple):
    winner: int
    support: int
    carrier: int
    nodes: int
    expanded: int
    patterns: int
    finished: bool


cdef struct Proof:
    Pattern pattern            # of the winner: strong if the side to move loses, weak if it wins
    Utilities utilities


cdef struct Weak:              # weak patterns of the opponent; each has left some cell out of the must-play region
    Pattern pattern[64]
    int count
    bits_t region              # where the side to move must move
    Utilities utilities        # of all of them together


cdef class Search:
    cdef Board board
    cdef PatternTable table
    cdef int terminal, order
    cdef bint scaled
    cdef Deduction* deduction
    cdef uint64_t count, expanded, limit
    cdef bint over

    def __cinit__(self, int columns, int rows, *, int terminal=CONNECTION, int order=UTILITIES, bint scaled=True, bint images=True):
        board_init(&self.board, columns, rows)
        self.table.board, self.table.images = &self.board, images
        self.terminal, self.order, self.scaled = terminal, order, scaled
        self.deduction = <Deduction*>calloc(1, sizeof(Deduction))
        if self.deduction == NULL:
            raise MemoryError("no memory for the deduction of virtual connections")
        self.deduction.board = &self.board

    def __dealloc__(self):
        patterns_close(&self.table)
        free(self.deduction)

    def solve(self, bits_t black, bits_t white, int to_move, bint every_move=False, limit=None):
        cdef bits_t[2] stones
        cdef Proof proof
        cdef int winner
        stones[0], stones[1] = black, white
        self.count, self.expanded, self.over = 0, 0, False
        self.limit = <uint64_t>-1 if limit is None else limit
        with nogil:
            winner = self.visit(stones, to_move, every_move, &proof)
        return Result(winner, proof.pattern.support, proof.pattern.carrier, min(self.count, self.limit) - 1, self.expanded,
                      self.table.count[0] + self.table.count[1], not self.over)

    cdef int visit(self, const bits_t* stones, int side, bint every_move, Proof* proof) except -1 nogil:
        """The winner, and in *proof why; of no use after every_move, with which the search goes on after a winning move."""
        cdef Potentials p
        cdef Proof below
        cdef Weak weak
        cdef bits_t[2] child
        cdef int[64] replies
        cdef int cell, winner = 1 - side
        self.count += 1
        self.over = self.over or self.count > self.limit
        if self.over:
            return winner
        if self.finished(stones, 1 - side, proof) or self.known(stones, 1 - side, proof):
            return 1 - side
        if not every_move and self.in_one(stones, side, proof):
            return side
        self.expanded += 1
        self.confine(stones, side, &weak)
        potentials(&self.board, stones, NULL, &p)
        if self.order == BY_REGION:
            self.count_replies(stones, side, weak.region, replies)
        while weak.region:
            cell = self.best(weak.region, &p, &weak.utilities, replies)
            child[0], child[1] = stones[0], stones[1]
            child[side] |= bit(cell)
            if self.visit(child, 1 - side, False, &below) == side:
                winner = side
                if not every_move:
                    proof[0] = below
                    proof.pattern.support &= ~bit(cell)
                    proof.pattern.carrier |= bit(cell)
                    break
                weak.region &= ~bit(cell)
            else:
                gather(&weak, &below.pattern, &below.utilities)
            if self.over:
                return winner
        if winner != side:
            self.unite(self.board.full & ~(stones[0] | stones[1]), &weak, proof)
            patterns_add(&self.table, 1 - side, &proof.pattern, &proof.utilities)
        return winner

    cdef bint finished(self, const bits_t* stones, int player, Proof* proof) except -1 nogil:
        """Has the player joined its edges, or reached checkmate? A pattern of as few stones as possible goes into the table."""
        if not self.chain(stones, player, &proof.pattern):
            return False
        memset(&proof.utilities, 0, sizeof(Utilities))
        count_cells(&proof.utilities, proof.pattern.support, 1)
        count_cells(&proof.utilities, proof.pattern.carrier, 0.5)      # a stone on one of two cells
        patterns_add(&self.table, player, &proof.pattern, &proof.utilities)
        return True

    cdef bint chain(self, const bits_t* stones, int player, Pattern* p) noexcept nogil:
        cdef bits_t left = stones[player], rest, carrier
        cdef bits_t empty = self.board.full & ~(stones[0] | stones[1]), region
        if self.terminal == BY_DEDUCTION:
            if threaten(self.deduction, stones, player, 64, False, &region) != STRONG:
                return False
            p.support, p.carrier = self.deduction.solid.stones, self.deduction.solid.cells
            return True
        if self.terminal == TO_CONNECTION:
            p.support, p.carrier = shortest_path(&self.board, player, left), 0
            return p.support != 0
        if not checkmate(&self.board, player, left, empty, &p.carrier):
            return False
        p.support = left
        while left:
            rest = p.support & ~(left & (~left + 1))
            left &= left - 1
            if checkmate(&self.board, player, rest, empty, &carrier):
                p.support, p.carrier = rest, carrier
        return True

    cdef bint known(self, const bits_t* stones, int player, Proof* proof) noexcept nogil:
        """Has the player, who is not to move, a strong pattern?"""
        cdef int i = next_strong(&self.table, player, stones[player], stones[1 - player], 0, &proof.pattern)
        if i >= 0:
            proof.utilities = self.table.utilities[player][i]
        return i >= 0

    cdef bint in_one(self, const bits_t* stones, int side, Proof* proof) except -1 nogil:
        """Has the side to move a weak pattern, or a checkmate in one move if the terminals are looked for ahead?"""
        cdef int i = next_weak(&self.table, side, stones[side], stones[1 - side], 0, &proof.pattern)
        cdef bits_t empty = self.board.full & ~(stones[0] | stones[1]), region
        if i >= 0:
            proof.utilities = self.table.utilities[side][i]
            return True
        if self.terminal == BY_DEDUCTION and threaten(self.deduction, stones, side, 64, False, &region) != NONE:
            take(smallest_threat(self.deduction), proof)
            return True
        if self.terminal == AHEAD:
            while empty:
                if self.finished_with(stones, side, lowest(empty), proof):
                    return True
                empty &= empty - 1
        return False

    cdef bint finished_with(self, const bits_t* stones, int player, int cell, Proof* proof) except -1 nogil:
        """Would one stone more finish the game? The pattern is then weak."""
        cdef bits_t[2] child
        child[0], child[1] = stones[0], stones[1]
        child[player] |= bit(cell)
        if not self.finished(child, player, proof):
            return False
        proof.pattern.support &= ~bit(cell)
        proof.pattern.carrier |= bit(cell)
        return True

    cdef int confine(self, const bits_t* stones, int side, Weak* weak) except -1 nogil:
        """The must-play region by all that is known of the opponent's weak patterns, and the utilities of these."""
        cdef Proof proof
        cdef bits_t empty = self.board.full & ~(stones[0] | stones[1]), left = empty
        cdef int other = 1 - side, i = -1
        weak.region, weak.count = empty, 0
        memset(&weak.utilities, 0, sizeof(Utilities))
        if self.terminal == AHEAD:
            while left:
                self.finished_with(stones, other, lowest(left), &proof)        # the table has it from here on
                left &= left - 1
        if self.terminal == BY_DEDUCTION:
            threaten(self.deduction, stones, other, 64, False, &left)
            for i in range(self.deduction.n_threats):
                take(&self.deduction.threat[i], &proof)
                gather(weak, &proof.pattern, &proof.utilities)
            i = -1
        while True:
            i = next_weak(&self.table, other, stones[other], stones[side], i + 1, &proof.pattern)
            if i < 0:
                return 0
            gather(weak, &proof.pattern, &self.table.utilities[other][i])

    cdef int count_replies(self, const bits_t* stones, int side, bits_t region, int* replies) except -1 nogil:
        """How many moves each move of the region leaves to the opponent, by all that is known."""
        cdef bits_t[2] child
        cdef Weak weak
        cdef int cell
        while region:
            cell = lowest(region)
            region &= region - 1
            child[0], child[1] = stones[0], stones[1]
            child[side] |= bit(cell)
            self.confine(child, 1 - side, &weak)
            replies[cell] = popcount(weak.region)
        return 0

    cdef int best(self, bits_t region, const Potentials* p, const Utilities* u, const int* replies) noexcept nogil:
        """The move to be searched next; the lowest cell among equals."""
        cdef int cell, found = lowest(region)
        cdef float by_utility
        cdef int by_potential
        region &= region - 1
        while region:
            cell = lowest(region)
            region &= region - 1
            by_potential = p.cell[0][found] + p.cell[1][found] - p.cell[0][cell] - p.cell[1][cell]
            by_utility = u.of[cell] - u.of[found]
            if self.order == BY_REGION and replies[cell] != replies[found]:
                if replies[cell] < replies[found]:
                    found = cell
            elif self.order == BY_UTILITY or self.order == BY_REGION:
                if by_utility > 0 or (by_utility == 0 and by_potential > 0):
                    found = cell
            elif by_potential > 0 or (self.order == BY_POTENTIAL and by_potential == 0 and by_utility > 0):
                found = cell
        return found

    cdef void unite(self, bits_t common, const Weak* weak, Proof* proof) noexcept nogil:
        """The OR rule: weak patterns without a common empty cell make a strong one. Takes those that add few cells for what they leave out;
        `common` are the empty cells."""
        cdef bits_t support = 0, carrier = 0
        cdef int i, cost, least, chosen
        cdef float most = 0
        while common:
            least, chosen = 1 << 20, -1
            for i in range(weak.count):
                if common & ~weak.pattern[i].carrier:
                    cost = 4 * popcount(common & weak.pattern[i].carrier)
                    cost += popcount((weak.pattern[i].carrier | weak.pattern[i].support) & ~(carrier | support))
                    if cost < least:
                        least, chosen = cost, i
            common &= weak.pattern[chosen].carrier
            support |= weak.pattern[chosen].support
            carrier |= weak.pattern[chosen].carrier
        proof.pattern.support, proof.pattern.carrier = support, carrier & ~support
        proof.utilities = weak.utilities
        if self.scaled:
            for i in range(self.board.cells):
                most = max(most, weak.utilities.of[i])
            for i in range(self.board.cells):
                proof.utilities.of[i] /= most


cdef inline void gather(Weak* weak, const Pattern* p, const Utilities* u) noexcept nogil:
    """Takes one more weak pattern into account."""
    cdef int cell
    if weak.region & ~p.carrier:
        weak.pattern[weak.count] = p[0]
        weak.count += 1
        weak.region &= p.carrier
    for cell in range(64):
        weak.utilities.of[cell] += u.of[cell]


cdef inline void take(const Carrier* c, Proof* proof) noexcept nogil:
    """A virtual connection of the edges as a pattern; it takes each cell of its carrier as often as not."""
    proof.pattern.support, proof.pattern.carrier = c.stones, c.cells
    memset(&proof.utilities, 0, sizeof(Utilities))
    count_cells(&proof.utilities, c.stones, 1)
    count_cells(&proof.utilities, c.cells, 0.5)


cdef inline void count_cells(Utilities* u, bits_t cells, float value) noexcept nogil:
    while cells:
        u.of[lowest(cells)] = value
        cells &= cells - 1


cdef bits_t shortest_path(const Board* b, int player, bits_t own) noexcept nogil:
    """As few stones as join the player's edges; 0 if they are not joined."""
    cdef bits_t[64] layers
    cdef bits_t reached, stone, path
    cdef int k = 0
    layers[0] = reached = own & b.edge[player][0]
    while not layers[k] & b.edge[player][1]:
        layers[k + 1] = neighbours(b, layers[k]) & own & ~reached
        k += 1
        if not layers[k]:
            return 0
        reached |= layers[k]
    stone = layers[k] & b.edge[player][1]
    path = stone = stone & (~stone + 1)
    while k:
        k -= 1
        stone = neighbours(b, stone) & layers[k]
        stone &= ~stone + 1
        path |= stone
    return path
