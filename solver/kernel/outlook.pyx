# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from solver.kernel.geometry cimport BLACK, WHITE, Board, bits_t, bit, lowest
from solver.kernel.surroundings cimport view, features
from solver.kernel.two_distance cimport cell_potentials


cdef extern from "weights.h":
    const short LEARNED "OUTLOOK"[2][ALL_OUTLOOK]

OUTLOOK_FEATURES = {"spare": SPARE, "potential": POTENTIAL, "resistance": RESISTANCE, "pressure": PRESSURE, "end": ALL_OUTLOOK}
OUTLOOK_WEIGHTS = tuple([tuple([LEARNED[_side][_i] for _i in range(ALL_OUTLOOK)]) for _side in range(2)])


cdef void look_out(Outlook* o, const Board* b, int side, bits_t own, bits_t empty, bits_t moves, int k, int least, const bits_t* above,
                   const bits_t* below) noexcept nogil:
    cdef bits_t[2] stones = [own, b.full & ~(own | empty)]
    cdef bits_t[4] nothing = [0, 0, 0, 0]
    cdef bits_t rest
    cdef int p
    o.k, o.least, o.above, o.below = k, least, above, below
    view(&o.view, b, stones, side, 64, moves, nothing)
    for p in range(2):
        cell_potentials(b, p, stones[p], empty, NULL, o.potential[p])
        rest = moves
        o.least_potential[p] = 1 << 20
        while rest:
            o.least_potential[p] = min(o.least_potential[p], o.potential[p][lowest(rest)])
            rest &= rest - 1


cdef inline int layer_of(const bits_t* layer, int k, bits_t cell) noexcept nogil:
    cdef int d = 1
    while d < k and not layer[d] & cell:
        d += 1
    return d


cdef int outlook_features(const Outlook* o, int move, short* list) noexcept nogil:
    cdef int n = FEATURES_OF_MOVE
    cdef int path = layer_of(o.above, o.k + 1, bit(move)) + layer_of(o.below, o.k + 1, bit(move)) - 1
    features(&o.view, move, list)
    list[n] = SPARE + 16 * min(path - o.least, 3) + 4 * max(min(o.k - path, 3), 0) + min(o.k - o.least, 3)
    list[n + 1] = POTENTIAL + min(o.potential[BLACK][move] - o.least_potential[BLACK], 15)
    list[n + 2] = RESISTANCE + min(o.potential[WHITE][move] - o.least_potential[WHITE], 15)
    return n + 3


cdef int outlook(const Outlook* o, int move) noexcept nogil:
    cdef short list[MOST_OUTLOOK]
    cdef int i, total = 0
    for i in range(outlook_features(o, move, list)):
        total += LEARNED[o.view.to_move][list[i]]
    return total


cdef int pressure(int side, int replies) noexcept nogil:
    return LEARNED[side][pressure_feature(replies)]
