# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Proof numbers of the attacker alone (as in PN*: Seo, Iida, Uiterwijk 2001, "The PN*-search algorithm: application to tsume-shogi").

In a proof nearly all the work goes into attacker's moves that do not keep within the bound, each of which takes a refutation to tell; so the
attacker leaves a move when another one begins to look easier. A refutation has to deal with all its moves anyway, and the defender's first
reply mostly is the one that refutes; so the defender stays with a reply until it is decided.
"""
from libc.string cimport memset
from solver.kernel.geometry cimport BLACK, WHITE, CELLS, bits_t, uint32_t, uint64_t, bit, lowest, popcount
from solver.kernel.closing cimport attack, defend, finish
from solver.kernel.company cimport HOME, Place, enter, leave, news, occupied
from solver.kernel.connections cimport record
from solver.kernel.outlook cimport Outlook, look_out, outlook_features, pressure, pressure_feature, MOST_OUTLOOK
from solver.kernel.question cimport (CHECKMATE, OPEN, PROVED, REFUTED, BoundSearch, Layers, attackers_moves, best_of, conclude, deduced, reached,
                                     recall, reduce_position, reward, score_moves)
from solver.kernel.table cimport BoundEntry, Entry, INFINITE, NumberEntry, UNBOUNDED, hash_position, table_find, table_store
from solver.kernel.threats cimport NONE, STRONG, WEAK, smallest_threat, threaten, threaten_after
from solver.kernel.winner cimport WIN, winner_search

cdef enum:
    NUMBERS_FROM = 4           # proof numbers from this k up
    ATTACKS = 6                # ordering: so many of the attacker's best moves are looked at by deduction,
    DEFENCES = 4               # ... and so many of the defender's
    LOOKED_AT = 1 << 20        # ordering: more than any other difference
    LACK = 12                  # so much outlook less than the best move's makes the first number of a move greater by one,
    LACK_MOST = 60             # ... but by no more than this
    AVOIDED = 2                # added to a move's number beside half of it, where another search is below it
    SEARCH_FROM = 6            # the oracle may search from this k up, beyond deduction


cdef inline int question(const BoundSearch* s, int side, int k) noexcept nogil:
    return side + s.tag + 8 * (k - NUMBERS_FROM + 1)


cdef int static_answer(BoundSearch* s, bits_t own, bits_t empty, int side, int k, const Layers* l, NumberEntry* e, int* move,
                       bits_t* carrier) noexcept nogil:
    """What deduction says of a position, from the connections of both: an answer, or the moves that may decide it. Where the defender, to
    move, wins outright, the attacker never reaches the terminal."""
    cdef bits_t[2] stones = [own, s.board.full & ~(own | empty)]
    cdef bits_t region
    cdef int found
    move[0] = -1
    e.must = l.moves if side == BLACK else empty
    if s.options.upper:
        if deduced(s, own, empty, side, k, &e.must, carrier) == PROVED:
            return PROVED
        if side == WHITE:
            e.used = carrier[0]
    if side == BLACK:
        e.must = attackers_moves(s, own, empty, k, e.must)
    elif s.options.oracle:
        found = threaten(s.oracle.deduction, stones, WHITE, CELLS, False, &region)
        if found != NONE:
            move[0] = smallest_threat(s.oracle.deduction).key if found == WEAK else lowest(empty)
            return REFUTED
    return OPEN


cdef int look_up(BoundSearch* s, int side, bits_t own, bits_t empty, int k, NumberEntry* e, uint32_t* numbers, uint64_t* hashes, int* move,
                 bits_t* carrier) noexcept nogil:
    """Look up what is known of the positions after all moves, before one is searched. An answer if one of them decides; else the moves known
    to fail are gone from e.must and, for the defender, everything outside the carriers of the attacker's proofs; numbers: of the others, 0
    where there is none yet; hashes: of the questions after them, 0 where none has a number."""
    cdef int below = k - 1 if side == BLACK else k, x, least
    cdef bits_t rest = e.must, cell
    cdef bits_t[2] after
    cdef Layers l
    cdef BoundEntry bound
    cdef NumberEntry known
    while rest:
        x = lowest(rest)
        cell = bit(x)
        rest &= rest - 1
        numbers[x], hashes[x] = 0, 0
        after[0], after[1] = own | cell if side == BLACK else own, empty & ~cell
        if not reduce_position(s, &after[0], &after[1], below, &l, &least):
            bound.hi, bound.lo = UNBOUNDED, below + 1
        elif not table_find(s.table, after, s.tag + (1 - side) + 1, <Entry*>&bound):
            bound.hi, bound.lo = UNBOUNDED, 0
        move[0] = x
        if bound.hi <= below:
            if side == BLACK:
                carrier[0] = bound.carrier | cell
                return PROVED
            # Sound under the bound: the attacker's answer inside the carrier works against every defender's move outside it.
            e.must &= bound.carrier & ~cell
            e.used |= bound.carrier
            rest &= e.must
        elif bound.lo > below:
            if side == WHITE:
                return REFUTED
            e.must &= ~cell
        elif below >= NUMBERS_FROM:
            hashes[x] = hash_position(after[0], after[1], question(s, 1 - side, below))
            if table_find(s.numbers, after, question(s, 1 - side, below), <Entry*>&known):
                numbers[x] = known.number
    return OPEN


cdef inline int threats_after(BoundSearch* s, int side, int move, bits_t own, bits_t empty, int k, bits_t* region) noexcept nogil:
    """After a move of the side whose connections before it are in s.snapshot."""
    cdef bits_t[2] stones = [own, s.board.full & ~(own | empty)]
    stones[side] |= bit(move)
    return threaten_after(s.oracle.deduction, s.snapshot, stones, side, k - 1 if side == BLACK else CELLS, s.metric == CHECKMATE, region)


cdef void snap(BoundSearch* s, int side, bits_t own, bits_t empty, int k) noexcept nogil:
    """Take down a side's connections, which static_answer() has left in the workspace unless it had no need of them."""
    cdef bits_t[2] stones = [own, s.board.full & ~(own | empty)]
    cdef bits_t region
    if not (s.options.upper if side == BLACK else s.options.oracle):
        threaten(s.oracle.deduction, stones, side, k if side == BLACK else CELLS, s.metric == CHECKMATE, &region)
    record(s.oracle.deduction, side, s.snapshot)


