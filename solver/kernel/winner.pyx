# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from libc.string cimport memcpy, memset
from solver.kernel.geometry cimport (BLACK, WHITE, Board, bits_t, uint32_t, uint64_t, bit, lowest, popcount, neighbours,
                                     flood, rotate)
from solver.kernel.chains cimport connected
from solver.kernel.inferior cimport fill
from solver.kernel.threats cimport UNDECIDED, MOVER_WINS, MOVER_LOSES, evaluate, reach
from solver.kernel.ordering cimport note_reply
from solver.kernel.surroundings cimport View, view
from solver.kernel.promise cimport given, promises
from solver.kernel.patterns cimport pattern_find, pattern_learn, pattern_threats
from solver.kernel.table cimport Entry, WinnerEntry, INFINITE, hash_position, table_find, table_store

cdef enum:
    LEARN_FROM = 2         # positions below a proof that make it worth a pattern
    LACK = 8               # so much promise less than the best move's makes the first delta of a child greater by one,
    LACK_MOST = 120        # ... but by no more than this,
    DOUBT = 8              # ... and by this for a move that never won as the reply to the last one
    KEPT = 4               # of what the first delta is greater by, one part in so many is added to every later one, too
    FIRST = 1000           # one part in so many of the patience is what each move is searched for in the first round, one by one

cdef struct Child:
    bits_t move
    bits_t filled[2]       # cells that fill() gave to each player after the move, before turning
    bits_t stones[2]       # filled and canonical
    uint32_t phi           # last known numbers, kept here so that a lost table entry cannot undo progress
    uint32_t delta         # ... with the cost of the move once it has been visited
    uint32_t cost
    bint turned


cdef struct Before:        # the position that a move was made in
    uint32_t seen[4]       # as in Remembered, 0 if nothing is known of it
    bint grown[2]          # has a player more stones after the move?

cdef Before NOTHING        # known, all zeros


cdef inline bint canonical(const Board* b, bits_t* stones) noexcept nogil:
    """Turn the position by 180 degrees if that makes it smaller; True if turned."""
    cdef bits_t black = rotate(b, stones[BLACK]), white = rotate(b, stones[WHITE])
    if black < stones[BLACK] or (black == stones[BLACK] and white < stones[WHITE]):
        stones[BLACK], stones[WHITE] = black, white
        return True
    return False


cdef inline bits_t unfill(const Board* b, bits_t carrier, bits_t filled, bits_t stones) noexcept nogil:
    """A carrier of the position before fill(). If a proof uses stones that fill() gave to the winner, it needs the whole cluster of these
    cells, where the winner answers the opponent's intrusions, and the winner's stones beside it that make the cluster dead or captured.
    The loser's filled cells and stones need nothing: the carrier already grants the loser every cell outside."""
    cdef bits_t cluster = carrier & filled
    if not cluster:
        return carrier
    cluster = flood(b, cluster, filled)
    return carrier | cluster | (neighbours(b, cluster) & stones)


cdef Remembered* remember(WinnerSearch* w, const WinnerEntry* e) noexcept nogil:
    """What is kept of a position, nothing if another one has taken its place."""
    cdef Remembered* r = w.remembered + (hash_position(e.stones[0], e.stones[1], e.side) & (REMEMBERED - 1))
    if r.stones[0] != e.stones[0] or r.stones[1] != e.stones[1] or r.side != e.side:
        r.stones[0], r.stones[1], r.side = e.stones[0], e.stones[1], e.side
        r.compared = r.promised = False
    return r


cdef bint recognise(WinnerSearch* w, WinnerEntry* e, int to_move, const Before* before) noexcept nogil:
    """Is the position decided by a pattern of an earlier proof? One with the winner not to move serves with either side to move.

    Of a player to whom the last move gave no stone only patterns learned since are looked at: none that won for it with the other side to move
    fitted the position before, and one that won for it to move did not either, or the last move, from the must-play region, is on it."""
    cdef Remembered* r = remember(w, e)
    if not r.compared:
        r.compared = True
        r.seen[0] = 0 if before.grown[to_move] else before.seen[3]
        r.seen[1] = 0 if before.grown[to_move] else before.seen[2]
        r.seen[2] = r.seen[3] = 0
    e.carrier = pattern_find(w.patterns, to_move, True, e.stones, &r.seen[0], &e.move)
    if not e.carrier:
        e.carrier = pattern_find(w.patterns, to_move, False, e.stones, &r.seen[1], &e.move)
    if e.carrier:
        e.phi, e.delta = 0, INFINITE
        return True
    e.carrier = pattern_find(w.patterns, 1 - to_move, False, e.stones, &r.seen[2], &e.move)
    if e.carrier:
        e.phi, e.delta = INFINITE, 0
        return True
    return False


