# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from solver.kernel.geometry cimport BLACK, WHITE, CELLS, bits_t, uint32_t, uint64_t, lowest
from solver.kernel.chains cimport checkmate, connected
from solver.kernel.connections cimport Carrier
from solver.kernel.inferior cimport fill, vulnerable
from solver.kernel.ordering cimport note_reply
from solver.kernel.outlook cimport Outlook, look_out, outlook
from solver.kernel.paths cimport layers, paths_init, zone
from solver.kernel.table cimport BoundEntry, Entry, UNBOUNDED, bounds_merge, table_find
from solver.kernel.threats cimport NONE, STRONG, must_play, smallest_threat, threaten

cdef enum:
    ORACLE_FROM = 3            # the oracle is asked from this k up


cdef bint reached(BoundSearch* s, bits_t own, bits_t empty, bits_t* carrier) noexcept nogil:
    if s.metric == CHECKMATE:
        return checkmate(s.board, BLACK, own, empty, carrier)
    carrier[0] = 0
    return connected(s.board, BLACK, own)


cdef void attacker_paths(BoundSearch* s, Paths* p, bits_t own, bits_t empty) noexcept nogil:
    paths_init(p, s.board, BLACK, own, empty, s.metric == CHECKMATE)


cdef bint reduce_position(BoundSearch* s, bits_t* own, bits_t* empty, int k, Layers* l, int* least) noexcept nogil:
    """Dead cells and those that the defender has captured become the defender's. No shortest way to the terminal needs them: an attacker's
    stone on a dead cell, and on a captured cell once the defender has replied on the other one, touches no two parts of a chain that do
    not touch without it, and no open two-bridge has such a cell between its ends unless these are joined by stones on its other side.
    It can be the end of a two-bridge only if its other four neighbours are the attacker's stones; then a stone on either cell of that
    bridge, which touches both these and the other end, does at least as much.
    (Cells captured by the attacker are not given away: to answer there costs it stones.)

    Then the zone of k stones: the chain that stands after at most k stones, its bridge cells included, lies on cells and stones of
    paths of cost <= k now, since a bridge open then is open now. A stone of the attacker elsewhere never counts; a cell elsewhere is a
    pass for both, so it can be the defender's, whom an extra stone never hurts."""
    cdef Paths p
    cdef bits_t stones, cells
    cdef bits_t board[2]
    if s.options.dead:
        board[BLACK], board[WHITE] = own[0], s.board.full & ~(own[0] | empty[0])
        fill(s.board, board, WHITE, WHITE)
        empty[0] &= ~board[WHITE]
    attacker_paths(s, &p, own[0], empty[0])
    least[0] = layers(&p, p.first, p.last, k, l.above)
    if least[0] > k:
        return False
    layers(&p, p.last, p.first, k, l.below)
    zone(&p, l.above, l.below, k, &l.moves, &stones, &cells)
    if s.options.zone:
        own[0], empty[0] = stones, cells
    return True


cdef void score_moves(BoundSearch* s, int side, bits_t moves, bits_t own, bits_t empty, int k, int least, int last, const Layers* l,
                      int* score) noexcept nogil:
    """By their outlook, and by what succeeded before, on its own or as the reply to the last move."""
    cdef Outlook o
    cdef int x
    if s.options.outlook:
        look_out(&o, s.board, side, own, empty, moves, k, least, l.above, l.below)
    while moves:
        x = lowest(moves)
        moves &= moves - 1
        score[x] = outlook(&o, x) if s.options.outlook else 0
        if s.options.history:
            score[x] += (s.history[side][x] >> 6) + s.reply[side][last][x]


cdef void reward(BoundSearch* s, int side, int cell, int last, int k) noexcept nogil:
    cdef int i
    s.history[side][cell] += k
    if s.history[side][cell] > 4096:
        for i in range(64):
            s.history[side][i] >>= 1
    note_reply(s.reply[side][last], cell)


cdef bits_t attackers_moves(BoundSearch* s, bits_t own, bits_t empty, int k, bits_t moves) noexcept nogil:
    """Of the moves of the zone those that may prove the bound, as far as can be told before any is tried.

    A vulnerable move is never the quickest: the reply that kills it leaves the attacker where it was, with a stone less and the defender
    with two more. (finish() has seen to moves that reach the terminal before any reply.) A dominated one, dead beside another move, can be
    the quickest to checkmate: a stone that joins nothing by contact may still be the end of a two-bridge.

    Where the defender, if it were to move, would win outright, a move outside that win's carrier changes nothing."""
    cdef bits_t region
    cdef bits_t[2] stones = [own, s.board.full & ~(own | empty)]
    if s.options.vulnerable:
        moves &= ~vulnerable(s.board, BLACK, stones)
    if s.options.oracle and k >= ORACLE_FROM:
        if threaten(s.oracle.deduction, stones, WHITE, CELLS, False, &region) != NONE:
            moves &= region
    return moves


cdef int deduced(BoundSearch* s, bits_t own, bits_t empty, int side, int k, bits_t* must, bits_t* carrier) noexcept nogil:
    """A strong connection that k stones can pay for proves the bound. With the attacker to move, so does a weak one, the key among these
    stones. With the defender to move, a weak one does if the defender plays outside its carrier: the attacker plays the key, and the
    connection never costs more than was counted with it. So the defender must meet all of them."""
    cdef bits_t[2] stones = [own, s.board.full & ~(own | empty)]
    cdef bits_t region
    cdef Carrier need
    cdef int found = threaten(s.oracle.deduction, stones, BLACK, k, s.metric == CHECKMATE, &region)
    if found == STRONG:
        carrier[0] = s.oracle.deduction.solid.cells
        return PROVED
    if side == BLACK:
        if found == NONE:
            return OPEN
        carrier[0] = smallest_threat(s.oracle.deduction).cells
        return PROVED
    must_play(s.oracle.deduction, must, &need)
    carrier[0] = need.cells
    return OPEN if must[0] else PROVED


cdef int recall(BoundSearch* s, bits_t own, bits_t empty, int side, int k, int* move, bits_t* carrier) noexcept nogil:
    cdef BoundEntry e
    cdef bits_t[2] at = [own, empty]
    move[0] = -1
    if table_find(s.table, at, s.tag + side + 1, <Entry*>&e):
        if e.hi <= k:
            carrier[0] = e.carrier
            return PROVED
        if e.lo > k:
            return REFUTED
        move[0] = e.move
    return OPEN


cdef int conclude(BoundSearch* s, bits_t own, bits_t empty, int side, int k, int answer, int move, bits_t carrier,
                  uint64_t before) noexcept nogil:
    cdef BoundEntry e
    e.own, e.empty, e.side, e.lo, e.hi, e.carrier, e.move = own, empty, s.tag + side + 1, k + 1, UNBOUNDED, 0, -1
    if answer == PROVED:
        e.lo, e.hi, e.carrier = 0, k, carrier
    if (answer == PROVED) == (side == BLACK):
        e.move = move
    e.work = <uint32_t>(s.nodes[0] - before) + 1
    bounds_merge(s.table, &e)
    return answer
