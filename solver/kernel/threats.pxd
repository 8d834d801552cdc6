"""What the connections to the edges say together: whether an edge-to-edge connection stands, or is threatened, and what must be done about it."""
from solver.kernel.geometry cimport bits_t, int8_t
from solver.kernel.connections cimport Carrier, Deduction, Snapshot

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

# The same from that player's connections at a position before, which cost at most as much or more and to which stones of either player have been
# added: sooner found, and now and then fewer, where a list had been full.
cdef int threaten_after(Deduction* h, const Snapshot* before, const bits_t* stones, int player, int most, bint mate, bits_t* region) noexcept nogil

# After threaten(): the threat with the fewest cells; there must be one.
cdef const Carrier* smallest_threat(const Deduction* h) noexcept nogil

# After threaten(): the opponent's moves that meet all threats, and what (some of) these threats need; without threats all cells and nothing.
cdef void must_play(const Deduction* h, bits_t* must, Carrier* used) noexcept nogil

# The cells of a player's points that have some full connection to that edge, after evaluate().
cdef bits_t reach(const Deduction* h, int player, int end) noexcept nogil