cdef inline void conclude(WinnerSearch* w, const WinnerEntry* e) noexcept nogil:
    """Keep a position that search has decided."""
    cdef int to_move = (e.side - 1) & 1
    cdef int winner = to_move if e.phi == 0 else 1 - to_move
    table_store(w.table, <const Entry*>e)
    if w.options.patterns and e.work >= LEARN_FROM:
        pattern_learn(w.patterns, w.board, winner, winner == to_move, e.carrier, e.move, e.stones[winner])


cdef void evaluate_entry(WinnerSearch* w, WinnerEntry* e, const Before* before) noexcept nogil:
    """First visit of a position: its static decision, or its must-play region and the points connected to the edges."""
    cdef int to_move = (e.side - 1) & 1, result, p, end
    cdef bits_t empty = w.board.full & ~(e.stones[0] | e.stones[1])
    w.nodes[0] += 1
    e.work = 1
    e.phi = e.delta = 1
    if w.options.patterns and recognise(w, e, to_move, before):
        return
    if w.options.deduction:
        result = evaluate(w.deduction, e.stones, to_move, &e.carrier, &e.move, &e.must, &e.used)
    else:
        result = UNDECIDED
        e.must, e.used = empty, 0
        for p in range(2):
            if connected(w.board, p, e.stones[p]):
                e.carrier = e.stones[p]
                result = MOVER_WINS if p == to_move else MOVER_LOSES
    if result != UNDECIDED:
        e.phi, e.delta = 0 if result == MOVER_WINS else INFINITE, INFINITE if result == MOVER_WINS else 0
        return
    if w.options.patterns:
        pattern_threats(w.patterns, 1 - to_move, e.stones, &e.must, &e.used)
        remember(w, e).seen[3] = w.patterns.lists[1 - to_move][True].count
        if not e.must:
            e.phi, e.delta, e.carrier = INFINITE, 0, e.used
            return
    if w.options.deduction and w.options.reach:
        for p in range(2):
            for end in range(2):
                e.reach[p][end] = reach(w.deduction, p, end)


cdef Remembered* promises_of(WinnerSearch* w, const WinnerEntry* e, int last, const int* gives) noexcept nogil:
    """The promises of at least the moves in e.must, from the last visit if that is not long ago."""
    cdef Remembered* r = remember(w, e)
    cdef View v
    if not r.promised:
        view(&v, w.board, e.stones, (e.side - 1) & 1, last, e.must, &e.reach[0][0])
        promises(&v, e.must, gives, r.promise)
        r.promised = True
    return r


