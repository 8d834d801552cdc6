"""Who wins: depth-first proof-number search with must-play regions and carriers (df-pn: Nagai 2002; must-play: Hayward et al. 2003)."""
from solver.kernel.geometry cimport Board, bits_t, uint32_t, uint64_t
from solver.kernel.connections cimport Deduction
from solver.kernel.patterns cimport PatternStore
from solver.kernel.table cimport Table

cdef struct WinnerOptions:     # ingredients; each can be switched off
    int fill                   # give dead and captured cells away before a position is looked up
    int deduction              # H-search: static decisions and must-play regions
    int guess                  # first proof numbers of children, and costs of their moves, by their promise
    int patterns               # threat patterns of earlier proofs answer other positions
    int reach                  # path lengths start from all points with a full connection to the edge
    int history                # ... and by what won before as the reply to the same move

cdef enum:
    REMEMBERED = 1 << 13       # positions of which more is kept than their entries, a power of two

cdef struct Remembered:        # what it took time to find out about a position, since it is returned to soon
    bits_t stones[2]
    int side                   # as in the position's entry
    uint32_t seen[4]           # how many patterns it was compared with: those by which the side to move wins if it is to move, if it is not,
                               # and by which the other side wins if the side to move is, if it is not
    bint compared
    bint promised
    int promise[64]            # of its moves, if it was promised

cdef struct WinnerSearch:
    const Board* board
    Deduction* deduction
    PatternStore* patterns
    Table* table
    Remembered* remembered     # one for each value of a position's hash
    int tag                    # 0, or 2 on a second board that shares the table
    WinnerOptions options
    int reply[2][65][64]       # [side][the other side's last move, 64 if none][cell]: recent wins by it
    int* stop                  # set from outside: the search unwinds, its answer is UNKNOWN
    uint64_t* nodes            # positions evaluated
    uint64_t patience          # positions after which the moves of the position asked about are searched one by one
    uint64_t limit             # *nodes at which the search gives up; nothing is lost, it can be called again

cdef enum:
    LOSS = 0                   # for the side to move
    WIN = 1
    UNKNOWN = 2                # stopped, or limit reached

# Who wins? Decided: *carrier holds the empty cells (and, beside them, own stones) within which the winner wins even if every other empty cell
# is the loser's; *move is a winning move of the side to move if it wins, or -1 if every move does.
cdef int winner_search(WinnerSearch* w, const bits_t* stones, int to_move, bits_t* carrier, int* move) noexcept nogil
