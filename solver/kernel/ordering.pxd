"""Move ordering: bridge-path lengths of both sides (van Rijswijck 2000, section 5.2, with bridges as steps)."""
from solver.kernel.geometry cimport Board, bits_t, int8_t

cdef enum:
    FAR = 12           # length given to cells that no path reaches

# length[x], for every empty cell x: the fewest stones, x included, that join x to the edge when contact and two-bridges are free steps,
# own stones cost nothing, and the cells and stones of `base` count as joined already.
cdef void path_lengths(const Board* b, bits_t own, bits_t empty, bits_t base, int8_t* length) noexcept nogil
