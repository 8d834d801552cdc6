"""The transposition tables of the searches. An entry keeps its full position, so two positions are never confused (no type-1 errors).
A table's size is a power of two; buckets of eight entries; a full bucket loses the entry with the least work below it. Threads may share
a table: an entry is copied out and in under its bucket's lock. A table is opened, closed and cleared while no search runs."""
from solver.kernel.geometry cimport bits_t, uint8_t, int8_t, uint32_t, uint64_t

cdef enum:
    BUCKET = 8
    LOCKS = 256                # of a table; a power of two
    FEW = BUCKET * LOCKS       # entries that every table has
    INFINITE = 1000000000

cdef struct Entry:             # what every entry begins with
    bits_t stones[2]           # the key, with side
    uint32_t work              # positions evaluated below
    uint8_t side               # 0 for a free entry

cdef struct WinnerEntry:       # a position in the depth-first proof-number search, as the side to move sees it
    bits_t stones[2]
    uint32_t work
    uint8_t side               # side to move + 1 (+ 2 on a second board)
    int8_t move                # proved: a winning move, or -1 if every move wins
    uint8_t last               # the move by which the search came here first, 64: none
    uint32_t phi               # fewest leaves to prove a win; 0 proved, INFINITE refuted
    uint32_t delta             # fewest leaves to prove a loss
    bits_t carrier             # proved or refuted: empty cells and own stones the winner needs
    bits_t must                # open: moves not yet refuted
    bits_t used                # open: what the refutations so far need
    bits_t reach[2][2]         # [player][end]: points with a full connection to that edge

cdef struct NumberEntry:       # a question of the bounded search that is not decided yet
    bits_t stones[2]           # the attacker's stones that count, and the empty cells that do; all others are the defender's
    uint32_t work
    uint8_t side               # the question: side to move, metric and board, stones
    uint8_t begun              # a move has been searched
    uint32_t number            # how hard it looks to prove
    bits_t must                # moves not yet known to fail
    bits_t used                # defender to move: the cells of the proofs against its other moves
    bits_t asked               # attacker to move: its moves after which the oracle has been asked
    uint8_t first[64]          # of a move: the attacker's first number, the defender's rank

cdef enum:
    UNBOUNDED = 99

cdef struct BoundEntry:        # a position of the bounded search, attacker as Black, cells that cannot matter taken out
    bits_t own                 # the key, with empty and side: the attacker's stones
    bits_t empty
    uint32_t work              # positions searched below
    uint8_t side               # 1 attacker to move, 2 defender to move (+ 2 for connection, + 4 on a second board), 0 for a free entry
    int8_t move                # the best move so far of the side to move, or -1
    uint8_t lo                 # the attacker needs at least lo stones
    uint8_t hi                 # hi stones are enough; UNBOUNDED if none is known to be
    bits_t carrier             # of the proof for hi

cdef struct Table:             # grows with its use, so that small searches stay in the cache and clearing is quick
    char* entries
    size_t size                # of an entry
    uint64_t mask              # entries - 1
    uint64_t most              # the mask it may grow to
    uint64_t used              # entries taken
    uint8_t locks[LOCKS]       # 0 at first

cdef int table_open(Table* t, size_t size, size_t memory) except -1     # small; never takes more than `memory` bytes, not even while it grows
cdef void table_close(Table* t) noexcept
cdef int table_clear(Table* t) except -1

# Copies the entry of a position to *e; False if there is none. side: as in the entry.
cdef bint table_find(Table* t, const bits_t* stones, int side, Entry* e) noexcept nogil
cdef void table_store(Table* t, const Entry* e) noexcept nogil

# Takes what *e says into the entry of its position: the tighter bounds, the move if it has one, the work on top.
cdef void bounds_merge(Table* t, const BoundEntry* e) noexcept nogil

cdef inline uint64_t hash_position(bits_t a, bits_t b, int salt) noexcept nogil:
    cdef uint64_t h = a * <uint64_t>0x9E3779B97F4A7C15 ^ (b * <uint64_t>0xC2B2AE3D27D4EB4F + <uint64_t>0x165667B19E3779F9 * salt)
    h ^= h >> 29
    h *= <uint64_t>0xBF58476D1CE4E5B9
    return h ^ (h >> 32)
