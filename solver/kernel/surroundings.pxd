"""A position as the side to move sees it, and what is around a move: local patterns of cells, as for the prediction of moves (Coulom 2007,
Computing "Elo ratings" of move patterns in the game of Go), and shortest paths.

`outlook.pxd` orders moves by these features, `promise.pxd` by the View itself.
"""
from solver.kernel.geometry cimport Board, bits_t, int8_t

cdef enum:                         # where each group of features begins
    PATHS = 0                      # how many stones the best path of the mover, and of the other side, through the move is longer than the
                                   # shortest through any move, up to 3
    RING = PATHS + 16              # the states of the six neighbours
    TIPS = RING + 729              # the states of the six cells a two-bridge away
    SECTOR = TIPS + 729            # of each bridge in three directions or their opposites: the states of the target and the cells between
    PLACE = SECTOR + 81            # distances from the edges of either side, up to 3
    ALL_FEATURES = PLACE + 16
    FEATURES_OF_MOVE = 10

cdef struct View:                  # a position as the side to move sees it, which joins the first row to the last
    const Board* board
    int to_move
    int last                       # the other side's last move, 64: none
    int stride
    int step[13]                   # from a state to itself, to its six neighbours in turn, to the six a two-bridge away in the same turn
    int8_t state[340]              # rows of cells with a margin of two: 0 empty, 1 the mover's stone or edge, 2 the other's
    int8_t path[2][64]             # [0: the mover, 1: the other]: stones on the best path through a cell
    int shortest[2]                # of all moves
    bits_t reach[2][2]             # [0, 1][end]: points with a deduced connection to that edge

# reach: two masks of Black, then two of White.
cdef void view(View* v, const Board* b, const bits_t* stones, int to_move, int last, bits_t moves, const bits_t* reach) noexcept nogil

cdef void features(const View* v, int move, short* list) noexcept nogil

# Of a cell: where its state is in the View; by how many stones, up to 3, the best path through it is longer than the shortest through any
# move, for the mover (who 0) or the other side; to how many edges that side has a deduced connection from there; its distances from the
# edges as in PLACE.
cdef int place(const View* v, int cell) noexcept nogil
cdef int longer(const View* v, int who, int cell) noexcept nogil
cdef int joined(const View* v, int who, int cell) noexcept nogil
cdef int distances(const View* v, int cell) noexcept nogil
