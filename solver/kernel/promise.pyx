# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from libc.string cimport memset
from solver.kernel.geometry cimport BLACK, bits_t, int8_t, lowest, neighbours
from solver.kernel.surroundings cimport View, distances, joined, longer, place

cdef extern from *:
    """
    #include "network.h"
    #include "convolution.h"

    static inline int weighted(const short *restrict in) {
        int sum = 0;
        for (int c = 0; c < WIDTH; c++)
            sum += in[c] * OUTPUT[c];
        return sum >> 10;
    }
    """
    enum: WIDTH
    enum: TOGETHER
    const short INPUT[ALL_INPUTS][WIDTH]
    const short LAYER[2][7 * WIDTH // 2][2 * WIDTH]
    const int BIAS[2][WIDTH]
    const short OUTPUT[WIDTH]
    void embed(const short* inputs, int count, short* out) noexcept nogil
    void convolve(short[WIDTH]* src, int layer, const int* at, const int* step, short[WIDTH]* out) noexcept nogil
    int weighted(const short* src) noexcept nogil

SCALE = 256
INPUTS = {"around": AROUND, "path": PATH, "place": PLACE, "last": LAST, "given": GIVEN, "end": ALL_INPUTS}


def network():
    """The weights: of the inputs, the layers, their biases and the output."""
    return {
        "INPUT": [[INPUT[i][c] for c in range(WIDTH)] for i in range(ALL_INPUTS)],
        "LAYER": [[[LAYER[i][j // 2][2 * c + j % 2] for j in range(7 * WIDTH)] for c in range(WIDTH)] for i in range(2)],
        "BIAS": [[BIAS[i][c] for c in range(WIDTH)] for i in range(2)],
        "OUTPUT": [OUTPUT[c] for c in range(WIDTH)],
    }


cdef void cell_inputs(const View* v, int cell, int given, short* list) noexcept nogil:
    cdef int s = v.stride, at = place(v, cell), d, last, rows, columns
    cdef const int8_t* here = v.state + at
    for d in range(13):
        list[d] = AROUND + 3 * d + here[v.step[d]]
    if here[0]:
        list[13] = PATH + 144
    else:
        list[13] = PATH + 36 * longer(v, 0, cell) + 9 * longer(v, 1, cell) + 3 * joined(v, 0, cell) + joined(v, 1, cell)
    list[14] = PLACE + distances(v, cell)
    list[15] = LAST + 50
    if v.last < 64:
        last = place(v, v.last)
        rows = at // s - last // s
        columns = at % s - last % s
        list[15] = LAST + (7 * (rows + 3) + columns + 3 if -3 <= rows <= 3 and -3 <= columns <= 3 else 49)
    list[16] = GIVEN + given


cdef inline void convolve_cells(const View* v, short[WIDTH]* src, int layer, bits_t cells, short[WIDTH]* out) noexcept nogil:
    """So many together; the first one once more for those that the last lot lacks."""
    cdef int at[64 + TOGETHER]
    cdef int n = 0, i
    while cells:
        at[n] = place(v, lowest(cells))
        cells &= cells - 1
        n += 1
    for i in range(TOGETHER - 1):
        at[n + i] = at[0]
    i = 0
    while i < n:
        convolve(src, layer, at + i, v.step, out)
        i += TOGETHER


cdef void promises(const View* v, bits_t moves, const int* gives, int* found) noexcept nogil:
    cdef short first[340][WIDTH]           # laid out as the View's states, 0 beside the board
    cdef short second[340][WIDTH]
    cdef short list[INPUTS_OF_CELL]
    cdef int x, size = v.stride * ((v.board.rows if v.to_move == BLACK else v.board.columns) + 4)
    memset(first, 0, size * sizeof(first[0]))
    memset(second, 0, size * sizeof(second[0]))
    for x in range(v.board.cells):
        cell_inputs(v, x, gives[x] if moves >> x & 1 else NO_MOVE, list)
        embed(list, INPUTS_OF_CELL, first[place(v, x)])
    convolve_cells(v, first, 0, moves | neighbours(v.board, moves), second)
    convolve_cells(v, second, 1, moves, first)
    while moves:
        x = lowest(moves)
        moves &= moves - 1
        found[x] = weighted(first[place(v, x)])
