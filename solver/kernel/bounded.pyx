# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from solver.kernel.geometry cimport BLACK, WHITE, CELLS, Board, bits_t, uint32_t, uint64_t, bit, lowest, popcount
from solver.kernel.chains cimport checkmate, connected
from solver.kernel.inferior cimport fill, vulnerable
from solver.kernel.connections cimport Carrier, must_play, smallest_threat, threaten, NONE, WEAK, STRONG
from solver.kernel.ordering cimport note_reply
from solver.kernel.outlook cimport Outlook, look_out, outlook, outlook_features, pressure, pressure_feature, MOST_OUTLOOK
from solver.kernel.paths cimport MOST, Paths, paths_init, layers, zone
from solver.kernel.table cimport BoundEntry, UNBOUNDED, bounds_find, bounds_merge, hash_position
from solver.kernel.winner cimport WIN, winner_search

cdef enum:
    NOISE = 300                # ordering: most that a helping search is led astray
    ATTACKS = 6                # ordering: so many of the attacker's best moves are looked at by deduction,
    DEFENCES = 4               # ... and so many of the defender's
    LOOKED_AT = 1 << 20        # ordering: more than any other difference
    PRESSURE_FROM = 4          # ordering by deduction from this k up
    UPPER_FROM = 3             # small connections prove the bound from this k up
    LOOKUP_FROM = 4            # children are looked up before any is searched from this k up
    ORACLE_FROM = 3            # the oracle is asked from this k up
    SEARCH_FROM = 6            # and may search from this k up, beyond deduction


cdef struct Layers:                # a position as the bounded question sees it
    bits_t above[MOST]             # the attacker's layers from its first edge
    bits_t below[MOST]             # and from its last
    bits_t moves                   # cells on a path of cost <= k: all moves that can help the attacker


cdef inline bint reached(BoundSearch* s, bits_t own, bits_t empty, bits_t* carrier) noexcept nogil:
    if s.metric == CHECKMATE:
        return checkmate(s.board, BLACK, own, empty, carrier)
    carrier[0] = 0
    return connected(s.board, BLACK, own)


cdef inline void attacker_paths(BoundSearch* s, Paths* p, bits_t own, bits_t empty) noexcept nogil:
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


cdef inline int noise(const BoundSearch* s, bits_t own, bits_t empty, int x) noexcept nogil:
    """A search that helps another one goes its own way: up to NOISE for each cell, always the same in the same position."""
    return hash_position(own, empty, 64 * s.noise + x) % NOISE


cdef void score_moves(BoundSearch* s, int side, bits_t moves, bits_t own, bits_t empty, int k, int least, int last, const Layers* l, int* score) noexcept nogil:
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
        if s.noise:
            score[x] += noise(s, own, empty, x)


cdef inline int best_of(const int* score, bits_t moves) noexcept nogil:
    cdef int x, best = lowest(moves)
    moves &= moves - 1
    while moves:
        x = lowest(moves)
        moves &= moves - 1
        if score[x] > score[best]:
            best = x
    return best


cdef int press(BoundSearch* s, int side, bits_t moves, bits_t own, bits_t empty, int k, int* score, bits_t* carrier) noexcept nogil:
    """Look at the best moves by deduction: the fewer replies can stop what the mover then threatens, the better. Returns a move that decides
    at once, or -1: the attacker's if it leaves a strong connection that costs at most k - 1 stones, the defender's if it leaves a strong
    connection at any price. The attacker's region, too, only counts threats that k - 1 stones can pay for."""
    cdef bits_t region
    cdef int i, x
    for i in range(ATTACKS if side == BLACK else DEFENCES):
        if not moves:
            break
        x = best_of(score, moves)
        moves &= ~bit(x)
        if threats_after(s, side, x, own, empty, k, &region) == STRONG:
            carrier[0] = s.oracle.deduction.solid.cells | bit(x)
            return x
        score[x] += LOOKED_AT + pressure(side, popcount(region))
    return -1


