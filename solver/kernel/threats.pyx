# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from solver.kernel.geometry cimport CELLS, bits_t, int8_t, bit, popcount, lowest, flood
from solver.kernel.connections cimport THREATS, Carrier, Connections, both, either, cost, grow, grow_from


cdef inline void add_threat(Deduction* h, const Carrier* a, const Carrier* z, bits_t key, int move) noexcept nogil:
    """AND of connections of a point to both edges: of full ones over an empty cell, the `key`, or of a full and a semi one over a group."""
    cdef Carrier* new
    if not a.cells & z.cells and h.n_threats < THREATS:
        new = &h.threat[h.n_threats]
        new[0] = both(a, z)
        new.key = move
        if key:
            new.cells |= key
            new.all += 1
            new.mate += 1
        if cost(new, h.mate) <= h.most:
            h.n_threats += 1


cdef bint join_edges(Deduction* h, int player) noexcept nogil:
    """Connect the player's two edges over each point. True: strong, by h.solid; else h.threat lists the weak ones."""
    cdef Connections* a = &h.to_edge[player][0]
    cdef Connections* z = &h.to_edge[player][1]
    cdef bits_t points
    cdef Carrier whole
    cdef bint solid = False
    cdef int x, i, j
    h.n_threats = 0
    points = h.points[player]
    while points:
        x = lowest(points)
        points &= points - 1
        for i in range(a.n_full[x]):
            for j in range(z.n_full[x]):
                if not h.group[x]:
                    add_threat(h, &a.full[x][i], &z.full[x][j], bit(x), x)
                elif not a.full[x][i].cells & z.full[x][j].cells:
                    whole = both(&a.full[x][i], &z.full[x][j])
                    if cost(&whole, h.mate) <= h.most and (not solid or popcount(whole.cells) < popcount(h.solid.cells)):
                        solid = True
                        h.solid = whole
        if not h.group[x] or solid:
            continue
        for i in range(a.n_full[x]):
            for j in range(z.n_semi[x]):
                add_threat(h, &a.full[x][i], &z.semi[x][j], 0, z.semi[x][j].key)
        for i in range(a.n_semi[x]):
            for j in range(z.n_full[x]):
                add_threat(h, &a.semi[x][i], &z.full[x][j], 0, a.semi[x][i].key)
    return solid


cdef const Carrier* smallest_threat(const Deduction* h) noexcept nogil:
    cdef int i, best = 0
    for i in range(1, h.n_threats):
        if popcount(h.threat[i].cells) < popcount(h.threat[best].cells):
            best = i
    return &h.threat[best]


cdef void must_play(const Deduction* h, bits_t* must, Carrier* used) noexcept nogil:
    """The intersection is taken greedily so that the union of the threats used stays small."""
    cdef bits_t left = h.empty, less
    cdef int i, best, price, best_price
    used.cells, used.stones, used.all, used.mate, used.key = 0, 0, 0, 0, -1
    while left:
        best, best_price = -1, 1 << 30
        for i in range(h.n_threats):
            less = left & h.threat[i].cells
            if less != left:
                price = 4 * popcount(less) + popcount(h.threat[i].cells & ~used.cells)
                if price < best_price:
                    best, best_price = i, price
        if best < 0:
            break
        left &= h.threat[best].cells
        used[0] = either(used, &h.threat[best])
    must[0] = left


cdef inline void set_position(Deduction* h, const bits_t* stones) noexcept nogil:
    h.stones[0], h.stones[1] = stones[0], stones[1]
    h.empty = h.board.full & ~(stones[0] | stones[1])


cdef int threaten(Deduction* h, const bits_t* stones, int player, int most, bint mate, bits_t* region) noexcept nogil:
    set_position(h, stones)
    h.most, h.mate = most, mate
    grow(h, player)
    return threats(h, player, region)


cdef int threaten_after(Deduction* h, const Snapshot* before, const bits_t* stones, int player, int most, bint mate, bits_t* region) noexcept nogil:
    set_position(h, stones)
    h.most, h.mate = most, mate
    grow_from(h, before, player)
    return threats(h, player, region)


cdef inline int threats(Deduction* h, int player, bits_t* region) noexcept nogil:
    cdef int i
    region[0] = 0
    if join_edges(h, player):
        return STRONG
    region[0] = h.empty
    for i in range(h.n_threats):
        region[0] &= h.threat[i].cells
    return WEAK if h.n_threats else NONE


cdef int evaluate(Deduction* h, const bits_t* stones, int to_move, bits_t* carrier, int8_t* move, bits_t* must,
                  bits_t* used) noexcept nogil:
    cdef Carrier need
    set_position(h, stones)
    h.most, h.mate = CELLS, False
    move[0] = -1
    grow(h, to_move)
    if join_edges(h, to_move):
        carrier[0] = h.solid.cells | h.solid.stones
        return MOVER_WINS
    if h.n_threats:
        need = smallest_threat(h)[0]
        carrier[0], move[0] = need.cells | need.stones, need.key
        return MOVER_WINS
    grow(h, 1 - to_move)
    if join_edges(h, 1 - to_move):
        carrier[0] = h.solid.cells | h.solid.stones
        return MOVER_LOSES
    must_play(h, must, &need)
    used[0] = need.cells | need.stones
    if not must[0]:
        carrier[0] = used[0]
        return MOVER_LOSES
    return UNDECIDED


cdef bits_t reach(const Deduction* h, int player, int end) noexcept nogil:
    cdef bits_t points = h.points[player], reached = 0
    cdef int x
    while points:
        x = lowest(points)
        points &= points - 1
        if h.to_edge[player][end].n_full[x]:
            reached |= bit(x) if bit(x) & h.empty else flood(h.board, bit(x), h.stones[player])
    return reached
