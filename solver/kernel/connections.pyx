# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from libc.string cimport memcpy
from solver.kernel.geometry cimport Board, bits_t, bit, popcount, lowest, neighbours, open_bridges, unleap, flood, edge_bridges, edge_bridge_cells


cdef inline bint contains_one(const Carrier* list, int n, bits_t cells) noexcept nogil:
    """Is a listed carrier inside `cells`?"""
    cdef int i
    for i in range(n):
        if not list[i].cells & ~cells:
            return True
    return False


cdef inline int insert(Carrier* list, int n, int cap, const Carrier* new) noexcept nogil:
    """Put a minimal carrier into a list sorted by size: the ones that contain it go, then the largest if there is no room. Returns the new
    length, or -1 if it contains a listed one, or is itself the largest and there is no room: that loses connections, never soundness."""
    cdef int at = 0, i, kept, size = popcount(new.cells)
    cdef Carrier next, last
    while at < n and list[at].size <= size:            # only these can be inside, only the others contain it
        if not list[at].cells & ~new.cells:
            return -1
        at += 1
    if at == cap:
        return -1
    last = new[0]
    last.size = size
    kept = at
    for i in range(at, n):
        next = list[i]
        if new.cells & ~next.cells:
            list[kept] = last
            kept += 1
            last = next
    if kept < cap:
        list[kept] = last
        kept += 1
    return kept


cdef inline void push(Deduction* h, int point, bint semi, const Carrier* carrier) noexcept nogil:
    cdef Item* item
    if h.tail < QUEUE:
        item = &h.queue[h.tail]
        item.point, item.semi, item.carrier = point, semi, carrier[0]
        h.tail += 1


cdef inline void add_full(Deduction* h, Connections* c, int y, const Carrier* new) noexcept nogil:
    """Add a connection unless it contains a listed one."""
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
                add_full(h, c, y, &more)
                continue
            join_or(h, c, y, less, &more, i - 1, depth - 1)
        if i == 0 or meet & h.prefix[i - 1]:
            return          # the ones before cannot empty the intersection without this one


cdef void add_semi(Deduction* h, Connections* c, int y, const Carrier* new) noexcept nogil:
    """Add a connection that contains no full one, unless it contains a listed one, and apply the OR rule to it."""
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
    cdef bits_t open[6]            # cells with an open two-bridge to a point
    cdef int x, y, z, d
    open_bridges(b, h.empty, open)
    for d in range(6):
        open[d] &= unleap(b, d, h.empty | own)
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
                if not open[d] & bit(z):
                    continue
                y = b.bridge[z][d]
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


cdef void start(Deduction* h, Connections* c, bits_t points) noexcept nogil:
    """No connections yet, none new."""
    cdef int x
    h.tail = 0
    while points:
        x = lowest(points)
        points &= points - 1
        c.n_full[x] = c.n_semi[x] = 0
        c.meet[x] = ~<bits_t>0


cdef void seed(Deduction* h, Connections* c, int player, int end) noexcept nogil:
    """The points on the edge and those a two-bridge away from it."""
    cdef const Board* b = h.board
    cdef bits_t edge = b.edge[player][end], cells
    cdef Carrier new
    cdef int x
    new.cells, new.all, new.mate, new.key = 0, 0, 0, -1
    cells = edge & (h.empty | h.stones[player])
    while cells:
        x = lowest(cells)
        cells &= cells - 1
        if not bit(x) & h.empty:
            x = h.name[x]
        new.stones = h.group[x]
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
        add_full(h, c, x, &new)


cdef void spread(Deduction* h, Connections* c) noexcept nogil:
    """What follows from a first-in-first-out list of new connections to one edge.

    AND over a group x: what is linked to x outside the carrier inherits the connection, full or semi. AND over an empty cell x: what is
    linked to x has a semi connection with x as its key."""
    cdef Carrier new, base
    cdef Item item
    cdef bits_t key, via
    cdef bint semi
    cdef int x, y, i, head = 0
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


cdef void grow(Deduction* h, int player) noexcept nogil:
    cdef Connections* c
    cdef int end
    find_groups(h, player)
    find_links(h, player)
    for end in range(2):
        c = &h.to_edge[player][end]
        start(h, c, h.points[player])
        seed(h, c, player, end)
        spread(h, c)


cdef void record(const Deduction* h, int player, Snapshot* s) noexcept nogil:
    cdef const Connections* c
    cdef Carrier* next = s.carriers
    cdef bits_t points
    cdef int end, x
    s.own, s.points = h.stones[player], h.points[player]
    for end in range(2):
        c = &h.to_edge[player][end]
        points = s.points
        while points:
            x = lowest(points)
            points &= points - 1
            s.n_full[end][x], s.n_semi[end][x] = c.n_full[x], c.n_semi[x]
            memcpy(next, c.full[x], c.n_full[x] * sizeof(Carrier))
            next += c.n_full[x]
            memcpy(next, c.semi[x], c.n_semi[x] * sizeof(Carrier))
            next += c.n_semi[x]


cdef void inherit(Deduction* h, Connections* c, int y, const Carrier* list, int n_full, int n, bits_t taken, bits_t lost,
                  bint changed) noexcept nogil:
    """The point y takes over connections of a point that it was or that its group has swallowed, first the full ones. A group with new
    stones passes on all that it has; what any other point has to pass on is known."""
    cdef Carrier carrier
    cdef int i
    for i in range(n):
        if list[i].cells & taken or list[i].stones & lost or cost(list + i, h.mate) > h.most:
            continue
        carrier = list[i]
        carrier.stones |= h.group[y]
        if not changed:
            if i < n_full:
                c.full[y][c.n_full[y]] = carrier
                c.n_full[y] += 1
            else:
                c.semi[y][c.n_semi[y]] = carrier
                c.n_semi[y] += 1
                c.meet[y] &= carrier.cells
        elif contains_one(c.full[y], c.n_full[y], carrier.cells):
            continue
        elif i < n_full:
            add_full(h, c, y, &carrier)
        else:
            add_semi(h, c, y, &carrier)


cdef void grow_from(Deduction* h, const Snapshot* before, int player) noexcept nogil:
    """Whatever rests on a cell that the opponent has taken is gone; so is what went through a cell that is now the player's, and comes back
    from the new stone, shorter. What is left rests on nothing that has changed, and a stone more of the player makes no connection dearer."""
    cdef bits_t own = h.stones[player], new = own & ~before.own, lost = ~(h.empty | own), points
    cdef const Carrier* next = before.carriers
    cdef Connections* c
    cdef int end, x, y, n
    find_groups(h, player)
    find_links(h, player)
    for end in range(2):
        c = &h.to_edge[player][end]
        start(h, c, h.points[player])
        points = before.points
        while points:
            x = lowest(points)
            points &= points - 1
            n = before.n_full[end][x] + before.n_semi[end][x]
            if not bit(x) & lost:
                y = x if bit(x) & h.empty else h.name[x]
                inherit(h, c, y, next, before.n_full[end][x], n, lost | new, lost, (h.group[y] & new) != 0)
            next += n
        spread(h, c)
