# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A cell is dead if, however the empty cells are filled, its own stone is on no minimal winning path of either side: its ring of six
neighbours cannot be completed so that the colours alternate B..W..B..W around it. The stone on it never matters, so it can be given to
anyone (here to Black). A pair of adjacent empty cells is captured by P if a P stone on either kills the other: whenever the opponent
plays on one, P answers on the other and leaves a dead stone, so both can be given to P at once (Bjornsson, Hayward, Johanson,
van Rijswijck: Dead cell analysis in Hex and the Shannon game, 2007).

Sound for the winner only: a length may change, since a checkmate chain is a matter of geometry.
"""
from solver.kernel.geometry cimport BLACK, WHITE, Board, bits_t, step


cdef bits_t alive(const bits_t* can_black, const bits_t* can_white) noexcept nogil:
    """Cells whose ring can alternate. can_black[d]: cells whose neighbour in direction d is or may become black (the same for white).
    Read around from direction 0 the alternation starts with either colour; x1..x4 count how much of it is matched."""
    cdef bits_t b1 = 0, b2 = 0, b3 = 0, b4 = 0, w1 = 0, w2 = 0, w3 = 0, w4 = 0
    cdef int d
    for d in range(6):
        b4 |= b3 & can_white[d]
        b3 |= b2 & can_black[d]
        b2 |= b1 & can_white[d]
        b1 |= can_black[d]
        w4 |= w3 & can_black[d]
        w3 |= w2 & can_white[d]
        w2 |= w1 & can_black[d]
        w1 |= can_white[d]
    return b4 | w4


cdef void fill(const Board* b, bits_t* stones) noexcept nogil:
    cdef bits_t empty, dead, captured, pair, saved
    cdef bits_t can[2][6]
    cdef bits_t killed[6]
    cdef int d, p
    cdef bits_t *own
    cdef bits_t *other
    while True:
        empty = b.full & ~(stones[BLACK] | stones[WHITE])
        # Off the board the ring shows the edge's colour; the one corner between two edges (a1's and its image's side) may be either.
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
        dead = empty & ~alive(can[BLACK], can[WHITE])
        if dead:
            stones[BLACK] |= dead
            continue
        captured = 0
        for p in range(2):
            # A stone of p in direction d means: the ring cell there cannot be the other colour.
            other = can[1 - p]
            for d in range(6):
                saved = other[d]
                other[d] = 0
                killed[d] = empty & ~alive(can[BLACK], can[WHITE]) & step(b, (d + 3) % 6, empty)
                other[d] = saved
            for d in range(3):
                pair = killed[d] & step(b, d + 3, killed[d + 3])
                captured |= pair | step(b, d, pair)
            if captured:
                stones[p] |= captured
                break
        if not captured:
            return
