"""How likely a move is to decide a bounded question: the attacker's to prove it, the defender's to refute it.

A linear model of the move's surroundings, one set of weights for each side. Added are what
the bound leaves to spare, two-distances, and, of moves that deduction has looked at, how many replies can stop what they threaten.
`solver.learning` fits the weights, in weights.h. They are for the order of moves alone: no answer depends on them.
"""
from solver.kernel.geometry cimport Board, bits_t
from solver.kernel.surroundings cimport ALL_FEATURES, FEATURES_OF_MOVE, View

cdef enum:                         # where each further group of features begins
    SPARE = ALL_FEATURES           # stones that the attacker's best path through the move costs more than the shortest, stones that the
                                   # bound leaves beyond that path, and beyond the shortest, up to 3 each
    POTENTIAL = SPARE + 64         # how much greater the attacker's potential of the cell is than the least of any move, up to 15
    RESISTANCE = POTENTIAL + 16    # the same of the defender's potential
    PRESSURE = RESISTANCE + 16     # moves of the other side left by the mover's threats, up to 31
    ALL_OUTLOOK = PRESSURE + 32
    MOST_OUTLOOK = FEATURES_OF_MOVE + 4

cdef struct Outlook:               # a position of the bounded search, attacker as Black
    View view
    int k                          # the attacker's stones
    int least                      # stones on its shortest path
    const bits_t* above            # its layers from either edge, up to k
    const bits_t* below
    int potential[2][64]
    int least_potential[2]

cdef void look_out(Outlook* o, const Board* b, int side, bits_t own, bits_t empty, bits_t moves, int k, int least, const bits_t* above,
                   const bits_t* below) noexcept nogil

# The features of a move, all but PRESSURE; returns their number.
cdef int outlook_features(const Outlook* o, int move, short* list) noexcept nogil

# The sum of their weights, in natural logarithms times SCALE (`solver.kernel.surroundings`).
cdef int outlook(const Outlook* o, int move) noexcept nogil

# The feature of a move whose threats so many replies can stop, and what is to be added to its outlook then.
cdef inline int pressure_feature(int replies) noexcept nogil:
    return PRESSURE + min(replies, 31)

cdef int pressure(int side, int replies) noexcept nogil
