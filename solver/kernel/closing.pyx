# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from solver.kernel.geometry cimport BLACK, WHITE, bits_t, uint64_t, bit
from solver.kernel.connections cimport Carrier
from solver.kernel.paths cimport Paths, layers
from solver.kernel.question cimport (CHECKMATE, OPEN, PROVED, BoundSearch, Layers, attacker_paths, attackers_moves, best_of, reached, recall,
                                     reduce_position, remember, reward, score_moves)
from solver.kernel.table cimport UNBOUNDED
from solver.kernel.threats cimport STRONG, WEAK, must_play, smallest_threat, threaten


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


cdef bint defend(BoundSearch* s, bits_t own, bits_t empty, int k, int last, bits_t* carrier) noexcept nogil:
    cdef Layers l
    cdef bits_t needed, cell, used = 0, must
    cdef bits_t stones[2]
    cdef Carrier need
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
    # A strong connection that k stones can pay for proves the bound. A weak one does if the defender plays outside its carrier: the attacker
    # plays the key, and the connection never costs more than was counted with it. So the defender must meet all of them.
    if s.options.upper and k > 2:
        stones[BLACK], stones[WHITE] = own, s.board.full & ~(own | empty)
        if threaten(s.oracle.deduction, stones, BLACK, k, s.metric == CHECKMATE, &needed) == STRONG:
            must, used = 0, s.oracle.deduction.solid.cells
        else:
            must_play(s.oracle.deduction, &must, &need)
            used = need.cells
    if must:
        score_moves(s, WHITE, must, own, empty, k, least, last, &l, score)
    if best >= 0 and must & bit(best):
        score[best] = 1 << 28
    while must:
        x = best_of(score, must)
        cell = bit(x)
        if not attack(s, own, empty & ~cell, k, x, &needed):
            if s.stop[0]:
                return False
            reward(s, WHITE, x, last, k)
            remember(s, own, empty, WHITE, k + 1, UNBOUNDED, 0, x, before)
            return False
        # Sound under the bound: the attacker's answer inside the carrier works against every defender's move outside it.
        must &= needed & ~cell
        used |= needed
    carrier[0] = used
    remember(s, own, empty, WHITE, 0, k, used, -1, before)
    return True


cdef bint attack(BoundSearch* s, bits_t own, bits_t empty, int k, int last, bits_t* carrier) noexcept nogil:
    cdef Layers l
    cdef bits_t moves, cell, needed
    cdef bits_t stones[2]
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
    moves = l.moves
    answer = recall(s, own, empty, BLACK, k, &best, carrier)
    if answer != OPEN:
        return answer == PROVED
    # A weak connection that k stones, the key among them, can pay for proves the bound.
    if s.options.upper and k > 2:
        stones[BLACK], stones[WHITE] = own, s.board.full & ~(own | empty)
        if threaten(s.oracle.deduction, stones, BLACK, k, s.metric == CHECKMATE, &needed) == WEAK:
            carrier[0] = smallest_threat(s.oracle.deduction).cells
            remember(s, own, empty, BLACK, 0, k, carrier[0], -1, before)
            return True
    moves = attackers_moves(s, own, empty, k, moves)
    if moves:
        score_moves(s, BLACK, moves, own, empty, k, least, last, &l, score)
    if best >= 0 and moves & bit(best):
        score[best] = 1 << 28
    while moves:
        x = best_of(score, moves)
        cell = bit(x)
        moves &= ~cell
        if defend(s, own | cell, empty & ~cell, k - 1, x, &needed):
            reward(s, BLACK, x, last, k)
            carrier[0] = needed | cell
            remember(s, own, empty, BLACK, 0, k, carrier[0], x, before)
            return True
        if s.stop[0]:
            return False
    if s.stop[0]:
        return False
    remember(s, own, empty, BLACK, k + 1, UNBOUNDED, 0, -1, before)
    return False
