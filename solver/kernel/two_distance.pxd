"""Two-distances (van Rijswijck 2000, section 5.1): how near an empty cell is to an edge when the opponent may block the best way there.

Two empty cells are *neighbours* for a player if they touch, or if one group of its stones touches both; each of its edges counts as such
a group. The two-distance of a cell to an edge is 1 if the cell touches the edge, or a group joined to it; else one more than the second
lowest distance among its neighbours.

Black's two-distances to the last row of an empty 3x3 board:

    a b c
     4 4 3          c1: over c2 and b2, both 2. b1: b2 is 2, the second best is c1, a neighbour over the first edge.
      3 2 2         a2: a3 is 1, and the second best is b2.
       1 1 1
"""
from solver.kernel.geometry cimport Board, bits_t, uint8_t

cdef enum:
    NEVER = 100            # distance to an edge that cannot be reached; more than any other

# The player's neighbours of every empty cell, near[cell], and the empty cells that touch each edge or what is joined to it.
# Stones of `anchored[end]` count as joined to that edge (edge extension, 6.4); NULL: none.
cdef void neighbourhoods(const Board* b, int player, bits_t own, bits_t empty, bits_t* anchored, bits_t* near, bits_t* edge) noexcept nogil

# The two-distance of every empty cell to one edge.
cdef void two_distances(const bits_t* near, bits_t edge, bits_t empty, uint8_t* distance) noexcept nogil

# The player's potential of every empty cell: the sum of its two-distances to both edges, or 2 * NEVER if one is out of reach (5.2).
# `anchored` as above.
cdef void cell_potentials(const Board* b, int player, bits_t own, bits_t empty, bits_t* anchored, int* potential) noexcept nogil
