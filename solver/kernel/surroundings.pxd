"""A position as the side to move sees it, and what is around a move: local patterns of cells, as for the prediction of moves (Coulom 2007,
Computing "Elo ratings" of move patterns in the game of Go), and shortest paths.

`outlook.pxd` orders moves by these features, `promise.pxd` by the View itself.
"""
from solver.kernel.geometry cimport BLACK, Board, bits_t, int8_t

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

cdef inline int place(const View* v, int cell) noexcept nogil:
    """Where the state of a cell is in the View."""
    cdef int row = cell // v.board.columns, column = cell % v.board.columns
    return (row + 2) * v.stride + column + 2 if v.to_move == BLACK else (column + 2) * v.stride + row + 2

cdef inline int longer(const View* v, int who, int cell) noexcept nogil:
    """By how many stones, up to 3, the best path through a cell is longer than the shortest through any move, for the mover (0) or the other."""
    return max(0, min(v.path[who][cell] - v.shortest[who], 3))

cdef inline int joined(const View* v, int who, int cell) noexcept nogil:
    """To how many edges that side has a deduced connection from a cell."""
    return ((v.reach[who][0] >> cell) & 1) + ((v.reach[who][1] >> cell) & 1)

cdef inline int distances(const View* v, int cell) noexcept nogil:
    """The distances of a cell from the edges as in PLACE."""
    cdef int at = place(v, cell), row = at // v.stride, column = at % v.stride
    cdef int rows = v.board.rows if v.to_move == BLACK else v.board.columns
    return 4 * min(row - 2, rows + 1 - row, 3) + min(column - 2, v.stride - 3 - column, 3)
