# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from solver.kernel.geometry cimport CELLS, Board, bits_t, int8_t, bit, popcount, lowest, neighbours, flood, edge_bridges, edge_bridge_cells


cdef inline Carrier both(const Carrier* a, const Carrier* b) noexcept nogil:
    """AND of two disjoint connections."""
    cdef Carrier c
    c.cells, c.stones, c.all = a.cells | b.cells, a.stones | b.stones, a.all + b.all
    if a.mate == 0 and b.mate == 0:
        c.mate, c.key = 0, -1
    elif a.mate == 0:
        c.mate, c.key = a.all + b.mate, b.key
    elif b.mate == 0:
        c.mate, c.key = a.mate + b.all, a.key
    else:
        c.mate, c.key = max(a.all + b.mate, a.mate + b.all), a.key
    return c


cdef inline Carrier either(const Carrier* a, const Carrier* b) noexcept nogil:
    """OR of two connections; more are joined one by one."""
    cdef Carrier c
    c.cells, c.stones = a.cells | b.cells, a.stones | b.stones
    c.all, c.mate, c.key = max(a.all, b.all), max(a.mate, b.mate), a.key
    return c


cdef inline bint contains_one(const Carrier* list, int n, bits_t cells) noexcept nogil:
    """Is a listed carrier inside `cells`?"""
    cdef int i
    for i in range(n):
        if not list[i].cells & ~cells:
            return True
    return False


cdef inline int insert(Carrier* list, int n, int cap, const Carrier* new) noexcept nogil:
    """Put a minimal carrier into a list sorted by size: the ones that contain it go, then the largest if there is no room. Returns the new
    length, or -1 if the new one itself is the largest and there is no room: that loses connections, never soundness."""
    cdef int i, kept = 0, size = popcount(new.cells)
    for i in range(n):
        if new.cells & ~list[i].cells:
            if kept != i:
                list[kept] = list[i]
            kept += 1
    n = kept
    if n == cap:
        if popcount(list[n - 1].cells) <= size:
            return -1
        n -= 1
    i = n
    while i > 0 and popcount(list[i - 1].cells) > size:
        list[i] = list[i - 1]
        i -= 1
    list[i] = new[0]
    return n + 1


cdef inline void push(Deduction* h, int point, bint semi, const Carrier* carrier) noexcept nogil:
    cdef Item* item
    if h.tail < QUEUE:
        item = &h.queue[h.tail]
        item.point, item.semi, item.carrier = point, semi, carrier[0]
        h.tail += 1


cdef inline void add_full(Deduction* h, Connections* c, int y, const Carrier* new) noexcept nogil:
    """Add a connection that contains no listed one."""
    cdef int n
    if cost(new, h.mate) > h.most:
        return
    n = insert(c.full[y], c.n_full[y], FULL_CAP, new)
    if n >= 0:
        c.n_full[y] = n
        push(h, y, False, new)


cdef void join_or(Deduction* h, Connections* c, int y, bits_t meet, const Carrier* joined, int start, int depth) noexcept nogil:
    """OR rule: semi connections that have no empty cell in common make a full one; whatever the opponent plays, one is left."""
    cdef int i
    cdef bits_t less
    cdef Carrier more
    for i in range(start, -1, -1):
        less = meet & c.semi[y][i].cells
        if less == meet:
            continue
        if not less or (depth > 1 and i > 0 and not less & h.prefix[i - 1]):
            more = either(joined, &c.semi[y][i])
            if not less:
                if not contains_one(c.full[y], c.n_full[y], more.cells):
                    add_full(h, c, y, &more)
                continue
            join_or(h, c, y, less, &more, i - 1, depth - 1)
        if i == 0 or meet & h.prefix[i - 1]:
            return          # the ones before cannot empty the intersection without this one


cdef void add_semi(Deduction* h, Connections* c, int y, const Carrier* new) noexcept nogil:
    """Add a connection that contains no listed one, full or semi, and apply the OR rule to it."""
    cdef Carrier* list = c.semi[y]
    cdef int i, n
    if cost(new, h.mate) > h.most:
        return
    n = insert(list, c.n_semi[y], SEMI_CAP, new)
    if n < 0:
        return
    c.n_semi[y] = n
    c.meet[y] &= new.cells
    if h.group[y]:
        push(h, y, True, new)
    if c.meet[y] or n == 1:
        return
    h.prefix[0] = list[0].cells
    for i in range(1, n):
        h.prefix[i] = h.prefix[i - 1] & list[i].cells
    if not new.cells & h.prefix[n - 1]:
        join_or(h, c, y, new.cells, new, n - 1, OR_DEPTH - 1)


cdef void find_groups(Deduction* h, int player) noexcept nogil:
    """Names the player's points: empty cells and groups."""
    cdef bits_t stones = h.stones[player], group
    cdef int name
    h.points[player] = h.empty
    while stones:
        name = lowest(stones)
        group = flood(h.board, stones & (~stones + 1), stones)
        stones &= ~group
        h.points[player] |= bit(name)
        h.group[name] = group
        while group:
            h.name[lowest(group)] = name
            group &= group - 1


