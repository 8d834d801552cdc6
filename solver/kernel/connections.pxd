"""Virtual connections to the edges by AND/OR deduction (H-search, Anshelevich 2000, "Deduction of virtual connections").

Connections between a point (an empty cell, or a group of stones, named by its lowest cell) and one edge of its owner:
  full(x): the owner, sitting on x, reaches the edge even if the opponent moves first;
  semi(x): the owner, sitting on x, reaches the edge if it moves first.
A carrier holds the empty cells needed (x itself left out) and the owner's stones used: two carriers are disjoint if they share no
empty cell. Points are linked to each other only by contact and by two-bridges; everything else grows from the edge.
"""
from solver.kernel.geometry cimport Board, bits_t, uint8_t

cdef enum:
    FULL_CAP = 5           # full carriers kept for a point, smallest first to stay
    SEMI_CAP = 10          # semi carriers kept for a point
    OR_DEPTH = 4           # most semi carriers joined by one OR
    QUEUE = 4096
    THREATS = 2048

cdef struct Links:                 # of one player to one edge
    bits_t full[64][FULL_CAP]
    bits_t semi[64][SEMI_CAP]
    bits_t meet[64]                # intersection of the semi carriers ever added
    uint8_t n_full[64]
    uint8_t n_semi[64]

cdef struct Deduction:             # workspace of one search; holds the last position evaluated
    const Board* board
    bits_t stones[2]
    bits_t empty
    bits_t group[64]               # stones of the group named by this cell
    uint8_t name[64]               # name of the group of a stone
    Links links[2][2]              # [player][end]
    bits_t threats[THREATS]        # weak edge-to-edge connections of the player deduced last, their keys included
    int n_threats
    bits_t solid                   # its smallest strong edge-to-edge connection
    uint8_t queue_point[QUEUE]
    bits_t queue_carrier[QUEUE]
    bits_t prefix[SEMI_CAP]

cdef enum:
    UNDECIDED = 0
    MOVER_WINS = 1
    MOVER_LOSES = 2

# Deduces both players' connections of a position. Decided: *carrier holds what the winner needs (empty cells and own stones). Undecided:
# every move outside *must loses, and *used is what the opponent needs to punish it: *must is the intersection, *used the union of its threats.
cdef int evaluate(Deduction* h, const bits_t* stones, int to_move, bits_t* carrier, bits_t* must, bits_t* used) noexcept nogil

# The cells of a player's points that have some full connection to that edge, after evaluate().
cdef bits_t reach(const Deduction* h, int player, int end) noexcept nogil

# Only one player's connections: STRONG (it wins even if the opponent moves), WEAK (it wins if it moves; *region holds the moves of the
# opponent that may stop it) or NONE (*region is all empty cells).
cdef enum:
    NONE = 0
    WEAK = 1
    STRONG = 2

cdef int threaten(Deduction* h, const bits_t* stones, int player, bits_t* region) noexcept nogil
