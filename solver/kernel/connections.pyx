# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from solver.kernel.geometry cimport Board, bits_t, bit, popcount, lowest, neighbours, flood


cdef inline void push(Deduction* h, int* tail, int point, bits_t carrier) noexcept nogil:
    if tail[0] < QUEUE:
        h.queue_point[tail[0]] = point
        h.queue_carrier[tail[0]] = carrier
        tail[0] += 1


cdef inline int largest(const bits_t* list, int n, bits_t empty) noexcept nogil:
    cdef int i, worst = 0
    for i in range(1, n):
        if popcount(list[i] & empty) > popcount(list[worst] & empty):
            worst = i
    return worst


cdef void add_full(Deduction* h, Links* links, int* tail, int y, bits_t carrier) noexcept nogil:
    """Keep the minimal carriers only; a list that is full drops its largest: that loses connections, never soundness."""
    cdef bits_t* list = links.full[y]
    cdef bits_t cells = carrier & h.empty
    cdef int i, n = links.n_full[y], kept = 0
    for i in range(n):
        if not list[i] & h.empty & ~cells:
            return
    for i in range(n):
        if cells & ~list[i]:
            list[kept] = list[i]
            kept += 1
    if kept == FULL_CAP:
        i = largest(list, kept, h.empty)
        if popcount(list[i] & h.empty) <= popcount(cells):
            links.n_full[y] = kept
            return
        list[i] = carrier
    else:
        list[kept] = carrier
        kept += 1
    links.n_full[y] = kept
    push(h, tail, y, carrier)


cdef void join_or(Deduction* h, Links* links, int* tail, int y, bits_t meet, bits_t join, int start, int depth) noexcept nogil:
    """OR rule: semi connections whose carriers have no empty cell in common make a full one; whatever the opponent plays, one is left."""
    cdef int i
    cdef bits_t semi, less
    for i in range(start, -1, -1):
        semi = links.semi[y][i]
        less = meet & semi
        if less == meet:
            continue
        if not less:
            add_full(h, links, tail, y, join | semi)
            continue
        if depth > 1 and i > 0 and not less & h.prefix[i - 1]:
            join_or(h, links, tail, y, less, join | semi, i - 1, depth - 1)
        if i == 0 or meet & h.prefix[i - 1]:
            return          # the ones before cannot empty the intersection without this one


cdef void add_semi(Deduction* h, Links* links, int* tail, int y, bits_t carrier, bint is_group) noexcept nogil:
    cdef bits_t* list = links.semi[y]
    cdef bits_t cells = carrier & h.empty
    cdef int i, n = links.n_full[y], kept = 0
    for i in range(n):
        if not links.full[y][i] & h.empty & ~cells:
            return
    n = links.n_semi[y]
    for i in range(n):
        if not list[i] & h.empty & ~cells:
            return
    for i in range(n):
        if cells & ~list[i]:
            list[kept] = list[i]
            kept += 1
    n = kept
    if n == SEMI_CAP:
        kept = largest(list, n, h.empty)
        if popcount(list[kept] & h.empty) <= popcount(cells):
            links.n_semi[y] = n
            return
        n -= 1
        for i in range(kept, n):
            list[i] = list[i + 1]
    list[n] = carrier
    links.n_semi[y] = n + 1
    links.meet[y] &= cells
    if is_group:
        push(h, tail, y | 64, carrier)
    if links.meet[y] or n == 0:
        return
    h.prefix[0] = list[0]
    for i in range(1, n):
        h.prefix[i] = h.prefix[i - 1] & list[i]
    if not cells & h.prefix[n - 1]:
        join_or(h, links, tail, y, cells, carrier, n - 1, OR_DEPTH - 1)


cdef inline bint listed(const bits_t* list, int n, bits_t carrier) noexcept nogil:
    cdef int i
    for i in range(n):
        if list[i] == carrier:
            return True
    return False


