"""Virtual connections to the edges by AND/OR deduction (H-search, Anshelevich 2000, "Deduction of virtual connections").

Connections between a point (an empty cell, or a group of stones, named by its lowest cell) and one edge of its owner:
  full(x): the owner, sitting on x, reaches the edge even if the opponent moves first;
  semi(x): the owner, sitting on x, reaches the edge if it moves first.
Points are linked to each other only by contact and by two-bridges; everything else grows from the edge. Two connections are disjoint if
they share no empty cell.

Each connection also bounds the owner's stones it can cost, whatever the opponent does and however often it interrupts:
  all:  until it stands as a chain of contacts;
  mate: until it is a chain of contacts and of two-bridges with disjoint cells, 0 if it is one.
A link by a two-bridge: all 1 (the opponent may intrude, once), mate 0. A key: one stone more of both. OR: the worst of the members, since
the owner answers an intrusion with one of those left. AND: `all` adds up; the opponent spoils every two-bridge it can before the last part
that is no chain yet becomes one, so mate = max(all1 + mate2, mate1 + all2) over the parts that are no chain, 0 if both are.

And each names its key, the owner's next move: of a semi connection the move that makes it full. A full one needs none; with the key of a
member of its OR the owner makes progress. It has none if it is a chain.
"""
from solver.kernel.geometry cimport Board, bits_t, uint8_t

cdef enum:
    FULL_CAP = 5           # full connections kept for a point, the smallest ones
    SEMI_CAP = 10          # semi connections kept for a point
    OR_DEPTH = 4           # most semi connections joined by one OR
    LINKS = 48             # links kept of a point
    QUEUE = 2048
    THREATS = 1024

cdef struct Carrier:
    bits_t cells                   # empty cells needed; the point itself left out, keys included
    bits_t stones                  # the owner's stones used
    uint8_t all                    # stones it costs at most until it stands
    uint8_t mate                   # stones it costs at most until it is a chain with disjoint two-bridges
    uint8_t size                   # number of cells, if it is listed
    int key                        # the owner's next move, or -1

cdef struct Connections:           # of one player to one edge; each list sorted by the number of cells
    Carrier full[64][FULL_CAP]
    Carrier semi[64][SEMI_CAP]
    bits_t meet[64]                # intersection of the semi carriers ever added
    uint8_t n_full[64]
    uint8_t n_semi[64]

cdef struct Item:                  # a new connection of a point
    Carrier carrier
    int point
    bint semi

cdef struct Deduction:             # workspace of one search; holds the last position looked at
    const Board* board
    bits_t stones[2]
    bits_t empty
    int most                       # connections that cost more stones are of no use
    bint mate                      # counted as `mate` or as `all`
    bits_t points[2]               # names of a player's points: empty cells and groups
    bits_t group[64]               # stones of a group, by its name; 0 for an empty cell
    uint8_t name[64]               # name of the group of a stone
    uint8_t n_links[64]            # links of a point of the player deduced now
    uint8_t link_to[64][LINKS]     # the other point
    bits_t link_via[64][LINKS]     # the two cells between, 0 for contact
    Connections to_edge[2][2]      # [player][end]
    Carrier threat[THREATS]        # weak edge-to-edge connections of the player deduced last
    int n_threats
    Carrier solid                  # its strong edge-to-edge connection with the fewest cells
    Item queue[QUEUE]
    int tail
    bits_t prefix[SEMI_CAP]        # prefix[i]: intersection of the semi carriers 0..i of the point at hand

cdef struct Snapshot:              # one player's connections at a position
    bits_t own                     # its stones
    bits_t points
    uint8_t n_full[2][64]          # to either edge
    uint8_t n_semi[2][64]
    Carrier carriers[2 * 64 * (FULL_CAP + SEMI_CAP)]    # by edges, then by points, the full ones first

# All connections of a player in the position that `h` holds, of at most h.most stones.
cdef void grow(Deduction* h, int player) noexcept nogil

# The same from what was recorded at an earlier position.
cdef void grow_from(Deduction* h, const Snapshot* before, int player) noexcept nogil

cdef void record(const Deduction* h, int player, Snapshot* s) noexcept nogil

cdef inline int cost(const Carrier* c, bint mate) noexcept nogil:
    return c.mate if mate else c.all

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
