# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from solver.kernel.geometry cimport BLACK, WHITE, bits_t, uint64_t, bit
from solver.kernel.paths cimport Paths, layers
from solver.kernel.question cimport (OPEN, PROVED, REFUTED, BoundSearch, Layers, attacker_paths, attackers_moves, best_of, conclude, deduced,
                                     reached, recall, reduce_position, reward, score_moves)


cdef bint finish(BoundSearch* s, bits_t own, bits_t empty, bits_t* carrier) noexcept nogil:
    """attack() with one stone: only a cell one stone away from both edges can complete the chain."""
    cdef Paths p
    cdef bits_t above[2]
    cdef bits_t below[2]
    cdef bits_t cells
    attacker_paths(s, &p, own, empty)
    if layers(&p, p.first, p.last, 1, above) > 1:
        return False
    layers(&p, p.last, p.first, 1, below)
    cells = above[1] & below[1] & empty
    while cells:
        if reached(s, own | (cells & (~cells + 1)), empty & ~(cells & (~cells + 1)), carrier):
            carrier[0] |= cells & (~cells + 1)
            return True
        cells &= cells - 1
    return False


cdef bint withstand(BoundSearch* s, bits_t own, bits_t empty, bits_t* carrier) noexcept nogil:
    """defend() with one stone: the attacker is there already, or can complete whatever the defender plays: the completions' carriers
    leave no cell in common, or each cell that they do have in common leaves another completion."""
    cdef Paths p
    cdef bits_t above[2]
    cdef bits_t below[2]
    cdef bits_t cells, needed, must = empty, used = 0
    cdef int least
    attacker_paths(s, &p, own, empty)
    least = layers(&p, p.first, p.last, 1, above)
    if least > 1:
        return False
    if least == 0 and reached(s, own, empty, carrier):
        return True
    layers(&p, p.last, p.first, 1, below)
    cells = above[1] & below[1] & empty
    while cells:
        if reached(s, own | (cells & (~cells + 1)), empty & ~(cells & (~cells + 1)), &needed):
            needed |= cells & (~cells + 1)
            if must & ~needed:
                must &= needed
                used |= needed
                if not must:
                    carrier[0] = used
                    return True
        cells &= cells - 1
    if not used:
        return False
    while must:
        if not finish(s, own, empty & ~(must & (~must + 1)), &needed):
            return False
        used |= needed
        must &= needed & (must - 1)
    carrier[0] = used
    return True


cdef inline void order(BoundSearch* s, int side, bits_t moves, bits_t own, bits_t empty, int k, int least, int last, const Layers* l, int best,
                       int* score) noexcept nogil:
    """Scores of the moves, of the best so far the highest."""
    if moves:
        score_moves(s, side, moves, own, empty, k, least, last, l, score)
    if best >= 0:
        score[best] = 1 << 28


cdef bint defend(BoundSearch* s, bits_t own, bits_t empty, int k, int last, bits_t* carrier) noexcept nogil:
    cdef Layers l
    cdef bits_t needed, cell, used = 0, must
    cdef int score[64]
    cdef int least, x, best, answer
    cdef uint64_t before = s.nodes[0]
    s.nodes[0] += 1
    if s.nodes[0] >= s.limit:
        s.stop[0] = True
        return False
    if k == 1:
        return withstand(s, own, empty, carrier)
    if not reduce_position(s, &own, &empty, k, &l, &least):
        return False
    if least == 0 and reached(s, own, empty, carrier):
        return True
    if k == 0:
        return False
    answer = recall(s, own, empty, WHITE, k, &best, carrier)
    if answer != OPEN:
        return answer == PROVED
    must = empty
    if s.options.upper and k > 2 and deduced(s, own, empty, WHITE, k, &must, &used) == PROVED:
        carrier[0] = used
        return conclude(s, own, empty, WHITE, k, PROVED, -1, used, before) == PROVED
    order(s, WHITE, must, own, empty, k, least, last, &l, best, score)
    while must:
        x = best_of(score, must)
        cell = bit(x)
        if not attack(s, own, empty & ~cell, k, x, &needed):
            if s.stop[0]:
                return False
            reward(s, WHITE, x, last, k)
            return conclude(s, own, empty, WHITE, k, REFUTED, x, 0, before) == PROVED
        # Sound under the bound: the attacker's answer inside the carrier works against every defender's move outside it.
        must &= needed & ~cell
        used |= needed
    carrier[0] = used
    return conclude(s, own, empty, WHITE, k, PROVED, -1, used, before) == PROVED


cdef bint attack(BoundSearch* s, bits_t own, bits_t empty, int k, int last, bits_t* carrier) noexcept nogil:
    cdef Layers l
    cdef bits_t moves, cell, needed
    cdef int score[64]
    cdef int least, x, best, answer
    cdef uint64_t before = s.nodes[0]
    s.nodes[0] += 1
    if k == 1:
        return finish(s, own, empty, carrier)
    if not reduce_position(s, &own, &empty, k, &l, &least):
        return False
    if least <= 1 and finish(s, own, empty, carrier):
        return True
    answer = recall(s, own, empty, BLACK, k, &best, carrier)
    if answer != OPEN:
        return answer == PROVED
    if s.options.upper and k > 2 and deduced(s, own, empty, BLACK, k, &moves, carrier) == PROVED:
        return conclude(s, own, empty, BLACK, k, PROVED, -1, carrier[0], before) == PROVED
    moves = attackers_moves(s, own, empty, k, l.moves)
    order(s, BLACK, moves, own, empty, k, least, last, &l, best, score)
    while moves:
        x = best_of(score, moves)
        cell = bit(x)
        moves &= ~cell
        if defend(s, own | cell, empty & ~cell, k - 1, x, &needed):
            reward(s, BLACK, x, last, k)
            carrier[0] = needed | cell
            return conclude(s, own, empty, BLACK, k, PROVED, x, carrier[0], before) == PROVED
        if s.stop[0]:
            return False
    return conclude(s, own, empty, BLACK, k, REFUTED, -1, 0, before) == PROVED
