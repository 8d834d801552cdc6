"""Threat patterns: what one proof says about other positions (van Rijswijck 2000, section 8.1; Rasmussen, Maire, Hayward 2006).

A proof rests on some of the winner's stones (the support) and on some empty cells (the carrier); everything else may be the loser's. So it
holds wherever the support stands and no stone of the loser stands on support or carrier, with the same side to move, or with the winner to
move if the winner was not."""
from solver.kernel.geometry cimport Board, bits_t, int8_t, uint16_t, uint32_t

cdef enum:
    PATTERNS = 1 << 12         # patterns kept in a list; then the oldest make room: the recent ones serve best, and stay in the cache
    HEADS = 4096               # one list for each pair of support stones
    FEW_PATTERNS = 256         # so many that are new are compared one after the other, more by their support stones

cdef struct Pattern:
    bits_t support
    bits_t cells               # support and carrier
    uint32_t next              # number of the next pattern in the same list, 0 at its end
    uint16_t head              # number of the list
    int8_t move                # the winner's first move, -1 if it wins even with the opponent to move

cdef struct PatternList:       # one winner, one side to move
    Pattern* patterns          # number 0 is not used
    uint32_t heads[HEADS]
    uint32_t count             # ever added

cdef struct PatternStore:
    PatternList lists[2][2]    # [winner][winner to move]

cdef int patterns_open(PatternStore* t) except -1
cdef void patterns_close(PatternStore* t) noexcept
cdef void patterns_clear(PatternStore* t) noexcept nogil

# Learns the proof of a position: carrier holds empty cells and winner's stones, move is the winner's first one if it is to move and not
# every move wins, else -1. The half-turned image is learned with it.
cdef void pattern_learn(PatternStore* t, const Board* b, int winner, bint to_move, bits_t carrier, int move, bits_t stones) noexcept nogil

# A pattern by which `winner` wins the position: its support and cells, 0 if none is known. (A pattern of no cells at all cannot be.) *move:
# a winning move if the winner is to move, -1 if every move wins. *seen: how many had been learned when none of them fitted this position, 0
# if that is not known; it becomes how many there are now.
cdef bits_t pattern_find(const PatternStore* t, int winner, bint to_move, const bits_t* stones, uint32_t* seen, int8_t* move) noexcept nogil

# Restricts *must, the moves of the side to move, to the cells of all patterns with which the opponent would win if it were to move; *used
# gets the cells of those that mattered.
cdef void pattern_threats(const PatternStore* t, int opponent, const bits_t* stones, bits_t* must, bits_t* used) noexcept nogil
