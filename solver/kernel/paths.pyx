# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from solver.kernel.geometry cimport Board, bits_t, neighbours, step, open_bridges, unleap, edge_bridges, edge_bridge_cells


cdef void paths_init(Paths* p, const Board* b, int player, bits_t own, bits_t empty, bint bridges) noexcept nogil:
    p.board = b
    p.own = own
    p.empty = empty
    p.first, p.last = b.edge[player][0], b.edge[player][1]
    if not bridges:
        p.open[0] = p.open[1] = p.open[2] = p.open[3] = p.open[4] = p.open[5] = 0
        return
    open_bridges(b, empty, p.open)
    p.first |= edge_bridges(b, player, 0, empty)
    p.last |= edge_bridges(b, player, 1, empty)


cdef inline bits_t reach(const Paths* p, bits_t x) noexcept nogil:
    """Cells one contact or free bridge away from x."""
    cdef const Board* b = p.board
    return (neighbours(b, x)
            | ((x & p.open[0]) << b.leap[0]) | ((x & p.open[1]) << b.leap[1]) | ((x & p.open[2]) << b.leap[2])
            | ((x & p.open[3]) >> b.leap[0]) | ((x & p.open[4]) >> b.leap[1]) | ((x & p.open[5]) >> b.leap[2]))


cdef int layers(const Paths* p, bits_t start, bits_t goal, int k, bits_t* layer) noexcept nogil:
    cdef bits_t reached = 0, frontier = start & p.empty, new = start & p.own, grown
    cdef int d, found
    while new:
        reached |= new
        grown = reach(p, new)
        frontier |= grown & p.empty
        new = grown & p.own & ~reached
    layer[0] = reached
    found = 0 if reached & goal else k + 1
    for d in range(1, k + 1):
        new = frontier & ~reached
        while new:
            reached |= new
            grown = reach(p, new)
            frontier |= grown & p.empty
            new = grown & p.own & ~reached
        layer[d] = reached
        if found > k and reached & goal:
            found = d
    return found


cdef void zone(const Paths* p, const bits_t* to_first, const bits_t* to_last, int k, bits_t* moves, bits_t* stones, bits_t* cells) noexcept nogil:
    cdef const Board* b = p.board
    cdef bits_t on = 0, own = to_first[0] & to_last[k], out, ends
    cdef int d, i
    for d in range(1, k + 1):
        on |= to_first[d] & to_last[k + 1 - d]
        own |= to_first[d] & to_last[k - d]
    moves[0] = on & p.empty
    stones[0] = own & p.own
    out = moves[0]
    for i in range(6):
        if not p.open[i]:
            continue
        ends = 0
        for d in range(k + 1):
            ends |= to_first[d] & unleap(b, i, to_last[k - d])
        ends &= p.open[i]
        out |= step(b, i, ends) | step(b, (i + 1) % 6, ends)
    if p.first & ~b.edge[0][0]:
        out |= edge_bridge_cells(b, 0, 0, to_last[k] & p.first & ~b.edge[0][0])
    if p.last & ~b.edge[0][1]:
        out |= edge_bridge_cells(b, 0, 1, to_first[k] & p.last & ~b.edge[0][1])
    cells[0] = out & p.empty
