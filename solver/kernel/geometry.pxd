"""A Hex board as masks on one 64-bit word.

Cell (row r, column c) is bit r*columns + c. A board of 4 columns and 3 rows, each row half a cell to the right of the one above:

     0   1   2   3              row 0 joins Black's first edge
       4   5   6   7
         8   9  10  11          row 2 joins Black's second edge; columns 0 and 3 join White's

The six directions, clockwise, and their neighbours of cell 5:

        4 NORTH (1)   5 NORTH-EAST (2)
      3 WEST (4)    5    0 EAST (6)
        2 SOUTH-WEST (8)   1 SOUTH (9)

Bridge d of a cell is its two-bridge between directions d and d+1: the target is the other common neighbour of these two cells.
On this board cell 1 reaches cell 8 by its bridge 1 (south, then south-west of 1: over the cells 5 and 4).
"""
from libc.stdint cimport uint64_t, uint32_t, uint16_t, int8_t, uint8_t

ctypedef uint64_t bits_t

cdef extern from *:
    int popcount "__builtin_popcountll" (bits_t x) noexcept nogil
    int lowest "__builtin_ctzll" (bits_t x) noexcept nogil

cdef enum:
    BLACK = 0          # joins the first row to the last
    WHITE = 1          # joins the first column to the last
    CELLS = 64         # most cells of a board

cdef struct Board:
    int columns
    int rows
    int cells
    int down           # shift of one row (1 on a single row, where the masks forbid it anyway)
    bits_t full        # all cells
    bits_t not_left    # cells that have a west neighbour
    bits_t not_right   # cells that have an east neighbour
    bits_t not_top     # cells that have a north neighbour
    bits_t not_bottom  # cells that have a south neighbour
    bits_t has_step[6]     # cells that have a neighbour in a direction
    int shift[3]           # to the left for a step in that direction (to the right in the one three further)
    bits_t edge[2][2]  # edge[player][end]: the cells on that edge
    bits_t near[64]    # neighbours of a cell
    int8_t bridge[64][6]   # target of bridge d, or -1
    bits_t via[64][6]      # the two cells between
    bits_t has_bridge[6]   # cells whose bridge d stays on the board
    int leap[3]            # shift to the left of bridge d (to the right for bridge d + 3)

cdef int board_init(Board* b, int columns, int rows) except -1

cdef inline bits_t bit(int cell) noexcept nogil:
    return <bits_t>1 << cell

# One step of all the stones of a mask.
cdef inline bits_t east(const Board* b, bits_t x) noexcept nogil:
    return (x & b.not_right) << 1
cdef inline bits_t west(const Board* b, bits_t x) noexcept nogil:
    return (x & b.not_left) >> 1
cdef inline bits_t south(const Board* b, bits_t x) noexcept nogil:
    return (x & b.not_bottom) << b.down
cdef inline bits_t north(const Board* b, bits_t x) noexcept nogil:
    return (x & b.not_top) >> b.down
cdef inline bits_t southwest(const Board* b, bits_t x) noexcept nogil:
    return (x & b.not_left & b.not_bottom) << (b.down - 1)
cdef inline bits_t northeast(const Board* b, bits_t x) noexcept nogil:
    return (x & b.not_right & b.not_top) >> (b.down - 1)

cdef inline bits_t step(const Board* b, int direction, bits_t x) noexcept nogil:
    x &= b.has_step[direction]
    return x << b.shift[direction] if direction < 3 else x >> b.shift[direction - 3]

cdef inline void open_bridges(const Board* b, bits_t empty, bits_t* cells) noexcept nogil:
    """cells[d]: those whose bridge d is on the board and leads over two empty cells."""
    cdef bits_t beside[6]          # cells with an empty neighbour in a direction
    cdef int d
    for d in range(6):
        beside[d] = step(b, (d + 3) % 6, empty)
    for d in range(6):
        cells[d] = beside[d] & beside[(d + 1) % 6] & b.has_bridge[d]

cdef inline bits_t unleap(const Board* b, int d, bits_t x) noexcept nogil:
    """The cells whose bridge d leads to x."""
    return (x >> b.leap[d] if d < 3 else x << b.leap[d - 3]) & b.has_bridge[d]

cdef inline bits_t neighbours(const Board* b, bits_t x) noexcept nogil:
    """All cells next to a cell of x (cells of x itself included where two of them touch)."""
    cdef bits_t l = x & b.not_left, r = x & b.not_right
    return ((r << 1) | (l >> 1) | ((x & b.not_bottom) << b.down) | ((x & b.not_top) >> b.down)
            | ((l & b.not_bottom) << (b.down - 1)) | ((r & b.not_top) >> (b.down - 1)))

cdef inline bits_t bridges(const Board* b, bits_t x, bits_t empty) noexcept nogil:
    """All cells one two-bridge over two empty cells away from a cell of x."""
    cdef bits_t e = east(b, x) & empty, s = south(b, x) & empty, sw = southwest(b, x) & empty
    cdef bits_t w = west(b, x) & empty, n = north(b, x) & empty, ne = northeast(b, x) & empty
    return ((south(b, e) & east(b, s)) | (southwest(b, s) & south(b, sw)) | (west(b, sw) & southwest(b, w))
            | (north(b, w) & west(b, n)) | (northeast(b, n) & north(b, ne)) | (east(b, ne) & northeast(b, e)))

cdef inline bits_t edge_bridges(const Board* b, int player, int end, bits_t empty) noexcept nogil:
    """The second-row cells whose two neighbours on that edge's row are both empty: one two-bridge away from the edge."""
    cdef bits_t row = b.edge[player][end] & empty
    if player == BLACK:
        if end == 0:
            return south(b, row) & southwest(b, row)
        return north(b, row) & northeast(b, row)
    if end == 0:
        return east(b, row) & northeast(b, row)
    return west(b, row) & southwest(b, row)

cdef inline bits_t edge_bridge_cells(const Board* b, int player, int end, bits_t x) noexcept nogil:
    """The two edge-row cells under the second-row cell x (the inverse of edge_bridges)."""
    if player == BLACK:
        return (north(b, x) | northeast(b, x)) if end == 0 else (south(b, x) | southwest(b, x))
    return (west(b, x) | southwest(b, x)) if end == 0 else (east(b, x) | northeast(b, x))

cdef inline bits_t flood(const Board* b, bits_t seed, bits_t within) noexcept nogil:
    """The cells of `within` joined to `seed` by contact (seed included)."""
    cdef bits_t grown
    while True:
        grown = seed | (neighbours(b, seed) & within)
        if grown == seed:
            return seed
        seed = grown

cdef bits_t rotate(const Board* b, bits_t x) noexcept nogil      # by 180 degrees
cdef bits_t reflect(const Board* b, bits_t x) noexcept nogil     # in the long diagonal: cells of b to cells of its transposed board