cdef int press(BoundSearch* s, int side, bits_t moves, bits_t own, bits_t empty, int k, int* score, bits_t* carrier) noexcept nogil:
    """Look at the best moves by deduction: the fewer replies can stop what the mover then threatens, the better. Returns a move that decides
    at once, or -1: the attacker's if it leaves a strong connection that costs at most k - 1 stones, the defender's if it leaves a strong
    connection at any price. The attacker's region, too, only counts threats that k - 1 stones can pay for."""
    cdef bits_t region
    cdef int i, x
    snap(s, side, own, empty, k)
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


cdef void rank(int side, const int* score, NumberEntry* e) noexcept nogil:
    """The attacker's first numbers by their scores, and the order of the defender's replies."""
    cdef bits_t rest = e.must
    cdef int x, top = score[best_of(score, rest)], number = 0
    while rest:
        x = best_of(score, rest)
        rest &= ~bit(x)
        number += 1
        e.first[x] = number if side == WHITE else 1 + min((top - score[x]) // LACK, LACK_MOST)


cdef inline bint defender_wins(BoundSearch* s, bits_t own, bits_t empty, bits_t* region) noexcept nogil:
    """After an attacker's move, does the defender win outright, as far as the winner search can tell within its budget? Then the move never
    reaches the terminal, and *region is the win's carrier: nor does any move elsewhere. All in one position: the cells that
    reduce_position() took out before the move are the defender's in every one of these questions."""
    cdef bits_t[2] stones = [own, s.board.full & ~(own | empty)]
    cdef int move
    s.oracle.limit = s.nodes[0] + s.oracle_budget
    if winner_search(s.oracle, stones, WHITE, region, &move) != WIN:
        return False
    region[0] &= empty
    return True


cdef int choose(const BoundSearch* s, int side, const NumberEntry* e, const uint32_t* numbers, const uint64_t* hashes, uint32_t limit,
                uint32_t* number, uint32_t* second) noexcept nogil:
    """The move to search, -1 if none is left, and the number of the position: of the attacker's easiest move; of the defender's hardest reply,
    and one more for each further one. *second: of the attacker's next best move.

    Where another search is below an attacker's move it counts as harder, by half its number; but a move whose own number has reached the
    limit comes after all others. Searches together stay with one reply of the defender's, since a second one is mostly in vain: if there is
    a refutation, it is the first."""
    cdef bits_t rest = e.must
    cdef int x, best = -1
    cdef uint32_t n, hardest = 1, least = INFINITE
    number[0] = popcount(rest) - 1 if side == WHITE else INFINITE
    second[0] = INFINITE
    while rest:
        x = lowest(rest)
        rest &= rest - 1
        if side == WHITE:
            hardest = max(hardest, numbers[x])
            if best < 0 or e.first[x] < e.first[best]:
                best = x
            continue
        n = numbers[x] if numbers[x] else e.first[x]
        number[0] = min(number[0], n)
        if n >= limit:
            n = INFINITE - 1
        elif hashes[x] and occupied(&s.path, hashes[x]):
            n += n // 2 + AVOIDED
        if n < least:
            second[0] = least
            least = n
            best = x
        elif n < second[0]:
            second[0] = n
    if side == WHITE:
        number[0] += hardest
    return best


cdef int hear(BoundSearch* s, int* move, bits_t* carrier) noexcept nogil:
    """What others have decided meanwhile: the answer, if it is that of the last place on the path; of one before it, s.path.home says which."""
    cdef Place* at
    cdef int i, answer
    if news(&s.path):
        for i in range(s.path.length):
            at = s.path.places + i
            answer = recall(s, at.own, at.empty, at.side, at.k, move, carrier)
            if answer != OPEN:
                s.path.home = i + 1
                break
    if s.path.home != s.path.length:
        return OPEN
    at = s.path.places + s.path.length - 1
    s.path.home = HOME
    return recall(s, at.own, at.empty, at.side, at.k, move, carrier)


cdef int search(BoundSearch* s, int side, bits_t own, bits_t empty, int k, int last, uint32_t limit, uint32_t* number,
                bits_t* carrier) noexcept nogil:
    """Search a question until it is answered, or until its number is no longer below the limit. PROVED: *carrier holds the cells within which
    the attacker needs no more than k stones. OPEN: *number has reached the limit, or the search was stopped, or is no longer needed here."""
    cdef Layers l
    cdef NumberEntry e
    cdef uint32_t numbers[64]
    cdef uint64_t hashes[64]
    cdef int score[64]
    cdef bits_t[2] at
    cdef bits_t cell
    cdef int least, x, answer, remembered
    cdef uint32_t second, below
    cdef uint64_t before = s.nodes[0]
    if k < NUMBERS_FROM:
        answer = attack(s, own, empty, k, last, carrier) if side == BLACK else defend(s, own, empty, k, last, carrier)
        number[0] = 1
        return OPEN if s.stop[0] else answer
    if not reduce_position(s, &own, &empty, k, &l, &least):
        return REFUTED
    if least == 0 and side == WHITE and reached(s, own, empty, carrier) or least <= 1 and side == BLACK and finish(s, own, empty, carrier):
        return PROVED
    answer = recall(s, own, empty, side, k, &remembered, carrier)
    if answer != OPEN:
        return answer
    at[0], at[1] = own, empty
    if table_find(s.numbers, at, question(s, side, k), <Entry*>&e):
        answer = look_up(s, side, own, empty, k, &e, numbers, hashes, &x, carrier)
    else:
        s.nodes[0] += 1
        if s.nodes[0] >= s.limit:
            s.stop[0] = True
            number[0] = 1
            return OPEN
        memset(&e, 0, sizeof(NumberEntry))
        e.stones[0], e.stones[1], e.side = own, empty, question(s, side, k)
        answer = static_answer(s, own, empty, side, k, &l, &e, &x, carrier)
        if answer == OPEN:
            answer = look_up(s, side, own, empty, k, &e, numbers, hashes, &x, carrier)
        if answer == OPEN and e.must:
            score_moves(s, side, e.must, own, empty, k, least, last, &l, score)
            x = press(s, side, e.must, own, empty, k, score, carrier) if s.options.pressure and e.must & (e.must - 1) else -1
            if x >= 0:
                answer = PROVED if side == BLACK else REFUTED
            else:
                rank(side, score, &e)
                if remembered >= 0:
                    e.first[remembered] = 0
    enter(&s.path, own, empty, side, k, hash_position(own, empty, question(s, side, k)))
    while answer == OPEN:
        answer = hear(s, &x, carrier)
        if answer != OPEN:
            break
        x = choose(s, side, &e, numbers, hashes, limit, &e.number, &second)
        if x < 0:
            answer = REFUTED if side == BLACK else PROVED
            carrier[0] = e.used
            break
        if e.number >= limit or s.stop[0] or s.path.length > s.path.home:
            e.work += <uint32_t>(s.nodes[0] - before)
            table_store(s.numbers, <const Entry*>&e)
            leave(&s.path, False)
            number[0] = e.number
            return OPEN
        cell = bit(x)
        # The move that looks best mostly proves the bound, so a search for the winner is kept for the others.
        if side == BLACK and s.options.oracle and e.begun and k >= SEARCH_FROM and not e.asked & cell:
            e.asked |= cell
            if defender_wins(s, own | cell, empty & ~cell, carrier):
                e.must &= carrier[0] & ~cell
                continue
        e.begun = True
        if side == BLACK:
            below = min(second + 1, limit) if s.options.numbers else INFINITE
            answer = search(s, WHITE, own | cell, empty & ~cell, k - 1, x, below, numbers + x, carrier)
            if answer == PROVED:
                carrier[0] |= cell
                reward(s, side, x, last, k)
            elif answer == REFUTED:
                e.must &= ~cell
                answer = OPEN
        else:
            below = limit - (popcount(e.must) - 1) if limit < INFINITE else INFINITE
            answer = search(s, BLACK, own, empty & ~cell, k, x, below, numbers + x, carrier)
            if answer == REFUTED:
                reward(s, side, x, last, k)
            elif answer == PROVED:
                e.must &= carrier[0] & ~cell
                e.used |= carrier[0]
                answer = OPEN
    conclude(s, own, empty, side, k, answer, x, carrier[0], before)
    leave(&s.path, True)
    return answer


cdef bint within(BoundSearch* s, bits_t own, bits_t empty, int k, bint attacker_to_move, bits_t* carrier) noexcept nogil:
    cdef uint32_t number
    if attacker_to_move and reached(s, own, empty, carrier):
        return True
    if k == 0 and attacker_to_move:
        return False
    return search(s, BLACK if attacker_to_move else WHITE, own, empty, k, 64, INFINITE, &number, carrier) == PROVED


cdef int remembered_move(BoundSearch* s, bits_t own, bits_t empty, int k, bint attacker_to_move) noexcept nogil:
    cdef Layers l
    cdef bits_t[2] at
    cdef int least
    cdef BoundEntry e
    if k < 2 or not reduce_position(s, &own, &empty, k, &l, &least):
        return -1
    at[0], at[1] = own, empty
    return e.move if table_find(s.table, at, s.tag + (BLACK if attacker_to_move else WHITE) + 1, <Entry*>&e) else -1


cdef bits_t moves_to_decide(BoundSearch* s, int side, bits_t own, bits_t empty, int k, short* lists, int* counts) noexcept nogil:
    cdef Layers l
    cdef Outlook o
    cdef NumberEntry e
    cdef bits_t needed, rest
    cdef int least, x
    if not reduce_position(s, &own, &empty, k, &l, &least) or least <= 1:
        return 0
    if static_answer(s, own, empty, side, k, &l, &e, &x, &needed) != OPEN or not e.must:
        return 0
    look_out(&o, s.board, side, own, empty, e.must, k, least, l.above, l.below)
    snap(s, side, own, empty, k)
    rest = e.must
    while rest:
        x = lowest(rest)
        rest &= rest - 1
        counts[x] = outlook_features(&o, x, lists + MOST_OUTLOOK * x)
        if threats_after(s, side, x, own, empty, k, &needed) == STRONG:
            return 0
        lists[MOST_OUTLOOK * x + counts[x]] = pressure_feature(popcount(needed))
        counts[x] += 1
    return e.must