cdef inline void add_link(Deduction* h, int x, int y, bits_t via) noexcept nogil:
    if h.n_links[x] < LINKS:
        h.link_to[x][h.n_links[x]], h.link_via[x][h.n_links[x]] = y, via
        h.n_links[x] += 1


cdef void find_links(Deduction* h, int player) noexcept nogil:
    """Contacts and open two-bridges between the player's points."""
    cdef const Board* b = h.board
    cdef bits_t own = h.stones[player], points = h.points[player], cells, near, named
    cdef int x, y, z, d
    while points:
        x = lowest(points)
        points &= points - 1
        h.n_links[x] = 0
        if bit(x) & h.empty:
            h.group[x] = 0
            cells = bit(x)
        else:
            cells = h.group[x]
        near = neighbours(b, cells) & ~cells
        named = near & own
        near &= h.empty
        while named:
            y = h.name[lowest(named)]
            named &= ~h.group[y]
            near |= bit(y)
        while near:
            add_link(h, x, lowest(near), 0)
            near &= near - 1
        while cells:
            z = lowest(cells)
            cells &= cells - 1
            for d in range(6):
                y = b.bridge[z][d]
                if y < 0 or b.via[z][d] & ~h.empty or not bit(y) & (h.empty | own):
                    continue
                if bit(y) & own:
                    y = h.name[y]
                    if y == x:
                        continue
                add_link(h, x, y, b.via[z][d])


cdef inline bint listed(const Carrier* list, int n, bits_t cells) noexcept nogil:
    cdef int i
    for i in range(n):
        if list[i].cells == cells:
            return True
    return False


cdef void seed(Deduction* h, Connections* c, int player, int end) noexcept nogil:
    """The points on the edge and those a two-bridge away from it."""
    cdef const Board* b = h.board
    cdef bits_t points = h.points[player], edge = b.edge[player][end], cells
    cdef Carrier new
    cdef int x
    while points:
        x = lowest(points)
        points &= points - 1
        c.n_full[x] = c.n_semi[x] = 0
        c.meet[x] = ~<bits_t>0
    new.cells, new.all, new.mate, new.key = 0, 0, 0, -1
    cells = edge & (h.empty | h.stones[player])
    while cells:
        x = lowest(cells)
        cells &= cells - 1
        if not bit(x) & h.empty:
            x = h.name[x]
        new.stones = h.group[x]
        if not contains_one(c.full[x], c.n_full[x], new.cells):
            add_full(h, c, x, &new)
    new.all = 1
    cells = edge_bridges(b, player, end, h.empty) & (h.empty | h.stones[player])
    while cells:
        x = lowest(cells)
        cells &= cells - 1
        new.cells = edge_bridge_cells(b, player, end, bit(x))
        if not bit(x) & h.empty:
            x = h.name[x]
        new.stones = h.group[x]
        if not contains_one(c.full[x], c.n_full[x], new.cells):
            add_full(h, c, x, &new)


cdef void grow(Deduction* h, int player, int end) noexcept nogil:
    """All connections of a player to one edge, from a first-in-first-out list of new ones.

    AND over a group x: what is linked to x outside the carrier inherits the connection, full or semi. AND over an empty cell x: what is
    linked to x has a semi connection with x as its key."""
    cdef Connections* c = &h.to_edge[player][end]
    cdef Carrier new, base
    cdef Item item
    cdef bits_t key, via
    cdef bint semi
    cdef int x, y, i, head = 0
    h.tail = 0
    seed(h, c, player, end)
    while head < h.tail:
        item = h.queue[head]
        head += 1
        x = item.point
        if not (listed(c.semi[x], c.n_semi[x], item.carrier.cells) if item.semi else listed(c.full[x], c.n_full[x], item.carrier.cells)):
            continue           # a smaller carrier has taken its place
        base = item.carrier
        key = 0 if h.group[x] else bit(x)
        if key:
            base.cells |= key
            base.all += 1
            base.mate += 1
            base.key = x
        semi = item.semi or key != 0
        for i in range(h.n_links[x]):
            y, via = h.link_to[x][i], h.link_via[x][i]
            if base.cells & (via | bit(y)) or base.stones & bit(y) or contains_one(c.full[y], c.n_full[y], base.cells | via):
                continue
            if semi and contains_one(c.semi[y], c.n_semi[y], base.cells | via):
                continue
            new = base
            new.cells |= via
            new.stones |= h.group[y]
            if via:                # AND with the two-bridge, which costs 1 or 0
                new.all += 1
                new.mate += base.mate != 0
            if semi:
                add_semi(h, c, y, &new)
            else:
                add_full(h, c, y, &new)