cdef int list_children(WinnerSearch* w, const WinnerEntry* e, int last, Child* children) noexcept nogil:
    """The moves of the must-play region, most promising first, by their promise and by how often they won as the reply to the last move."""
    cdef const Board* b = w.board
    cdef int to_move = (e.side - 1) & 1, n = 0, i, x, best = -(1 << 30), most = 1
    cdef int gives[64]
    cdef const int* promise = NULL
    cdef const int* replies = w.reply[to_move][last]
    cdef bits_t moves = e.must
    cdef Child* c
    cdef Child new
    while moves:
        x = lowest(moves)
        moves &= moves - 1
        c = children + n
        n += 1
        c.move = bit(x)
        c.stones[0], c.stones[1] = e.stones[0], e.stones[1]
        c.stones[to_move] |= c.move
        c.filled[0], c.filled[1] = c.stones[0], c.stones[1]
        if w.options.fill:
            fill(b, c.stones, BLACK, WHITE)
        c.filled[0] = c.stones[0] & ~c.filled[0]
        c.filled[1] = c.stones[1] & ~c.filled[1]
        c.turned = canonical(b, c.stones)
        c.phi = 1
        gives[x] = given(to_move, popcount(c.filled[to_move]), popcount(c.filled[1 - to_move]))
        most = max(most, replies[x])
    if w.options.guess:
        promise = promises_of(w, e, last, gives).promise
        for i in range(n):
            best = max(best, promise[lowest(children[i].move)])
    for i in range(n):
        new = children[i]
        x = lowest(new.move)
        new.delta = 1
        if w.options.guess:
            new.delta += min((best - promise[x]) // LACK, LACK_MOST)
        if w.options.history:
            new.delta += DOUBT * (most - replies[x]) // most
        new.cost = (new.delta - 1) // KEPT
        c = children + i
        while c > children and (c - 1).delta > new.delta:
            c[0] = (c - 1)[0]
            c -= 1
        c[0] = new
    return n


cdef void dfpn(WinnerSearch* w, const bits_t* stones, int to_move, int last, const Before* before, uint32_t phi_limit, uint32_t delta_limit,
               WinnerEntry* e) noexcept nogil:
    """Search a filled, canonical position, reached by the move `last` (64: none), until it is decided, or phi >= phi_limit, or
    delta >= delta_limit, or the search is stopped; what is known then is in *e and in the table.

    phi is the least sum of a child's delta and its move's cost (df-pn+; Nagai and Imai, 1999), the cost being in the first delta of one that
    was not visited; delta is the greatest phi of a child plus the number of further children, which over-counts transpositions less than the
    sum does. Moves outside e.must lose, by the opponent's threats or by the carriers of refuted children:
    after a refuted move any other move outside the refutation's carrier is refuted by it as well."""
    cdef const Board* b = w.board
    cdef WinnerEntry found
    cdef Child children[64]
    cdef Child* c
    cdef Child* best
    cdef int n, i, live
    cdef uint32_t phi, second, most, child_phi, child_delta, work
    cdef uint64_t begun = w.nodes[0]
    cdef bits_t carrier
    cdef Before here
    if table_find(w.table, stones, w.tag + to_move + 1, <Entry*>e):
        if w.options.patterns and e.phi and e.delta and recognise(w, e, to_move, before):
            conclude(w, e)
            return
    else:
        memset(e, 0, sizeof(WinnerEntry))
        e.stones[0], e.stones[1], e.side, e.move, e.last = stones[0], stones[1], w.tag + to_move + 1, -1, last
        evaluate_entry(w, e, before)
    if e.phi == 0 or e.delta == 0:
        table_store(w.table, <const Entry*>e)
        return
    work = e.work
    memcpy(here.seen, remember(w, e).seen, sizeof(here.seen))
    n = list_children(w, e, last, children)
    best = NULL
    while True:
        # Of all children first, then of the one just searched; what transpositions add to the others is seen on the next visit.
        for i in range(n):
            c = children + i
            if not e.must & c.move or best != NULL and c != best:
                continue
            if best != NULL or table_find(w.table, c.stones, w.tag + 2 - to_move, <Entry*>&found):
                c.phi, c.delta = found.phi, found.delta
                if c.delta == 0 or c.phi == 0:
                    carrier = rotate(b, found.carrier) if c.turned else found.carrier
                    if c.delta == 0:
                        e.phi, e.delta, e.move = 0, INFINITE, lowest(c.move)
                        e.carrier = c.move | unfill(b, carrier, c.filled[to_move], e.stones[to_move] | c.move)
                        e.work = work + <uint32_t>(w.nodes[0] - begun)
                        conclude(w, e)
                        if w.options.history:
                            note_reply(w.reply[to_move][last], e.move)
                        return
                    carrier = unfill(b, carrier, c.filled[1 - to_move], e.stones[1 - to_move])
                    e.must &= carrier & ~c.move
                    e.used |= carrier
                else:
                    c.delta += c.cost
        # The region may have lost children already passed, so the numbers are taken in a second round.
        live = 0
        phi = second = INFINITE
        most = 0
        best = NULL
        for i in range(n):
            c = children + i
            if not e.must & c.move:
                continue
            live += 1
            if c.phi > most:
                most = c.phi
            if c.delta < phi:
                second = phi
                phi = c.delta
                best = c
            elif c.delta < second:
                second = c.delta
        e.work = work + <uint32_t>(w.nodes[0] - begun)
        if live == 0:
            e.phi, e.delta = INFINITE, 0
            e.carrier = e.used
            conclude(w, e)
            return
        e.phi = phi
        e.delta = most + live - 1
        if e.phi >= phi_limit or e.delta >= delta_limit or w.stop[0] or w.nodes[0] >= w.limit:
            table_store(w.table, <const Entry*>e)
            return
        child_delta = second + 1 if second < phi_limit else phi_limit
        child_phi = INFINITE if delta_limit == INFINITE else delta_limit - (live - 1)
        for i in range(2):
            here.grown[i] = popcount(best.stones[i]) != popcount(e.stones[i])
        dfpn(w, best.stones, 1 - to_move, lowest(rotate(b, best.move) if best.turned else best.move), &here, child_phi,
             child_delta - best.cost, &found)


cdef Child* easiest(WinnerSearch* w, Child* children, int n, bits_t moves, int to_move) noexcept nogil:
    """The child by one of these moves that looks easiest to refute, as far as is known, or one by which the mover is known to win; NULL if
    there is none."""
    cdef Child* best = NULL
    cdef WinnerEntry found
    cdef int i
    for i in range(n):
        if moves & children[i].move:
            if table_find(w.table, children[i].stones, w.tag + 2 - to_move, <Entry*>&found):
                if found.delta == 0:
                    return children + i
                children[i].phi = found.phi
            if best == NULL or children[i].phi < best.phi:
                best = children + i
    return best


cdef void dfpn_within(WinnerSearch* w, const bits_t* stones, int to_move, int last, uint64_t nodes, WinnerEntry* e) noexcept nogil:
    """Search a position until it is decided, or so many more have been evaluated, or the search is stopped or at its limit."""
    cdef uint64_t limit = w.limit
    if w.nodes[0] < limit and nodes < limit - w.nodes[0]:
        w.limit = w.nodes[0] + nodes
    dfpn(w, stones, to_move, last, &NOTHING, INFINITE, INFINITE, e)
    w.limit = limit


cdef bint ends(const WinnerSearch* w, const WinnerEntry* e) noexcept nogil:
    return e.phi == 0 or e.delta == 0 or w.stop[0] or w.nodes[0] >= w.limit


cdef void try_moves(WinnerSearch* w, const bits_t* stones, int to_move, uint64_t effort, WinnerEntry* e) noexcept nogil:
    """A round of one_by_one()."""
    cdef const Board* b = w.board
    cdef Child children[64]
    cdef Child* c
    cdef WinnerEntry found
    cdef bits_t left = e.must
    cdef uint64_t begun
    cdef int n = list_children(w, e, 64, children)
    while not ends(w, e):
        c = easiest(w, children, n, left & e.must, to_move)
        if c == NULL:
            return
        left &= ~c.move
        begun = w.nodes[0]
        dfpn_within(w, c.stones, 1 - to_move, lowest(rotate(b, c.move) if c.turned else c.move), effort, &found)
        e.work += <uint32_t>(w.nodes[0] - begun)
        if found.phi == 0 or found.delta == 0:
            table_store(w.table, <const Entry*>e)
            dfpn(w, stones, to_move, 64, &NOTHING, 1, 1, e)


cdef void one_by_one(WinnerSearch* w, const bits_t* stones, int to_move, WinnerEntry* e) noexcept nogil:
    """Go on with a position that is hard to decide, in rounds. If by its numbers it looks lost, search each of its moves, the easiest to refute
    first, for so many positions, taking in what is decided before the next; then, lost or not, the position itself for as many as all of
    these. The next round goes twice as far.

    Proof numbers alone keep all moves of a lost position in step, so that none is refuted before nearly all are; one by one, each refutation
    takes many others out of the must-play region. A move that wins is found by proof numbers sooner. Sound for the winner, since it only
    says which search goes on for how long."""
    cdef uint64_t effort = 1 + w.patience // FIRST, before, round
    while not ends(w, e):
        before, round = w.nodes[0], effort * popcount(e.must)
        if e.phi > e.delta:
            try_moves(w, stones, to_move, effort, e)
            round = w.nodes[0] - before
        if not ends(w, e):
            dfpn_within(w, stones, to_move, 64, round, e)
        effort *= 2


cdef int winner_search(WinnerSearch* w, const bits_t* stones, int to_move, bits_t* carrier, int* move) noexcept nogil:
    cdef const Board* b = w.board
    cdef WinnerEntry e
    cdef bits_t filled[2]
    cdef bint turned
    cdef int winner
    filled[0], filled[1] = stones[0], stones[1]
    if w.options.fill:
        fill(b, filled, BLACK, WHITE)
    turned = canonical(b, filled)
    dfpn_within(w, filled, to_move, 64, w.patience, &e)
    one_by_one(w, filled, to_move, &e)
    if e.phi != 0 and e.delta != 0:
        return UNKNOWN
    winner = to_move if e.phi == 0 else 1 - to_move
    # The move wins before fill() as well as after it: the move takes none of the cells given away, and a further stone elsewhere leaves them
    # dead or captured, so that giving them away after the move changes the winner as little as before. For the same reason a player who
    # wins after fill() with the opponent to move does so before, and then every move wins.
    if turned:
        e.carrier = rotate(b, e.carrier)
        filled[0], filled[1] = rotate(b, filled[0]), rotate(b, filled[1])
        if e.move >= 0:
            e.move = b.cells - 1 - e.move
    carrier[0] = unfill(b, e.carrier, filled[winner] & ~stones[winner], stones[winner])
    move[0] = e.move
    return WIN if winner == to_move else LOSS
