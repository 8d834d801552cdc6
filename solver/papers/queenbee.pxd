"""Queenbee's search (van Rijswijck 2000, chapter 6): iterative-deepening PVS with a transposition table, and everything that was tried on
top of it.

There is one mechanism for all of it, SEX search: a move costs the weight of its category, and a line is followed until its budget is
spent. Weights of one ply (UNIT) make it a search of fixed depth. The positions that are evaluated always have the same side to move
(7.3): the opponent of the side that searches, so that its own move is the last of every line ("aggressive"; "defensive" is the other way
round, 6.5). The side to move at the ends only makes moves that the budget can pay for; the other side makes any.
"""
from solver.kernel.geometry cimport bits_t, int8_t, uint8_t, uint32_t, uint64_t

cdef enum:
    UNIT = 10              # one ply, in the unit of weights and budgets
    LEAST_CATEGORY = -4    # categories are cut off at both ends
    CATEGORIES = 13        # -4 .. 8
    MATE = 1000000         # value of a checkmate on an empty board; each stone on it takes one away

cdef enum Taper:
    NO_TAPER = 0
    NARROWING = 1          # the beam is D - d moves wide, D the depth of the iteration, d the distance to the root (6.1)
    CLASSES = 2            # badness at most h / d, h the plies left below (7.1)
    CLASSES_PRINTED = 3    # badness at most d / h, as 7.1 prints it

cdef enum PreEvaluator:
    PLAIN = 0
    GHOSTS = 1
    EXTENSION = 2

cdef struct Style:
    int weight[CATEGORIES] # of the categories -4 and less, -3, ..., 7, 8 and more
    int width              # moves tried in a position, in the order of badness; 64 for all
    int taper
    int before             # the pre-evaluator at the leaves
    int step               # budget added by each iteration
    int null_move          # plies by which the search after a pass is reduced; 0 for no such search
    int threshold          # forward pruning: positions with an evaluation this good for the mover are not searched
    int tolerance          # moves of a higher badness are not tried (7.2)
    bint tension           # categories by tension instead of badness
    bint two_budgets       # each side pays from its own
    bint balanced          # leaves are evaluated as the average with their parent
    bint prunes_reversible # reversible moves are left out (8.6)
    bint defensive         # lines end with a move of the opponent (6.5)

cdef struct Entry:         # of the transposition table, which always replaces
    bits_t stones[2]
    uint32_t age           # number of the search that wrote it
    int value              # as the side to move sees it
    short left[2]          # the budgets with which it was searched
    int8_t move            # the best one, or -1
    uint8_t side
    uint8_t bound

cdef enum Bound:
    EXACT = 0
    LOWER = 1
    UPPER = 2
