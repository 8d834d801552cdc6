# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A cell is dead if, however the empty cells are filled, its own stone is on no minimal winning path of either side: its ring of six
neighbours cannot be completed so that the colours alternate B..W..B..W around it. The stone on it never matters, so it can be given to
anyone (here to Black). A pair of adjacent empty cells is captured by P if a P stone on either kills the other: whenever the opponent
plays on one, P answers on the other and leaves a dead stone, so both can be given to P at once (Bjornsson, Hayward, Johanson,
van Rijswijck: Dead cell analysis in Hex and the Shannon game, 2007).

Sound for the winner only: a length may change, since a checkmate chain is a matter of geometry.
"""
from solver.kernel.geometry cimport BLACK, WHITE, Board, bits_t, step


cdef extern from *:
    """
    #include <stdint.h>
    /* In C for the vector type: four readings of the rings at once, each with one cell of the ring forbidden to one colour.
       Reading v: direction v forbidden to White for v < 6, direction v - 6 forbidden to Black for v < 12, nothing forbidden else. */
    typedef uint64_t quad __attribute__((vector_size(32)));
    #define ALLOWED(v, first, d) ((v) - (first) == (d) ? 0 : ~(uint64_t)0)
    #define ALLOWED4(v, first, d) (quad){ALLOWED(v, first, d), ALLOWED(v + 1, first, d), ALLOWED(v + 2, first, d), ALLOWED(v + 3, first, d)}
    static inline void alive4(const uint64_t *can_black, const uint64_t *can_white, const int v, uint64_t *alive)
    {
        quad b1 = {0}, b2 = {0}, b3 = {0}, b4 = {0}, w1 = {0}, w2 = {0}, w3 = {0}, w4 = {0};
        for (int d = 0; d < 6; d++) {
            const quad black = can_black[d] & ALLOWED4(v, 6, d), white = can_white[d] & ALLOWED4(v, 0, d);
            b4 |= b3 & white;
            b3 |= b2 & black;
            b2 |= b1 & white;
            b1 |= black;
            w4 |= w3 & black;
            w3 |= w2 & white;
            w2 |= w1 & black;
            w1 |= white;
        }
        b4 |= w4;
        for (int lane = 0; lane < 4; lane++)
            alive[v + lane] = b4[lane];
    }
    static inline void alive13(const uint64_t *can_black, const uint64_t *can_white, uint64_t *alive)
    {
        alive4(can_black, can_white, 0, alive);
        alive4(can_black, can_white, 4, alive);
        alive4(can_black, can_white, 8, alive);
        alive4(can_black, can_white, 12, alive);
    }
    """
    # Cells whose ring can alternate. can_black[d]: cells whose neighbour in direction d is or may become black (the same for white). Read
    # around from direction 0 the alternation starts with either colour; b1..b4 and w1..w4 count how much of it is matched. alive[12]
    # forbids nothing.
    void alive13(const bits_t* can_black, const bits_t* can_white, bits_t* alive) noexcept nogil


cdef inline void read_rings(const Board* b, const bits_t* stones, bits_t* alive) noexcept nogil:
    """Off the board the ring shows the edge's colour; the one corner between two edges (a1's and its image's side) may be either."""
    cdef bits_t can[2][6]
    cdef int d
    for d in range(6):
        can[BLACK][d] = b.full & ~step(b, (d + 3) % 6, stones[WHITE])
        can[WHITE][d] = b.full & ~step(b, (d + 3) % 6, stones[BLACK])
    can[BLACK][0] &= ~b.edge[WHITE][1]
    can[BLACK][2] &= ~(b.edge[WHITE][0] & ~b.edge[BLACK][1])
    can[BLACK][3] &= ~b.edge[WHITE][0]
    can[BLACK][5] &= ~(b.edge[WHITE][1] & ~b.edge[BLACK][0])
    can[WHITE][1] &= ~b.edge[BLACK][1]
    can[WHITE][2] &= ~b.edge[BLACK][1]
    can[WHITE][4] &= ~b.edge[BLACK][0]
    can[WHITE][5] &= ~b.edge[BLACK][0]
    alive13(can[BLACK], can[WHITE], alive)


cdef inline void find_killed(const Board* b, int player, bits_t empty, const bits_t* alive, bits_t* killed) noexcept nogil:
    """killed[d]: empty cells that are dead once the neighbour in direction d, empty too, is the player's."""
    cdef int d
    for d in range(6):
        killed[d] = empty & ~alive[6 * player + d] & step(b, (d + 3) % 6, empty)


cdef inline bits_t captured_by(const Board* b, int player, bits_t empty, const bits_t* alive) noexcept nogil:
    """Pairs of neighbours each of which is dead once the other is the player's. A stone of the player in direction d means: the ring cell
    there cannot be the other colour."""
    cdef bits_t captured = 0, pair
    cdef bits_t killed[6]
    cdef int d
    find_killed(b, player, empty, alive, killed)
    for d in range(3):
        pair = killed[d] & step(b, d + 3, killed[d + 3])
        captured |= pair | step(b, d, pair)
    return captured


cdef void fill(const Board* b, bits_t* stones, int first, int last) noexcept nogil:
    cdef bits_t empty, gain
    cdef bits_t alive[16]
    cdef int taker
    while True:
        empty = b.full & ~(stones[BLACK] | stones[WHITE])
        read_rings(b, stones, alive)
        taker, gain = first, empty & ~alive[12]
        if not gain:
            for taker in range(first, last + 1):
                gain = captured_by(b, taker, empty, alive)
                if gain:
                    break
        if not gain:
            return
        stones[taker] |= gain


cdef bits_t vulnerable(const Board* b, int player, const bits_t* stones) noexcept nogil:
    cdef bits_t empty = b.full & ~(stones[BLACK] | stones[WHITE]), cells = 0
    cdef bits_t alive[16]
    cdef bits_t killed[6]
    cdef int d
    read_rings(b, stones, alive)
    find_killed(b, 1 - player, empty, alive, killed)
    for d in range(6):
        cells |= killed[d]
    return cells
