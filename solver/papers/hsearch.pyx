# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""H-search: virtual connections between all pairs of points, deduced generation by generation (Anshelevich 2000, section 5).

Points of a player are its two edges, its groups of stones and the empty cells. A virtual connection of two points is kept as its carrier,
the empty cells with which the player joins them even if the opponent moves first; the points themselves are not in it. Contact is the
first generation, with no cells. An iteration makes the next one of all connections there are:

    AND    x - u - y over a group u, the carriers disjoint, is a connection;
    OR(n)  n ways x - u - y over empty cells u, each with u in its carrier, are one if no cell is in all of these carriers.

A single way over an empty cell (a *semi* connection, the player to move) is kept for the next iterations. Carriers that contain another
one of the same pair are dropped. Of the rest each pair keeps the N smallest, and as many semi connections: the limit N of section 6.
"""
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from solver.kernel.geometry cimport Board, bits_t, uint8_t, bit, board_init, flood, lowest, neighbours, popcount

cdef enum:
    POINTS = 66            # two edges and a cell each


cdef struct Carriers:      # of one pair of points
    int full
    int semi
    uint8_t last_full      # when the youngest one was made
    uint8_t last_semi


cdef class Deduction:
    cdef Board board
    cdef int most          # N
    cdef int widest        # n of the OR rule
    cdef int player
    cdef int points
    cdef int now           # generation that is being made
    cdef readonly int generations
    cdef readonly bint limited     # some connection was dropped because of N or n
    cdef bits_t stones[POINTS]     # of a group; the first two points are the edges with what is joined to them
    cdef bits_t cell[POINTS]       # an empty cell, 0 for groups and edges
    cdef bits_t shore[POINTS]      # the empty cells next to the point
    cdef Carriers* pairs           # (x, y) with x < y is at y (y - 1) / 2 + x
    cdef bits_t* full              # `most` of each pair
    cdef bits_t* semi
    cdef uint8_t* full_born
    cdef uint8_t* semi_born

    def __cinit__(self, int columns, int rows, *, int most=20, int widest=4):
        cdef size_t pairs = POINTS * (POINTS - 1) // 2, room
        board_init(&self.board, columns, rows)
        pairs = (self.board.cells + 2) * (self.board.cells + 1) // 2
        room = pairs * most
        self.most, self.widest = most, widest
        self.pairs = <Carriers*>malloc(pairs * sizeof(Carriers))
        self.full, self.semi = <bits_t*>malloc(room * sizeof(bits_t)), <bits_t*>malloc(room * sizeof(bits_t))
        self.full_born, self.semi_born = <uint8_t*>malloc(room), <uint8_t*>malloc(room)
        if not (self.pairs and self.full and self.semi and self.full_born and self.semi_born):
            raise MemoryError("no memory for the virtual connections")

    def __dealloc__(self):
        free(self.pairs)
        free(self.full)
        free(self.semi)
        free(self.full_born)
        free(self.semi_born)

    def deduce(self, bits_t black, bits_t white, int player, int generations=200):
        """All connections of a player that so many iterations make, or fewer if the last one made nothing new."""
        cdef bint grew = True
        with nogil:
            self.begin(black, white, player)
            while grew and self.generations < generations:
                self.now += 1
                grew = self.combine()
                if grew:
                    self.generations += 1

    def wins(self):
        """Whether the edges are joined, or virtually connected: then the player wins even if the opponent moves first."""
        return self.pairs[0].full > 0

    def carriers(self, int one, int two):
        """The carriers of two points, each named by any of its cells, or by -1 and -2 for the edges; the smallest first."""
        cdef int x = self.named(one), y = self.named(two)
        if x == y:
            return [0]
        cdef int pair = index(x, y), i
        return sorted((self.full[pair * self.most + i] for i in range(self.pairs[pair].full)), key=lambda cells: (cells.bit_count(), cells))

    def count(self):
        """How many connections there are, contacts included."""
        cdef int pair
        return sum(self.pairs[pair].full for pair in range(self.points * (self.points - 1) // 2))

    cdef int named(self, int cell) except -1:
        cdef int x
        if cell < 0:
            return -1 - cell
        for x in range(self.points):
            if (self.stones[x] | self.cell[x]) >> cell & 1:
                return x
        raise ValueError(f"cell {cell} is the opponent's")

    cdef void begin(self, bits_t black, bits_t white, int player) noexcept nogil:
        """The points of the position, and contact as the first generation."""
        cdef const Board* b = &self.board
        cdef bits_t own = white if player else black, empty = b.full & ~(black | white), left = own, row, cells
        cdef int end, x, y
        self.player, self.now, self.generations, self.limited = player, 0, 0, False
        for end in range(2):
            row = b.edge[player][end]
            self.stones[end], self.cell[end] = flood(b, row & own, own), 0
            self.shore[end] = (neighbours(b, self.stones[end]) | row) & empty
            left &= ~self.stones[end]
        self.points = 2
        while left:
            self.stones[self.points], self.cell[self.points] = flood(b, left & (~left + 1), own), 0
            self.shore[self.points] = neighbours(b, self.stones[self.points]) & empty
            left &= ~self.stones[self.points]
            self.points += 1
        cells = empty
        while cells:
            self.stones[self.points], self.cell[self.points] = 0, cells & (~cells + 1)
            self.shore[self.points] = b.near[lowest(cells)] & empty
            cells &= cells - 1
            self.points += 1
        memset(self.pairs, 0, self.points * (self.points - 1) // 2 * sizeof(Carriers))
        for y in range(1, self.points):
            for x in range(y):
                if self.shore[x] & self.cell[y] or self.stones[x] & self.stones[y]:
                    self.add(index(x, y), 0)

    cdef bint combine(self) noexcept nogil:
        """One iteration; whether it made a connection."""
        cdef int u, x, y, pair
        cdef bint grew = False
        for u in range(self.points):
            for y in range(1, self.points):
                if y == u or not self.pairs[index(u, y)].full:
                    continue
                for x in range(y):
                    if x != u and self.pairs[index(x, u)].full:
                        if self.pairs[index(x, u)].last_full >= self.now - 1 or self.pairs[index(u, y)].last_full >= self.now - 1:
                            self.chain(x, u, y)
        for pair in range(self.points * (self.points - 1) // 2):
            if self.pairs[pair].last_semi == self.now and self.pairs[pair].semi:
                self.alternatives(pair)
            grew = grew or (self.pairs[pair].last_full == self.now and self.pairs[pair].full)
        return grew

    cdef void chain(self, int x, int u, int y) noexcept nogil:
        """Every connection of x and u with every one of u and y, one of them at least of the youngest generation."""
        cdef int one = index(x, u), two = index(u, y), to = index(x, y), i, j
        cdef bits_t a, c
        for i in range(self.pairs[one].full):
            if self.full_born[one * self.most + i] == self.now:
                continue
            a = self.full[one * self.most + i]
            if a & self.cell[y]:
                continue
            for j in range(self.pairs[two].full):
                if self.full_born[two * self.most + j] == self.now:
                    continue
                if self.full_born[one * self.most + i] < self.now - 1 and self.full_born[two * self.most + j] < self.now - 1:
                    continue
                c = self.full[two * self.most + j]
                if a & c or c & self.cell[x]:
                    continue
                if self.cell[u]:
                    self.add_semi(to, a | c | self.cell[u])
                else:
                    self.add(to, a | c)

    cdef void alternatives(self, int pair) noexcept nogil:
        """The OR rule for one pair: every set of its semi connections with a new one in it."""
        cdef int i
        for i in range(self.pairs[pair].semi):
            if self.semi_born[pair * self.most + i] == self.now:
                self.widen(pair, i, 0, self.semi[pair * self.most + i], self.semi[pair * self.most + i], 1)

    cdef void widen(self, int pair, int new, int start, bits_t common, bits_t all, int n) noexcept nogil:
        """Adds semi connections to n of them, which have `common` cells in common and `all` cells together, until they have none. Of the
        new ones only those before `new` are added, so that each set is met once."""
        cdef int j
        cdef bits_t rest, cells
        for j in range(start, self.pairs[pair].semi):
            if self.semi_born[pair * self.most + j] == self.now and j >= new:
                continue
            cells = self.semi[pair * self.most + j]
            rest = common & cells
            if rest == common or self.known(pair, all | cells):
                continue
            if not rest:
                self.add(pair, all | cells)
            elif n + 1 < self.widest:
                self.widen(pair, new, j + 1, rest, all | cells, n + 1)
            else:
                self.limited = True

    cdef bint known(self, int pair, bits_t cells) noexcept nogil:
        """Whether the pair has a connection within the cells."""
        cdef int i
        for i in range(self.pairs[pair].full):
            if not self.full[pair * self.most + i] & ~cells:
                return True
        return False

    cdef void add(self, int pair, bits_t cells) noexcept nogil:
        if self.known(pair, cells):
            return
        self.pairs[pair].full = self.put(self.full + pair * self.most, self.full_born + pair * self.most, self.pairs[pair].full, cells)
        self.pairs[pair].last_full = self.now

    cdef void add_semi(self, int pair, bits_t cells) noexcept nogil:
        cdef int i
        if self.known(pair, cells):
            return
        for i in range(self.pairs[pair].semi):
            if not self.semi[pair * self.most + i] & ~cells:
                return
        self.pairs[pair].semi = self.put(self.semi + pair * self.most, self.semi_born + pair * self.most, self.pairs[pair].semi, cells)
        self.pairs[pair].last_semi = self.now

    cdef int put(self, bits_t* carriers, uint8_t* born, int count, bits_t cells) noexcept nogil:
        """Adds a carrier to a list and takes those that contain it out, or the largest one if there are too many; returns their number."""
        cdef int i, kept = 0, largest = -1
        for i in range(count):
            if cells & ~carriers[i]:
                carriers[kept], born[kept] = carriers[i], born[i]
                kept += 1
        if kept == self.most:
            self.limited = True
            for i in range(kept):
                if largest < 0 or popcount(carriers[i]) > popcount(carriers[largest]):
                    largest = i
            if popcount(carriers[largest]) <= popcount(cells):
                return kept
            kept -= 1
            carriers[largest], born[largest] = carriers[kept], born[kept]
        carriers[kept], born[kept] = cells, self.now
        return kept + 1

    def links(self):
        """The circuit of section 3 with the links of section 4 as three lists: point, point, conductance; points 0 and 1 are the edges.

        Second: the empty cell of each point, None for edges and groups.
        """
        cdef list ones = [], others = [], conductances = []
        cdef bits_t cells, near, group
        cdef int x, y
        for x in range(self.points):
            for y in range(x + 1, self.points):
                if not self.cell[y]:
                    continue
                if self.cell[x]:
                    conductance = 0.5 if self.shore[x] & self.cell[y] else 0.0
                else:
                    conductance = float(self.contacts(x, y))
                    if not conductance and self.reached(x, self.cell[y]):
                        conductance = 1.0
                if conductance:
                    ones.append(x)
                    others.append(y)
                    conductances.append(conductance)
        return ones, others, conductances, [lowest(self.cell[x]) if self.cell[x] else None for x in range(self.points)]

    cdef int contacts(self, int group, int point) noexcept nogil:
        """In how many places an empty cell touches a group; the edge itself, of which it is a single cell, included."""
        cdef int cell = lowest(self.cell[point])
        cdef int count = popcount(self.board.near[cell] & self.stones[group])
        if group < 2:
            count += (self.board.edge[self.player][group] & self.cell[point]) != 0
        return count

    cdef bint reached(self, int group, bits_t cell) noexcept nogil:
        """Whether an empty cell touches some group that is virtually connected to this one."""
        cdef int other
        for other in range(self.points):
            if other != group and not self.cell[other] and self.shore[other] & cell and self.pairs[index(group, other)].full:
                return True
        return False


cdef inline int index(int x, int y) noexcept nogil:
    return y * (y - 1) // 2 + x if x < y else x * (x - 1) // 2 + y
