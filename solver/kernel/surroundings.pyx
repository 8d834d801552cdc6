# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from libc.string cimport memset
from solver.kernel.geometry cimport BLACK, Board, bits_t, int8_t, lowest, edge_bridges
from solver.kernel.ordering cimport path_lengths, FAR


FEATURES = {"paths": PATHS, "ring": RING, "tips": TIPS, "sector": SECTOR, "place": PLACE, "end": ALL_FEATURES}


cdef inline void set_steps(int* step, int s) noexcept nogil:
    step[0], step[1], step[2], step[3], step[4], step[5], step[6] = 0, 1, s, s - 1, -1, -s, 1 - s
    step[7], step[8], step[9], step[10], step[11], step[12] = s + 1, 2 * s - 1, s - 2, -s - 1, 1 - 2 * s, 2 - s


cdef void set_state(View* v, const bits_t* stones) noexcept nogil:
    cdef int rows = v.board.rows, columns = v.board.columns, row, side
    cdef bits_t cells
    if v.to_move != BLACK:
        rows, columns = columns, rows
    v.stride = columns + 4
    set_steps(v.step, v.stride)
    memset(v.state, 1, v.stride * (rows + 4))
    for row in range(2, rows + 2):
        memset(v.state + row * v.stride, 2, v.stride)
        memset(v.state + row * v.stride + 2, 0, columns)
    for side in range(2):
        cells = stones[side]
        while cells:
            v.state[place(v, lowest(cells))] = 1 if side == v.to_move else 2
            cells &= cells - 1


cdef void view(View* v, const Board* b, const bits_t* stones, int to_move, int last, bits_t moves, const bits_t* reach) noexcept nogil:
    cdef bits_t empty = b.full & ~(stones[0] | stones[1])
    cdef int8_t length[2][64]
    cdef int p, who, end, x
    v.board, v.to_move, v.last = b, to_move, last
    set_state(v, stones)
    for p in range(2):
        who = p != to_move
        for end in range(2):
            v.reach[who][end] = reach[2 * p + end]
            path_lengths(b, stones[p], empty, b.edge[p][end] | edge_bridges(b, p, end, empty) | v.reach[who][end], length[end])
        for x in range(b.cells):
            v.path[who][x] = length[0][x] + length[1][x]
        v.shortest[who] = 2 * FAR
    while moves:
        x = lowest(moves)
        moves &= moves - 1
        v.shortest[0] = min(v.shortest[0], v.path[0][x])
        v.shortest[1] = min(v.shortest[1], v.path[1][x])


cdef void features(const View* v, int move, short* list) noexcept nogil:
    cdef int d, ring = 0, tips = 0, near, tip
    cdef const int8_t* here = v.state + place(v, move)
    for d in range(6):
        near, tip = here[v.step[1 + d]], here[v.step[7 + d]]
        ring = 3 * ring + near
        tips = 3 * tips + tip
        list[d] = SECTOR + 27 * (d % 3) + 9 * tip + 3 * near + here[v.step[2 + d if d < 5 else 1]]
    list[6] = RING + ring
    list[7] = TIPS + tips
    list[8] = PATHS + 4 * longer(v, 0, move) + longer(v, 1, move)
    list[9] = PLACE + distances(v, move)