cdef inline void add_threat(Deduction* h, const Carrier* a, const Carrier* z, bits_t key, int move) noexcept nogil:
    """AND of connections of a point to both edges: of full ones over an empty cell, the `key`, or of a full and a semi one over a group."""
    cdef Carrier* new
    if not a.cells & z.cells and h.n_threats < THREATS:
        new = &h.threat[h.n_threats]
        new[0] = both(a, z)
        new.key = move
        if key:
            new.cells |= key
            new.all += 1
            new.mate += 1
        if cost(new, h.mate) <= h.most:
            h.n_threats += 1


cdef bint join_edges(Deduction* h, int player) noexcept nogil:
    """Connect the player's two edges over each point. True: strong, by h.solid; else h.threat lists the weak ones."""
    cdef Connections* a = &h.to_edge[player][0]
    cdef Connections* z = &h.to_edge[player][1]
    cdef bits_t points
    cdef Carrier whole
    cdef bint solid = False
    cdef int x, i, j
    find_groups(h, player)
    find_links(h, player)
    grow(h, player, 0)
    grow(h, player, 1)
    h.n_threats = 0
    points = h.points[player]
    while points:
        x = lowest(points)
        points &= points - 1
        for i in range(a.n_full[x]):
            for j in range(z.n_full[x]):
                if not h.group[x]:
                    add_threat(h, &a.full[x][i], &z.full[x][j], bit(x), x)
                elif not a.full[x][i].cells & z.full[x][j].cells:
                    whole = both(&a.full[x][i], &z.full[x][j])
                    if cost(&whole, h.mate) <= h.most and (not solid or popcount(whole.cells) < popcount(h.solid.cells)):
                        solid = True
                        h.solid = whole
        if not h.group[x] or solid:
            continue
        for i in range(a.n_full[x]):
            for j in range(z.n_semi[x]):
                add_threat(h, &a.full[x][i], &z.semi[x][j], 0, z.semi[x][j].key)
        for i in range(a.n_semi[x]):
            for j in range(z.n_full[x]):
                add_threat(h, &a.semi[x][i], &z.full[x][j], 0, a.semi[x][i].key)
    return solid


cdef const Carrier* smallest_threat(const Deduction* h) noexcept nogil:
    cdef int i, best = 0
    for i in range(1, h.n_threats):
        if popcount(h.threat[i].cells) < popcount(h.threat[best].cells):
            best = i
    return &h.threat[best]


cdef void must_play(const Deduction* h, bits_t* must, Carrier* used) noexcept nogil:
    """The intersection is taken greedily so that the union of the threats used stays small."""
    cdef bits_t left = h.empty, less
    cdef int i, best, price, best_price
    used.cells, used.stones, used.all, used.mate, used.key = 0, 0, 0, 0, -1
    while left:
        best, best_price = -1, 1 << 30
        for i in range(h.n_threats):
            less = left & h.threat[i].cells
            if less != left:
                price = 4 * popcount(less) + popcount(h.threat[i].cells & ~used.cells)
                if price < best_price:
                    best, best_price = i, price
        if best < 0:
            break
        left &= h.threat[best].cells
        used[0] = either(used, &h.threat[best])
    must[0] = left


cdef inline void set_position(Deduction* h, const bits_t* stones) noexcept nogil:
    h.stones[0], h.stones[1] = stones[0], stones[1]
    h.empty = h.board.full & ~(stones[0] | stones[1])


cdef int threaten(Deduction* h, const bits_t* stones, int player, int most, bint mate, bits_t* region) noexcept nogil:
    cdef int i
    set_position(h, stones)
    h.most, h.mate = most, mate
    region[0] = 0
    if join_edges(h, player):
        return STRONG
    region[0] = h.empty
    for i in range(h.n_threats):
        region[0] &= h.threat[i].cells
    return WEAK if h.n_threats else NONE


cdef int evaluate(Deduction* h, const bits_t* stones, int to_move, bits_t* carrier, int8_t* move, bits_t* must,
                  bits_t* used) noexcept nogil:
    cdef Carrier need
    set_position(h, stones)
    h.most, h.mate = CELLS, False
    move[0] = -1
    if join_edges(h, to_move):
        carrier[0] = h.solid.cells | h.solid.stones
        return MOVER_WINS
    if h.n_threats:
        need = smallest_threat(h)[0]
        carrier[0], move[0] = need.cells | need.stones, need.key
        return MOVER_WINS
    if join_edges(h, 1 - to_move):
        carrier[0] = h.solid.cells | h.solid.stones
        return MOVER_LOSES
    must_play(h, must, &need)
    used[0] = need.cells | need.stones
    if not must[0]:
        carrier[0] = used[0]
        return MOVER_LOSES
    return UNDECIDED


cdef bits_t reach(const Deduction* h, int player, int end) noexcept nogil:
    cdef bits_t points = h.points[player], reached = 0
    cdef int x
    while points:
        x = lowest(points)
        points &= points - 1
        if h.to_edge[player][end].n_full[x]:
            reached |= bit(x) if bit(x) & h.empty else flood(h.board, bit(x), h.stones[player])
    return reached
