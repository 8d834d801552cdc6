# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from solver.kernel.geometry cimport Board, bits_t, uint8_t, flood, lowest, neighbours


cdef void neighbourhoods(const Board* b, int player, bits_t own, bits_t empty, bits_t* anchored, bits_t* near, bits_t* edge) noexcept nogil:
    cdef bits_t cells = empty, groups = own, group, side
    cdef int cell, end
    while cells:
        cell = lowest(cells)
        cells &= cells - 1
        near[cell] = b.near[cell] & empty
    for end in range(2):
        side = b.edge[player][end]
        group = flood(b, own & side, own)
        if anchored != NULL:
            group = flood(b, group | anchored[end], own)
        groups &= ~group
        edge[end] = (side | neighbours(b, group)) & empty
        join(near, edge[end])
    while groups:
        group = flood(b, groups & (~groups + 1), own)
        groups &= ~group
        join(near, neighbours(b, group) & empty)


cdef inline void join(bits_t* near, bits_t clique) noexcept nogil:
    """All cells of the clique become neighbours of each other."""
    cdef bits_t cells = clique
    while cells:
        near[lowest(cells)] |= clique & ~(cells & (~cells + 1))
        cells &= cells - 1


cdef void two_distances(const bits_t* near, bits_t edge, bits_t empty, uint8_t* distance) noexcept nogil:
    cdef bits_t left = empty & ~edge, layer = edge
    cdef bits_t once = 0, twice = 0            # cells with so many neighbours, or more, reached so far
    cdef int cell, k = 1
    while layer:
        while layer:
            cell = lowest(layer)
            layer &= layer - 1
            distance[cell] = k
            twice |= once & near[cell]
            once |= near[cell]
        layer = left & twice
        left &= ~layer
        k += 1
    while left:
        distance[lowest(left)] = NEVER
        left &= left - 1


cdef void cell_potentials(const Board* b, int player, bits_t own, bits_t empty, bits_t* anchored, int* potential) noexcept nogil:
    cdef bits_t near[64]
    cdef bits_t edge[2]
    cdef uint8_t distance[2][64]
    cdef bits_t cells = empty
    cdef int cell, total
    neighbourhoods(b, player, own, empty, anchored, near, edge)
    two_distances(near, edge[0], empty, distance[0])
    two_distances(near, edge[1], empty, distance[1])
    while cells:
        cell = lowest(cells)
        cells &= cells - 1
        total = distance[0][cell] + distance[1][cell]
        potential[cell] = total if total < NEVER else 2 * NEVER
