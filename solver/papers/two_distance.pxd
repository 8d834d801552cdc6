"""Queenbee's potentials and evaluation, from two-distances (van Rijswijck 2000, chapter 5; `solver.kernel.two_distance`)."""
from solver.kernel.geometry cimport Board, bits_t, uint8_t

cdef enum:
    FULL_WEIGHT = 100      # M of the evaluation (5.2)

cdef struct Potentials:                # of both players
    int cell[2][64]                    # [player][cell]: the sum of the two-distances to both edges; of empty cells only
    int board[2]                       # the lowest of them; 2 * NEVER if there is none
    int mobility[2]                    # the number of cells that have it (attack mobility)

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
