# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from solver.kernel.geometry cimport Board, bits_t, bit, board_init, edge_bridge_cells, edge_bridges, lowest, neighbours


cdef void patterns_init(EdgePatterns* e, const Board* b) noexcept nogil:
    cdef int player, end
    cdef bits_t edge, second, third
    for player in range(2):
        for end in range(2):
            edge = b.edge[player][end]
            second = neighbours(b, edge) & ~edge
            third = neighbours(b, second) & ~(edge | second)
            e.count[player][end] = 0
            while third:
                patterns_of(e, b, player, end, lowest(third), edge_bridges(b, player, end, b.full) & second)
                third &= third - 1


cdef void patterns_of(EdgePatterns* e, const Board* b, int player, int end, int stone, bits_t second) noexcept nogil:
    """Both patterns of one stone; `second` are the second-row cells with a two-bridge to the edge."""
    cdef bits_t beside = b.near[stone] & second, one, two
    cdef EdgePattern* p
    cdef int d, cell, target
    while beside:
        cell = lowest(beside)
        beside &= beside - 1
        one = bit(cell) | edge_bridge_cells(b, player, end, bit(cell))
        for d in range(6):
            target = b.bridge[stone][d]
            if target < 0 or not bit(target) & second:
                continue
            two = bit(target) | b.via[stone][d] | edge_bridge_cells(b, player, end, bit(target))
            if not one & two:
                p = &e.pattern[player][end][e.count[player][end]]
                p.stone, p.carrier, p.ghost = bit(stone), one | two, bit(cell)
                e.count[player][end] += 1


cdef void extend_edges(const EdgePatterns* e, const Board* b, const bits_t* stones, bits_t (*anchored)[2]) noexcept nogil:
    cdef bits_t empty = b.full & ~(stones[0] | stones[1])
    cdef const EdgePattern* p
    cdef int player, end, i
    for player in range(2):
        for end in range(2):
            anchored[player][end] = 0
            for i in range(e.count[player][end]):
                p = &e.pattern[player][end][i]
                if p.stone & stones[player] and not p.carrier & ~empty:
                    anchored[player][end] |= p.stone


cdef void add_ghosts(const EdgePatterns* e, const Board* b, int first, bits_t* stones) noexcept nogil:
    cdef bits_t free = b.full & ~(stones[0] | stones[1]), own
    cdef const EdgePattern* p
    cdef int player, end, i, turn
    for turn in range(2):
        player = first if turn == 0 else 1 - first
        own = stones[player]
        for end in range(2):
            for i in range(e.count[player][end]):
                p = &e.pattern[player][end][i]
                if p.stone & own and not p.carrier & ~free:
                    stones[player] |= p.ghost
                    free &= ~p.carrier


def ghosts(int columns, int rows, bits_t black, bits_t white, int first):
    """Both players' stones with the ghost pieces among them, as two masks."""
    cdef Board b
    cdef EdgePatterns e
    cdef bits_t[2] stones
    board_init(&b, columns, rows)
    patterns_init(&e, &b)
    stones[0], stones[1] = black, white
    add_ghosts(&e, &b, first, stones)
    return stones[0], stones[1]


def extended(int columns, int rows, bits_t black, bits_t white):
    """The stones that a pattern joins to an edge: for each player the masks for its first and its second edge."""
    cdef Board b
    cdef EdgePatterns e
    cdef bits_t[2] stones
    cdef bits_t anchored[2][2]
    board_init(&b, columns, rows)
    patterns_init(&e, &b)
    stones[0], stones[1] = black, white
    extend_edges(&e, &b, stones, anchored)
    return (anchored[0][0], anchored[0][1]), (anchored[1][0], anchored[1][1])
