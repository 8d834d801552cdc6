# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from solver.kernel.geometry cimport (Board, bits_t, bit, lowest, step, neighbours, bridges, edge_bridges, edge_bridge_cells, flood)


cdef bint connected(const Board* b, int player, bits_t own) noexcept nogil:
    return (flood(b, own & b.edge[player][0], own) & b.edge[player][1]) != 0


cdef bint linked(const Board* b, int player, bits_t own, bits_t empty) noexcept nogil:
    """Do contacts and two-bridges join the edges when bridges may share cells? Necessary for checkmate, not enough."""
    cdef bits_t reached = own & (b.edge[player][0] | edge_bridges(b, player, 0, empty)), grown
    cdef bits_t goal = own & (b.edge[player][1] | edge_bridges(b, player, 1, empty))
    while not reached & goal:
        grown = reached | ((neighbours(b, reached) | bridges(b, reached, empty)) & own)
        if grown == reached:
            return False
        reached = grown
    return True


cdef bint extend(const Board* b, int player, bits_t own, bits_t empty, bits_t group, bits_t visited, bits_t used, bits_t* carrier) noexcept nogil:
    """Depth-first over chains edge - group - ... - `group` whose bridges use the cells `used`: can one be led to the second edge with
    pairwise disjoint carriers? A chain that visits a group twice can be cut short, so visited groups are left out."""
    cdef bits_t free = empty & ~used, targets, second, cells, target
    cdef int d, y
    if group & b.edge[player][1]:
        carrier[0] = used
        return True
    second = group & edge_bridges(b, player, 1, free)
    if second:
        carrier[0] = used | edge_bridge_cells(b, player, 1, second & (~second + 1))
        return True
    for d in range(6):
        targets = (step(b, (d + 1) % 6, step(b, d, group) & free) & step(b, d, step(b, (d + 1) % 6, group) & free)) & own & ~visited
        while targets:
            y = lowest(targets)
            targets &= targets - 1
            cells = b.via[y][(d + 3) % 6]
            target = flood(b, bit(y), own)
            if extend(b, player, own, empty, target, visited | target, used | cells, carrier):
                return True
    return False


cdef bint checkmate(const Board* b, int player, bits_t own, bits_t empty, bits_t* carrier) noexcept nogil:
    cdef bits_t starts = own & b.edge[player][0], group, touching = 0
    if not linked(b, player, own, empty):
        return False
    while starts:
        group = flood(b, starts & (~starts + 1), own)
        starts &= ~group
        touching |= group
        if extend(b, player, own, empty, group, group, 0, carrier):
            return True
    # A group on the edge itself needs no bridge to it, so only the others start with one (each stone's bridge is its own chain).
    starts = own & edge_bridges(b, player, 0, empty) & ~touching
    while starts:
        group = flood(b, starts & (~starts + 1), own)
        if extend(b, player, own, empty, group, group, edge_bridge_cells(b, player, 0, starts & (~starts + 1)), carrier):
            return True
        starts &= starts - 1
    return False