cdef void from_group(Deduction* h, Links* links, int* tail, bits_t own, int x, bits_t carrier, bint semi) noexcept nogil:
    """AND over the group x: what it is linked to by contact or by a two-bridge outside the carrier inherits its connection."""
    cdef const Board* b = h.board
    cdef bits_t stones = h.group[x], cells, via, target
    cdef int y, z, d
    cells = neighbours(b, stones) & h.empty & ~carrier
    while cells:
        y = lowest(cells)
        cells &= cells - 1
        if semi:
            add_semi(h, links, tail, y, carrier, False)
        else:
            add_full(h, links, tail, y, carrier)
    cells = stones
    while cells:
        z = lowest(cells)
        cells &= cells - 1
        for d in range(6):
            y = b.bridge[z][d]
            if y < 0:
                continue
            via = b.via[z][d]
            target = bit(y)
            if via & ~h.empty or via & carrier:
                continue
            if target & h.empty:
                if target & carrier:
                    continue
                if semi:
                    add_semi(h, links, tail, y, carrier | via, False)
                else:
                    add_full(h, links, tail, y, carrier | via)
            elif target & own & ~stones:
                y = h.name[y]
                if semi:
                    add_semi(h, links, tail, y, carrier | via | h.group[y], True)
                else:
                    add_full(h, links, tail, y, carrier | via | h.group[y])


cdef void from_cell(Deduction* h, Links* links, int* tail, bits_t own, int x, bits_t carrier) noexcept nogil:
    """AND over the empty cell x: what is linked to x has a semi connection with x as its key."""
    cdef const Board* b = h.board
    cdef bits_t key = bit(x), cells, via, target
    cdef int y, d
    cells = b.near[x] & (h.empty | own) & ~carrier
    while cells:
        y = lowest(cells)
        cells &= cells - 1
        if bit(y) & h.empty:
            add_semi(h, links, tail, y, carrier | key, False)
        else:
            y = h.name[y]
            add_semi(h, links, tail, y, carrier | key | h.group[y], True)
    for d in range(6):
        y = b.bridge[x][d]
        if y < 0:
            continue
        via = b.via[x][d]
        target = bit(y)
        if via & ~h.empty or via & carrier or target & carrier:
            continue
        if target & h.empty:
            add_semi(h, links, tail, y, carrier | key | via, False)
        elif target & own:
            y = h.name[y]
            add_semi(h, links, tail, y, carrier | key | via | h.group[y], True)


cdef void grow(Deduction* h, int player, int end) noexcept nogil:
    """All connections of a player to one edge, from a first-in-first-out list of new ones."""
    cdef const Board* b = h.board
    cdef Links* links = &h.links[player][end]
    cdef bits_t own = h.stones[player], cells, carrier, edge = b.edge[player][end]
    cdef int x, head = 0, tail = 0
    cells = own | h.empty
    while cells:
        x = lowest(cells)
        cells &= cells - 1
        links.n_full[x] = links.n_semi[x] = 0
        links.meet[x] = ~<bits_t>0
    cells = edge & h.empty
    while cells:
        add_full(h, links, &tail, lowest(cells), 0)
        cells &= cells - 1
    cells = edge & own
    while cells:
        x = h.name[lowest(cells)]
        cells &= cells - 1
        add_full(h, links, &tail, x, h.group[x])
    while head < tail:
        x = h.queue_point[head]
        carrier = h.queue_carrier[head]
        head += 1
        if x & 64:
            x &= 63
            if listed(links.semi[x], links.n_semi[x], carrier):
                from_group(h, links, &tail, own, x, carrier, True)
        elif listed(links.full[x], links.n_full[x], carrier):
            if bit(x) & own:
                from_group(h, links, &tail, own, x, carrier, False)
            else:
                from_cell(h, links, &tail, own, x, carrier)


cdef inline void add_threat(Deduction* h, bits_t carrier) noexcept nogil:
    if h.n_threats < THREATS:
        h.threats[h.n_threats] = carrier
        h.n_threats += 1


