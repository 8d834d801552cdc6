"""The third-row edge pattern and Queenbee's two pre-evaluators made of it (van Rijswijck 2000, sections 4.2 and 6.4).

A stone on the third row is joined to the edge by two disjoint threats: one on the second-row cell next to it, one on the second-row cell
a two-bridge away, on the other side. Towards the last row (S the stone, 1 and 2 the cells of the two threats, the lower case ones their
two-bridges):

        S b             the stone's own row
       1 b 2            1 with a a, or 2 with the b above and b b
      a a b b           the edge
"""
from solver.kernel.geometry cimport Board, bits_t

cdef enum:
    PATTERNS = 64          # more than any edge has: two for each cell of its third row

cdef struct EdgePattern:
    bits_t stone
    bits_t carrier         # must be empty
    bits_t ghost           # the cell of threat 1: a second stone there would join the first to the edge by a two-bridge

cdef struct EdgePatterns:  # [player][end]
    EdgePattern pattern[2][2][PATTERNS]
    int count[2][2]

cdef void patterns_init(EdgePatterns* e, const Board* b) noexcept nogil

# Edge extension: the stones that some pattern joins to an edge, anchored[player][end].
cdef void extend_edges(const EdgePatterns* e, const Board* b, const bits_t* stones, bits_t (*anchored)[2]) noexcept nogil

# Ghost pieces: adds a stone for each pattern, those of `first` before the other player's, none into the carrier of another.
cdef void add_ghosts(const EdgePatterns* e, const Board* b, int first, bits_t* stones) noexcept nogil