cdef inline int threats_after(BoundSearch* s, int side, int move, bits_t own, bits_t empty, int k, bits_t* region) noexcept nogil:
    cdef bits_t[2] stones = [own, s.board.full & ~(own | empty)]
    stones[side] |= bit(move)
    return threaten(s.oracle.deduction, stones, side, k - 1 if side == BLACK else CELLS, s.metric == CHECKMATE, region)


cdef inline void reward(BoundSearch* s, int side, int cell, int last, int k) noexcept nogil:
    cdef int i
    s.history[side][cell] += k
    if s.history[side][cell] > 4096:
        for i in range(64):
            s.history[side][i] >>= 1
    note_reply(s.reply[side][last], cell)


cdef inline bint defender_wins(BoundSearch* s, bits_t own, bits_t empty, bint searched, bits_t* region) noexcept nogil:
    """Does the defender, to move, win outright, as far as deduction and, if wanted, the winner search within its budget can tell? Then
    *region is the intersection of such wins' carriers: an attacker's move anywhere else changes nothing."""
    cdef bits_t stones[2]
    cdef int move
    stones[BLACK], stones[WHITE] = own, s.board.full & ~(own | empty)
    if threaten(s.oracle.deduction, stones, WHITE, CELLS, False, region) != NONE:
        return True
    if not searched:
        return False
    s.oracle.limit = s.nodes[0] + s.oracle_budget
    if winner_search(s.oracle, stones, WHITE, region, &move) != WIN:
        return False
    region[0] &= empty
    return True


cdef inline void remember(BoundSearch* s, bits_t own, bits_t empty, int side, int lo, int hi, bits_t carrier, int move, uint64_t before) noexcept nogil:
    """The attacker needs lo stones at the least and hi at the most."""
    cdef BoundEntry e
    e.own, e.empty, e.side, e.lo, e.hi, e.carrier, e.move = own, empty, s.tag + side + 1, lo, hi, carrier, move
    e.work = <uint32_t>(s.nodes[0] - before) + 1
    bounds_merge(s.table, &e)


cdef int known_child(BoundSearch* s, int side, bits_t own, bits_t empty, int k, bits_t* moves, bits_t* used) noexcept nogil:
    """Look all children up before any is searched. Returns a move that decides for the mover, or -1; then *moves has lost the moves known to
    fail and, for the defender, everything outside the carriers of the attacker's proofs, which are added to *used. The attacker's
    decisive move leaves its proof's carrier in *used."""
    cdef bits_t rest = moves[0], cell, child_own, child_empty
    cdef int below = k - 1 if side == BLACK else k, least
    cdef bint reachable
    cdef Layers l
    cdef BoundEntry e
    while rest:
        cell = rest & (~rest + 1)
        rest &= rest - 1
        child_own, child_empty = own | cell if side == BLACK else own, empty & ~cell
        reachable = reduce_position(s, &child_own, &child_empty, below, &l, &least)
        if reachable and (not bounds_find(s.table, child_own, child_empty, s.tag + (1 - side) + 1, &e) or (e.hi > below and e.lo <= below)):
            continue
        if side == WHITE:
            if not reachable or e.lo > below:
                return lowest(cell)
            moves[0] &= e.carrier & ~cell
            used[0] |= e.carrier
            rest &= moves[0]
        elif reachable and e.hi <= below:
            used[0] = e.carrier
            return lowest(cell)
        else:
            moves[0] &= ~cell
    return -1


