# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The kernel's deductions, open to Python; deduction.pyi describes them."""
from libc.stdlib cimport calloc, free
from typing import NamedTuple

from solver.kernel.geometry cimport (BLACK, WHITE, Board, bits_t, bit, lowest, board_init, edge_bridges, edge_bridge_cells)
from solver.kernel.connections cimport Carrier, Connections, Deduction
from solver.kernel.threats cimport STRONG, WEAK, threaten
from solver.kernel.inferior cimport fill
from solver.kernel.paths cimport MOST, Paths, paths_init, layers


cdef struct Rings:                 # what lies around the cells of a board
    const Board* board
    int step[3]                    # to the neighbour in the directions 0, 1, 2; back for 3, 4, 5
    bits_t beyond[2][6]            # [player][direction]: cells whose neighbour would lie beyond an edge of the player


class Joint(NamedTuple):
    point: int
    cells: int
    ends: tuple[int, int]
    semi: tuple[bool, bool]


cdef class Deducer:
    cdef Board board
    cdef Deduction* deduction
    cdef int player                # whose connections were deduced last
    cdef Rings rings
    cdef readonly list near
    cdef readonly tuple edges

    def __cinit__(self, int columns, int rows):
        cdef const Board* b = &self.board
        board_init(&self.board, columns, rows)
        self.deduction = <Deduction*>calloc(1, sizeof(Deduction))
        if self.deduction == NULL:
            raise MemoryError("no memory for the lists of connections")
        self.deduction.board = b
        self.near = [b.near[x] for x in range(b.cells)]
        self.edges = (b.edge[BLACK][0], b.edge[BLACK][1]), (b.edge[WHITE][0], b.edge[WHITE][1])
        rings_init(&self.rings, b)

    def __dealloc__(self):
        free(self.deduction)

    def deduce(self, bits_t black, bits_t white, int player, int most, bint mate):
        cdef bits_t stones[2]
        cdef bits_t region
        cdef int found
        stones[0], stones[1] = black, white
        self.player = player
        with nogil:
            found = threaten(self.deduction, stones, player, most, mate, &region)
        return True if found == STRONG else False if found == WEAK else None

    def solid(self):
        cdef bits_t points = self.deduction.points[self.player] & ~self.deduction.empty
        while points:
            for joint in self.joints(lowest(points), False, False):
                if joint.cells == self.deduction.solid.cells:
                    return joint
            points &= points - 1
        raise ValueError("the last position has no solid connection")

    def threats(self):
        cdef bits_t points = self.deduction.points[self.player]
        cdef int x
        found = []
        while points:
            x = lowest(points)
            points &= points - 1
            if self.deduction.group[x]:
                found += self.joints(x, False, True) + self.joints(x, True, False)
            else:
                found += self.joints(x, False, False)
        return found

    cdef list joints(self, int x, bint first_semi, bint last_semi):
        """The pairs of disjoint connections of a point to both edges."""
        cdef Connections* a = &self.deduction.to_edge[self.player][0]
        cdef Connections* z = &self.deduction.to_edge[self.player][1]
        cdef Carrier* one
        cdef Carrier* two
        cdef bits_t key = 0 if self.deduction.group[x] else bit(x)
        cdef int i, j
        found = []
        for i in range(a.n_semi[x] if first_semi else a.n_full[x]):
            one = &a.semi[x][i] if first_semi else &a.full[x][i]
            for j in range(z.n_semi[x] if last_semi else z.n_full[x]):
                two = &z.semi[x][j] if last_semi else &z.full[x][j]
                if not one.cells & two.cells:
                    found.append(Joint(x, one.cells | two.cells | key, (one.cells, two.cells), (first_semi, last_semi)))
        return found

    def full(self, int end, int point):
        cdef const Connections* c = &self.deduction.to_edge[self.player][end]
        return [c.full[point][i].cells for i in range(c.n_full[point])]

    def semi(self, int end, int point):
        cdef const Connections* c = &self.deduction.to_edge[self.player][end]
        return [c.semi[point][i].cells for i in range(c.n_semi[point])]

    def links(self, int point):
        cdef const Deduction* h = self.deduction
        return [(h.link_to[point][i], h.link_via[point][i]) for i in range(h.n_links[point])]

    def group(self, int point):
        return self.deduction.group[point]

    def edge_pair(self, int player, int end, int cell):
        if not edge_bridges(&self.board, player, end, self.board.full) & bit(cell):
            return 0
        return edge_bridge_cells(&self.board, player, end, bit(cell))

    def fill(self, bits_t black, bits_t white):
        cdef bits_t stones[2]
        stones[0], stones[1] = black, white
        fill(&self.board, stones, BLACK, WHITE)
        return stones[0], stones[1]

    def captured(self, bits_t black, bits_t white, int player):
        cdef bits_t own = white if player == WHITE else black
        cdef bits_t theirs = black if player == WHITE else white
        cdef int x, y
        steps = []
        while find_captured(&self.rings, own, theirs, player, &x, &y):
            steps.append((x, y))
            own |= bit(x) | bit(y)
        return steps

    def alive(self, int player, int cell, bits_t own, bits_t theirs):
        return bool(alive(&self.rings, player, cell, own, theirs))

    def distance(self, int player, bits_t own, bits_t empty, bint mate, int most):
        cdef Paths paths
        cdef bits_t layer[MOST]
        if not 0 <= most < MOST:
            raise ValueError(f"distances are told up to {MOST - 1} stones, not {most}")
        paths_init(&paths, &self.board, player, own, empty, mate)
        return layers(&paths, paths.first, paths.last, most, layer)


