# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from libc.string cimport memset
from solver.kernel.geometry cimport BLACK, bits_t, int8_t, lowest, neighbours
from solver.kernel.surroundings cimport View, distances, joined, longer, place

cdef extern from *:
    """
    /* In C for restrict, without which the compiler makes no vector code of these loops. Sums stay below 2^31: of the weights of one sum
       the magnitudes add up to less than 2^19, and no value is above 4095. */
    #include "network.h"

    static inline int hexbook_clip(int value) {
        return value < 0 ? 0 : value > 4095 ? 4095 : value;
    }

    static inline void hexbook_embed(const short *restrict inputs, int count, short *restrict out) {
        short sum[WIDTH] = {0};
        for (int i = 0; i < count; i++)
            for (int c = 0; c < WIDTH; c++)
                sum[c] += INPUT[inputs[i]][c];
        for (int c = 0; c < WIDTH; c++)
            out[c] = hexbook_clip(sum[c]);
    }

    static inline void hexbook_convolve(const short *restrict in, int layer, const short *restrict own, short *restrict out) {
        for (int c = 0; c < WIDTH; c++) {
            const short *restrict weights = LAYER[layer][c];
            int sum = BIAS[layer][c];
            for (int i = 0; i < 7 * WIDTH; i++)
                sum += in[i] * weights[i];
            out[c] = hexbook_clip((sum >> 10) + own[c]);
        }
    }

    static inline int hexbook_output(const short *restrict in) {
        int sum = 0;
        for (int c = 0; c < WIDTH; c++)
            sum += in[c] * OUTPUT[c];
        return sum >> 10;
    }
    """
    enum: WIDTH
    const short INPUT[ALL_INPUTS][WIDTH]
    const short LAYER[2][WIDTH][7 * WIDTH]
    const int BIAS[2][WIDTH]
    const short OUTPUT[WIDTH]
    void hexbook_embed(const short* inputs, int count, short* out) noexcept nogil
    void hexbook_convolve(const short* src, int layer, const short* own, short* out) noexcept nogil
    int hexbook_output(const short* src) noexcept nogil

SCALE = 256
INPUTS = {"around": AROUND, "path": PATH, "place": PLACE, "last": LAST, "given": GIVEN, "end": ALL_INPUTS}


def network():
    """The weights: of the inputs, the layers, their biases and the output."""
    return {
        "INPUT": [[INPUT[i][c] for c in range(WIDTH)] for i in range(ALL_INPUTS)],
        "LAYER": [[[LAYER[i][c][j] for j in range(7 * WIDTH)] for c in range(WIDTH)] for i in range(2)],
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


cdef inline void gather(const View* v, short[WIDTH]* layer, int at, short* src) noexcept nogil:
    cdef int d, c
    for d in range(7):
        for c in range(WIDTH):
            src[d * WIDTH + c] = layer[at + v.step[d]][c]


cdef void promises(const View* v, bits_t moves, const int* gives, int* found) noexcept nogil:
    cdef short first[340][WIDTH]           # laid out as the View's states, 0 beside the board
    cdef short second[340][WIDTH]
    cdef short third[WIDTH]
    cdef short src[7 * WIDTH]
    cdef short list[INPUTS_OF_CELL]
    cdef int x, at, size = v.stride * ((v.board.rows if v.to_move == BLACK else v.board.columns) + 4)
    cdef bits_t cells = moves | neighbours(v.board, moves)
    memset(first, 0, size * sizeof(first[0]))
    memset(second, 0, size * sizeof(second[0]))
    for x in range(v.board.cells):
        cell_inputs(v, x, gives[x] if moves >> x & 1 else NO_MOVE, list)
        hexbook_embed(list, INPUTS_OF_CELL, first[place(v, x)])
    while cells:
        at = place(v, lowest(cells))
        cells &= cells - 1
        gather(v, first, at, src)
        hexbook_convolve(src, 0, first[at], second[at])
    while moves:
        x = lowest(moves)
        moves &= moves - 1
        at = place(v, x)
        gather(v, second, at, src)
        hexbook_convolve(src, 1, second[at], third)
        found[x] = hexbook_output(third)