cdef bint defend(BoundSearch* s, bits_t own, bits_t empty, int k, int last, bits_t* carrier) noexcept nogil:
    cdef Layers l
    cdef bits_t needed, cell, used = 0, must
    cdef bits_t stones[2]
    cdef Carrier need
    cdef int score[64]
    cdef int least, x, best = -1
    cdef BoundEntry e
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
    if bounds_find(s.table, own, empty, s.tag + WHITE + 1, &e):
        if e.hi <= k:
            carrier[0] = e.carrier
            return True
        if e.lo > k:
            return False
        best = e.move
    must = empty
    # A strong connection that k stones can pay for proves the bound. A weak one does if the defender plays outside its carrier: the attacker
    # plays the key, and the connection never costs more than was counted with it. So the defender must meet all of them.
    if s.options.upper and k >= UPPER_FROM:
        stones[BLACK], stones[WHITE] = own, s.board.full & ~(own | empty)
        if threaten(s.oracle.deduction, stones, BLACK, k, s.metric == CHECKMATE, &needed) == STRONG:
            must, used = 0, s.oracle.deduction.solid.cells
        else:
            must_play(s.oracle.deduction, &must, &need)
            used = need.cells
    if must and s.options.lookup and k >= LOOKUP_FROM:
        x = known_child(s, WHITE, own, empty, k, &must, &used)
        if x >= 0:
            remember(s, own, empty, WHITE, k + 1, UNBOUNDED, 0, x, before)
            return False
    if must:
        score_moves(s, WHITE, must, own, empty, k, least, last, &l, score)
    if s.options.pressure and k >= PRESSURE_FROM and must & (must - 1):
        x = press(s, WHITE, must, own, empty, k, score, &needed)
        if x >= 0:
            remember(s, own, empty, WHITE, UNBOUNDED - 1, UNBOUNDED, 0, x, before)
            return False
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


cdef bits_t attackers_moves(BoundSearch* s, bits_t own, bits_t empty, int k, bits_t moves) noexcept nogil:
    """Of the moves of the zone those that may prove the bound, as far as can be told before any is tried.

    A vulnerable move is never the quickest: the reply that kills it leaves the attacker where it was, with a stone less and the defender
    with two more. (finish() has seen to moves that reach the terminal before any reply.) A dominated one, dead beside another move, can be
    the quickest to checkmate: a stone that joins nothing by contact may still be the end of a two-bridge.

    A move after which the defender wins outright never reaches the terminal; nor does any other move outside that win's carrier. The
    defender's win without any attacker's move leaves only the moves inside its carrier. All in this one position: the cells that
    reduce_position() took out here are the defender's in every one of these questions."""
    cdef bits_t region
    cdef bits_t[2] stones = [own, s.board.full & ~(own | empty)]
    if s.options.vulnerable:
        moves &= ~vulnerable(s.board, BLACK, stones)
    if s.options.oracle and k >= ORACLE_FROM and defender_wins(s, own, empty, False, &region):
        moves &= region
    return moves