cdef void rings_init(Rings* r, const Board* b) noexcept nogil:
    """The directions are those of geometry.pxd: east, south, south-west, west, north, north-east."""
    cdef int d
    r.board = b
    r.step[0], r.step[1], r.step[2] = 1, b.columns, b.columns - 1
    for d in range(6):
        r.beyond[BLACK][d] = b.edge[BLACK][1] if d in (1, 2) else b.edge[BLACK][0] if d in (4, 5) else 0
        r.beyond[WHITE][d] = b.edge[WHITE][0] if d in (2, 3) else b.edge[WHITE][1] if d in (0, 5) else 0


cdef inline bint alive(const Rings* r, int player, int x, bits_t own, bits_t theirs) noexcept nogil:
    """Can the ring around a cell show the player, the opponent, the player and the opponent in turn? Beyond an edge it is that of the
    edge's owner, beyond a corner of two owners it may be either's."""
    cdef int d, first, turns
    cdef bits_t near
    cdef bint can[6][2]
    for d in range(6):
        if (r.beyond[BLACK][d] | r.beyond[WHITE][d]) & bit(x):
            can[d][0] = (r.beyond[player][d] & bit(x)) != 0
            can[d][1] = (r.beyond[1 - player][d] & bit(x)) != 0
        else:
            near = bit(x + r.step[d] if d < 3 else x - r.step[d - 3])
            can[d][0], can[d][1] = not near & theirs, not near & own
    for first in range(2):
        turns = 0
        for d in range(6):
            turns += can[d][(first + turns) & 1]
        if turns >= 4:
            return True
    return False


cdef bint find_captured(const Rings* r, bits_t own, bits_t theirs, int player, int* x, int* y) noexcept nogil:
    """A cell that is dead (then both are the same), or two neighbours of which each is dead once the other is the player's."""
    cdef bits_t empty = r.board.full & ~(own | theirs), cells = empty, near
    while cells:
        x[0] = lowest(cells)
        cells &= cells - 1
        if not alive(r, player, x[0], own, theirs):
            y[0] = x[0]
            return True
        near = r.board.near[x[0]] & cells
        while near:
            y[0] = lowest(near)
            near &= near - 1
            if not alive(r, player, x[0], own | bit(y[0]), theirs) and not alive(r, player, y[0], own | bit(x[0]), theirs):
                return True
    return False
