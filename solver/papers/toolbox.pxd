"""The search toolbox of OCTI on Hex (Roijakkers 2005, chapters 4 and 6): alpha-beta of a fixed depth, and what may be added to it."""
from solver.kernel.geometry cimport bits_t, uint64_t, uint8_t, int8_t

cdef enum:
    MATE = 1000000             # value of a checkmate on an empty board; each stone on it takes one away
    DEPTHS = 65

cdef enum Replacement:         # which of two positions stays in the table (4.6; Breuker, Uiterwijk and Van den Herik 1994)
    DEEP = 0                   # the one searched deeper, the newer of two equals: the scheme of the thesis
    NEW = 1                    # the newer one
    OLD = 2                    # the older one
    BIG = 3                    # the one with more nodes below it
    TWO_DEEP = 4               # two places: the deeper one in the first, the other in the second
    TWO_BIG = 5

cdef enum Bound:
    EXACT = 0
    LOWER = 1
    UPPER = 2

cdef struct Entry:
    uint64_t key               # the whole key; the position itself is kept only to count confusions, and to avoid them if asked to
    bits_t stones[2]
    uint64_t below             # nodes of its search
    int value                  # for the side to move
    int depth                  # plies of its search
    int8_t move
    uint8_t side
    uint8_t bound
    bint taken

cdef struct Tools:
    bint pvs                   # a window of no width for all moves but the first
    int aspiration             # each iteration begins with a window so far around the last value; 0 for a full one
    int null_move              # R: a pass and a search of R plies less may refute a position; 0 for none
    bint killer                # the last move of this depth that cut off is tried first
    int history                # added for a best move: 0 nothing, 1 one, 2 d, 3 d * d, 4 2 to the d
    bint exact                 # what the table is used for: exact values,
    bint bounds                # bounds that cut off,
    bint order                 # and the move that is tried first
    int replacement
    bint checks                # positions are compared, not only their keys
