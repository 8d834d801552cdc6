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
from solver.kernel.geometry cimport Board, bits_t, int8_t, uint8_t

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

# Deduces both players' connections. Decided: *carrier holds what the winner needs (empty cells and own stones), and if the mover wins,
# *move is a move that does, -1 if every move does. Undecided: every move outside *must loses, and *used is what the opponent needs to
# punish it: the intersection and the union of (some of) its threats.
cdef enum:
    UNDECIDED = 0
    MOVER_WINS = 1
    MOVER_LOSES = 2

cdef int evaluate(Deduction* h, const bits_t* stones, int to_move, bits_t* carrier, int8_t* move, bits_t* must,
                  bits_t* used) noexcept nogil

# Only one player's connections, and of these only the ones that cost at most `most` stones (`mate`: as chains). STRONG: it wins even if the
# opponent moves, by h.solid. WEAK: it wins if it moves, by each of h.threat; *region holds the opponent's moves that may stop them all.
# NONE: nothing found, *region is all empty cells.
cdef enum:
    NONE = 0
    WEAK = 1
    STRONG = 2

cdef int threaten(Deduction* h, const bits_t* stones, int player, int most, bint mate, bits_t* region) noexcept nogil

# After threaten(): the threat with the fewest cells; there must be one.
cdef const Carrier* smallest_threat(const Deduction* h) noexcept nogil

# After threaten(): the opponent's moves that meet all threats, and what (some of) these threats need; without threats all cells and nothing.
cdef void must_play(const Deduction* h, bits_t* must, Carrier* used) noexcept nogil

# The cells of a player's points that have some full connection to that edge, after evaluate().
cdef bits_t reach(const Deduction* h, int player, int end) noexcept nogil

cdef inline int cost(const Carrier* c, bint mate) noexcept nogil:
    return c.mate if mate else c.all
