"""Distances for the bounded search, seen with the attacker as Black (first row to last): layers of cells by the stones still needed.

A path joins the attacker's edges by contact and by two-bridges, which are free in the checkmate metric and absent in the connection
metric. Its cost is the number of stones missing on it. Bridges of a path may share cells, so costs are lower bounds on the stones needed.
"""
from solver.kernel.geometry cimport Board, bits_t

cdef enum:
    MOST = 34          # layers kept: the attacker places at most 32 stones on 64 cells

cdef struct Paths:                 # a position for one player, ready for floods
    const Board* board
    bits_t own
    bits_t empty
    bits_t open[6]                 # cells whose bridge in that direction has both its cells empty
    bits_t first                   # cells next to the first edge by contact or bridge
    bits_t last

# player: whose edges; bridges: whether two-bridges are free
cdef void paths_init(Paths* p, const Board* b, int player, bits_t own, bits_t empty, bint bridges) noexcept nogil

# layer[d]: own stones and empty cells reached from `start` at cost <= d, for 0 <= d <= k. Returns the least cost to reach `goal`, or k + 1.
cdef int layers(const Paths* p, bits_t start, bits_t goal, int k, bits_t* layer) noexcept nogil

# The cells that can matter to "within k stones": from = layers from the first edge, to = layers from the last edge.
#   *moves: empty cells on a path of cost <= k; *stones: own stones on one; *cells: moves and the cells of bridges on one.
cdef void zone(const Paths* p, const bits_t* to_first, const bits_t* to_last, int k, bits_t* moves, bits_t* stones, bits_t* cells) noexcept nogil