cdef bint join_edges(Deduction* h, int player) noexcept nogil:
    """Connect the player's two edges over each point. True: strong, with h.solid its carrier; else h.threats lists the weak ones."""
    cdef Links* a = &h.links[player][0]
    cdef Links* z = &h.links[player][1]
    cdef bits_t own = h.stones[player], cells, carrier
    cdef bint solid = False
    cdef int x, i, j
    grow(h, player, 0)
    grow(h, player, 1)
    h.n_threats = 0
    cells = own | h.empty
    while cells:
        x = lowest(cells)
        cells &= cells - 1
        if bit(x) & h.empty:
            for i in range(a.n_full[x]):
                for j in range(z.n_full[x]):
                    if not a.full[x][i] & z.full[x][j] & h.empty:
                        add_threat(h, a.full[x][i] | z.full[x][j] | bit(x))
        elif h.name[x] == x:
            for i in range(a.n_full[x]):
                for j in range(z.n_full[x]):
                    if not a.full[x][i] & z.full[x][j] & h.empty:
                        carrier = a.full[x][i] | z.full[x][j]
                        if not solid or popcount(carrier & h.empty) < popcount(h.solid & h.empty):
                            h.solid = carrier
                        solid = True
            if solid:
                continue
            for i in range(a.n_full[x]):
                for j in range(z.n_semi[x]):
                    if not a.full[x][i] & z.semi[x][j] & h.empty:
                        add_threat(h, a.full[x][i] | z.semi[x][j])
            for i in range(a.n_semi[x]):
                for j in range(z.n_full[x]):
                    if not a.semi[x][i] & z.full[x][j] & h.empty:
                        add_threat(h, a.semi[x][i] | z.full[x][j])
    return solid


cdef void must_play(Deduction* h, bits_t* must, bits_t* used) noexcept nogil:
    """The intersection of the threats, taken greedily so that the union of those used stays small."""
    cdef bits_t left = h.empty, union_ = 0, less
    cdef int i, best, cost, best_cost
    while left:
        best, best_cost = -1, 1 << 30
        for i in range(h.n_threats):
            less = left & h.threats[i]
            if less != left:
                cost = 4 * popcount(less) + popcount(h.threats[i] & ~union_)
                if cost < best_cost:
                    best, best_cost = i, cost
        if best < 0:
            break
        left &= h.threats[best]
        union_ |= h.threats[best]
    if not union_ and h.n_threats:
        union_ = h.threats[smallest_threat(h)]
    must[0] = left
    used[0] = union_


cdef inline int smallest_threat(const Deduction* h) noexcept nogil:
    cdef int i, best = 0
    for i in range(1, h.n_threats):
        if popcount(h.threats[i] & h.empty) < popcount(h.threats[best] & h.empty):
            best = i
    return best


cdef void find_groups(Deduction* h, bits_t stones) noexcept nogil:
    cdef bits_t group, cells
    cdef int name
    while stones:
        name = lowest(stones)
        group = flood(h.board, stones & (~stones + 1), stones)
        stones &= ~group
        h.group[name] = group
        while group:
            h.name[lowest(group)] = name
            group &= group - 1


cdef void set_position(Deduction* h, const bits_t* stones) noexcept nogil:
    h.stones[0], h.stones[1] = stones[0], stones[1]
    h.empty = h.board.full & ~(stones[0] | stones[1])


cdef int threaten(Deduction* h, const bits_t* stones, int player, bits_t* region) noexcept nogil:
    cdef int i
    set_position(h, stones)
    find_groups(h, stones[player])
    region[0] = 0
    if join_edges(h, player):
        return STRONG
    region[0] = h.empty
    for i in range(h.n_threats):
        region[0] &= h.threats[i]
    return WEAK if h.n_threats else NONE


cdef int evaluate(Deduction* h, const bits_t* stones, int to_move, bits_t* carrier, bits_t* must, bits_t* used) noexcept nogil:
    set_position(h, stones)
    find_groups(h, stones[0])
    find_groups(h, stones[1])
    if join_edges(h, to_move):
        carrier[0] = h.solid
        return MOVER_WINS
    if h.n_threats:
        carrier[0] = h.threats[smallest_threat(h)]
        return MOVER_WINS
    if join_edges(h, 1 - to_move):
        carrier[0] = h.solid
        return MOVER_LOSES
    must_play(h, must, used)
    if not must[0]:
        carrier[0] = used[0]
        return MOVER_LOSES
    return UNDECIDED


cdef bits_t reach(const Deduction* h, int player, int end) noexcept nogil:
    cdef bits_t points = h.stones[player] | h.empty, reached = 0
    cdef int x
    while points:
        x = lowest(points)
        points &= points - 1
        if bit(x) & h.empty:
            if h.links[player][end].n_full[x]:
                reached |= bit(x)
        elif h.links[player][end].n_full[h.name[x]]:
            reached |= bit(x)
    return reached