cdef bint attack(BoundSearch* s, bits_t own, bits_t empty, int k, int last, bits_t* carrier) noexcept nogil:
    cdef Layers l
    cdef bits_t moves, cell, needed
    cdef bint failed = False
    cdef bits_t stones[2]
    cdef int score[64]
    cdef int least, x, best = -1
    cdef BoundEntry e
    cdef uint64_t before = s.nodes[0]
    s.nodes[0] += 1
    if k == 1:
        return finish(s, own, empty, carrier)
    if not reduce_position(s, &own, &empty, k, &l, &least):
        return False
    if least <= 1 and finish(s, own, empty, carrier):
        return True
    moves = l.moves
    if bounds_find(s.table, own, empty, s.tag + BLACK + 1, &e):
        if e.hi <= k:
            carrier[0] = e.carrier
            return True
        if e.lo > k:
            return False
        best = e.move
    # A weak connection that k stones, the key among them, can pay for proves the bound.
    if s.options.upper and k >= UPPER_FROM:
        stones[BLACK], stones[WHITE] = own, s.board.full & ~(own | empty)
        if threaten(s.oracle.deduction, stones, BLACK, k, s.metric == CHECKMATE, &needed) == WEAK:
            carrier[0] = smallest_threat(s.oracle.deduction).cells
            remember(s, own, empty, BLACK, 0, k, carrier[0], -1, before)
            return True
    moves = attackers_moves(s, own, empty, k, moves)
    if moves and s.options.lookup and k >= LOOKUP_FROM:
        x = known_child(s, BLACK, own, empty, k, &moves, &needed)
        if x >= 0:
            carrier[0] = needed | bit(x)
            remember(s, own, empty, BLACK, 0, k, carrier[0], x, before)
            return True
    if moves:
        score_moves(s, BLACK, moves, own, empty, k, least, last, &l, score)
    if s.options.pressure and k >= PRESSURE_FROM and moves & (moves - 1):
        x = press(s, BLACK, moves, own, empty, k, score, carrier)
        if x >= 0:
            remember(s, own, empty, BLACK, 0, k, carrier[0], x, before)
            return True
    if best >= 0 and moves & bit(best):
        score[best] = 1 << 28
    while moves:
        x = best_of(score, moves)
        cell = bit(x)
        moves &= ~cell
        # The move that looks best mostly proves the bound, so a search for the winner is kept for the others.
        if s.options.oracle and k > ORACLE_FROM and defender_wins(s, own | cell, empty & ~cell, failed and k >= SEARCH_FROM, &needed):
            moves &= needed
            continue
        if defend(s, own | cell, empty & ~cell, k - 1, x, &needed):
            reward(s, BLACK, x, last, k)
            carrier[0] = needed | cell
            remember(s, own, empty, BLACK, 0, k, carrier[0], x, before)
            return True
        if s.stop[0]:
            return False
        failed = True
    if s.stop[0]:
        return False
    remember(s, own, empty, BLACK, k + 1, UNBOUNDED, 0, -1, before)
    return False


cdef bint within(BoundSearch* s, bits_t own, bits_t empty, int k, bint attacker_to_move, bits_t* carrier) noexcept nogil:
    if not attacker_to_move:
        return defend(s, own, empty, k, 64, carrier)
    return reached(s, own, empty, carrier) or (k > 0 and attack(s, own, empty, k, 64, carrier))


cdef int remembered_move(BoundSearch* s, bits_t own, bits_t empty, int k, bint attacker_to_move) noexcept nogil:
    cdef Layers l
    cdef int least
    cdef BoundEntry e
    if k < 2 or not reduce_position(s, &own, &empty, k, &l, &least):
        return -1
    return e.move if bounds_find(s.table, own, empty, s.tag + (BLACK if attacker_to_move else WHITE) + 1, &e) else -1


cdef bits_t moves_to_decide(BoundSearch* s, int side, bits_t own, bits_t empty, int k, short* lists, int* counts) noexcept nogil:
    cdef Layers l
    cdef Outlook o
    cdef bits_t moves, needed, rest
    cdef bits_t stones[2]
    cdef int least, x
    if not reduce_position(s, &own, &empty, k, &l, &least) or least <= 1:
        return 0
    stones[BLACK], stones[WHITE] = own, s.board.full & ~(own | empty)
    if side == BLACK:
        if threaten(s.oracle.deduction, stones, BLACK, k, s.metric == CHECKMATE, &needed) != NONE:
            return 0
        moves = attackers_moves(s, own, empty, k, l.moves)
    else:
        if threaten(s.oracle.deduction, stones, BLACK, k, s.metric == CHECKMATE, &moves) == STRONG:
            return 0
    if moves:
        look_out(&o, s.board, side, own, empty, moves, k, least, l.above, l.below)
    rest = moves
    while rest:
        x = lowest(rest)
        rest &= rest - 1
        counts[x] = outlook_features(&o, x, lists + MOST_OUTLOOK * x)
        if threats_after(s, side, x, own, empty, k, &needed) == STRONG:
            return 0
        lists[MOST_OUTLOOK * x + counts[x]] = pressure_feature(popcount(needed))
        counts[x] += 1
    return moves
