# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from solver.kernel.geometry cimport Board, bits_t, lowest, neighbours, bridges


cdef inline bits_t steps(const Board* b, bits_t x, bits_t empty) noexcept nogil:
    return neighbours(b, x) | bridges(b, x, empty)


cdef void path_lengths(const Board* b, bits_t own, bits_t empty, bits_t base, int8_t* length) noexcept nogil:
    cdef bits_t reached = base & own, grown, layer, cells
    cdef int i, stones = 1
    for i in range(b.cells):
        length[i] = FAR
    while True:
        grown = reached | (steps(b, reached, empty) & own)
        if grown == reached:
            break
        reached = grown
    layer = (base | steps(b, reached, empty)) & empty
    while layer:
        cells = layer
        while cells:
            length[lowest(cells)] = stones
            cells &= cells - 1
        reached |= layer
        grown = steps(b, layer, empty)
        layer = grown & own & ~reached
        while layer:
            reached |= layer
            layer = steps(b, layer, empty)
            grown |= layer
            layer &= own & ~reached
        layer = grown & empty & ~reached
        stones += 1
