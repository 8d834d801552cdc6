"""A position as the side to move sees it, and what is around a move: local patterns of cells, as for the prediction of moves (Coulom 2007,
Computing "Elo ratings" of move patterns in the game of Go), with shortest paths, deduced connections and dead or captured cells.

`promise.pxd` and `outlook.pxd` order moves by it.
"""
from solver.kernel.geometry cimport Board, bits_t, int8_t

cdef enum:                         # where each group of features begins
    PATHS = 0                      # how many stones the best path of the mover, and of the other side, through the move is longer than the
                                   # shortest through any move, up to 3; to how many edges either side has a deduced connection from there
    RING = PATHS + 144             # the states of the six neighbours
    TIPS = RING + 729              # the states of the six cells a two-bridge away
    SECTOR = TIPS + 729            # of each bridge in three directions or their opposites: the states of the target and the cells between
    FROM_LAST = SECTOR + 81        # rows and columns from the last move, up to 3 each; at last one for all that are farther away
    PLACE = FROM_LAST + 50         # distances from the edges of either side, up to 3
    FILLED = PLACE + 16            # mover, and how many more cells fill() gives to the mover and to the other side, up to 4 each
    ALL_FEATURES = FILLED + 50
    MOST_FEATURES = 12             # of one move

cdef struct View:                  # a position as the side to move sees it, which joins the first row to the last
    const Board* board
    int to_move
    int last                       # the other side's last move, 64: none
    int stride
    int8_t state[340]              # rows of cells with a margin of two: 0 empty, 1 the mover's stone or edge, 2 the other's
    int8_t path[2][64]             # [0: the mover, 1: the other]: stones on the best path through a cell
    int shortest[2]                # of all moves
    bits_t reach[2][2]             # [0, 1][end]: points with a deduced connection to that edge

# reach: two masks of Black, then two of White.
cdef void view(View* v, const Board* b, const bits_t* stones, int to_move, int last, bits_t moves, const bits_t* reach) noexcept nogil

# The features of a move after which fill() gives so many cells to the mover and to the other side; returns their number.
cdef int features(const View* v, int move, int filled_mine, int filled_theirs, short* list) noexcept nogil

# Of a cell: where its state is in the View; by how many stones, up to 3, the best path through it is longer than the shortest through any
# move, for the mover (who 0) or the other side; to how many edges that side has a deduced connection from there.
cdef int place(const View* v, int cell) noexcept nogil
cdef int longer(const View* v, int who, int cell) noexcept nogil
cdef int joined(const View* v, int who, int cell) noexcept nogil
