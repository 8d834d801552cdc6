"""Does the attacker reach the terminal with at most k more of its stones? Depth-first, the attacker always as Black (first row to last)."""
from solver.kernel.geometry cimport Board, bits_t, uint32_t, uint64_t
from solver.kernel.table cimport BoundTable
from solver.kernel.winner cimport WinnerSearch

cdef enum:
    CHECKMATE = 0
    CONNECTION = 1

cdef struct BoundOptions:          # ingredients; each can be switched off
    int dead                       # dead cells and those captured by the defender are given to it
    int vulnerable                 # moves of the attacker that a reply kills are left out
    int zone                       # cells and stones that cannot matter within k are taken out of the position
    int oracle                     # the winner search tells which attacker's moves lose outright
    int pressure                   # order by the connections deduced after a move
    int history                    # order by past success of a cell
    int outlook                    # order by what was learned from proofs and refutations
    int upper                      # deduced connections that cost few enough stones prove the bound
    int lookup                     # look all children up before searching one

cdef struct BoundSearch:
    const Board* board
    WinnerSearch* oracle           # on the same board
    BoundTable* table
    int tag                        # metric and board, as the table's keys tell them apart
    BoundOptions options
    int metric
    uint64_t oracle_budget         # positions the oracle may evaluate for one question
    int history[2][64]             # [attacker 0, defender 1][cell]: recent successes
    int reply[2][65][64]           # [side][the other side's last move, 64 if none][cell]: recent successes as the reply to it
    int noise                      # 0, or the number of a search that helps others with the same table
    int* stop
    uint64_t* nodes
    uint64_t limit                 # *nodes at which the search stops itself

# True: proved, *carrier holds the empty cells within which the attacker needs no more than k stones. False: not within k, or stopped.
cdef bint within(BoundSearch* s, bits_t own, bits_t empty, int k, bint attacker_to_move, bits_t* carrier) noexcept nogil

# The move that the last answer to the same question rests on, or -1 if the table does not hold it (k <= 1, or the entry was lost).
cdef int remembered_move(BoundSearch* s, bits_t own, bits_t empty, int k, bint attacker_to_move) noexcept nogil

# For learning: the moves of which one may decide a position, each with its features (`outlook.pxd`), in a list of MOST_OUTLOOK
# for every cell. No moves where deduction decides the position, or a position one move on.
cdef bits_t moves_to_decide(BoundSearch* s, int side, bits_t own, bits_t empty, int k, short* lists, int* counts) noexcept nogil
