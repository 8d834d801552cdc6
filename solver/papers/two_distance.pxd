"""Queenbee's two-distance, potentials and evaluation (van Rijswijck 2000, chapter 5).

Two empty cells are *neighbours* for a player if they touch, or if one group of its stones touches both; each of its edges counts as such
a group. The two-distance of a cell to an edge is 1 if the cell touches the edge, or a group joined to it; else one more than the second
lowest distance among its neighbours: the opponent may block the best way, so the second best counts (5.1).

Black's two-distances to the last row of an empty 3x3 board:

    a b c
     4 4 3          c1: over c2 and b2, both 2. b1: b2 is 2, the second best is c1, a neighbour over the first edge.
      3 2 2         a2: a3 is 1, and the second best is b2.
       1 1 1
"""
from solver.kernel.geometry cimport Board, bits_t, uint8_t

cdef enum:
    NEVER = 100            # distance to an edge that cannot be reached; more than any other
    FULL_WEIGHT = 100      # M of the evaluation (5.2)

cdef struct Potentials:                # of both players
    int cell[2][64]                    # [player][cell]: the sum of the two-distances to both edges; of empty cells only
    int board[2]                       # the lowest of them; 2 * NEVER if there is none
    int mobility[2]                    # the number of cells that have it (attack mobility)

# The player's neighbours of every empty cell, near[cell], and the empty cells that touch each edge or what is joined to it.
# Stones of `anchored[end]` count as joined to that edge (edge extension, 6.4); NULL: none.
cdef void neighbourhoods(const Board* b, int player, bits_t own, bits_t empty, bits_t* anchored, bits_t* near, bits_t* edge) noexcept nogil

# The two-distance of every empty cell to one edge.
cdef void two_distances(const bits_t* near, bits_t edge, bits_t empty, uint8_t* distance) noexcept nogil

# Both players' potentials; anchored[player][end] as above.
cdef void potentials(const Board* b, const bits_t* stones, bits_t (*anchored)[2], Potentials* p) noexcept nogil

# e = M (pB - pW) - (aB - aW): high is good for White (5.2).
cdef inline int evaluation(const Potentials* p) noexcept nogil:
    return FULL_WEIGHT * (p.board[0] - p.board[1]) - (p.mobility[0] - p.mobility[1])

# How much higher the total potential of each empty cell is than the lowest on the board (5.4).
cdef void badness(const Board* b, bits_t empty, const Potentials* p, int* bad) noexcept nogil

# The empty cells on which a stone of the player achieves nothing: its neighbourhood, edges included, is a clique but for at most one
# empty cell, where the opponent answers (8.6). All of them may be left out together, see queenbee.pyx.
cdef bits_t reversible_moves(const Board* b, int player, const bits_t* stones) noexcept nogil
