"""A bounded question: does the attacker reach the terminal with at most k more of its stones? The attacker plays as Black (first row to last).

Here is what all searches for the answer share: the position as the question sees it, the moves, their order, and what is remembered."""
from solver.kernel.geometry cimport Board, bits_t, lowest, uint64_t
from solver.kernel.connections cimport Snapshot
from solver.kernel.paths cimport MOST, Paths
from solver.kernel.table cimport Table
from solver.kernel.company cimport Path
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
    int numbers                    # the attacker leaves a move for the time being when another one looks easier to prove

cdef struct BoundSearch:
    const Board* board
    WinnerSearch* oracle           # on the same board
    Table* table                   # of bounds
    int tag                        # metric and board, as the table's keys tell them apart
    BoundOptions options
    int metric
    uint64_t oracle_budget         # positions the oracle may evaluate for one question
    int history[2][64]             # [attacker 0, defender 1][cell]: recent successes
    int reply[2][65][64]           # [side][the other side's last move, 64 if none][cell]: recent successes as the reply to it
    Table* numbers                 # how hard the questions look that are not decided yet
    Snapshot* snapshot             # the mover's connections in the position whose moves are being looked at
    Path path                      # the questions that the search is below
    int* stop
    uint64_t* nodes
    uint64_t limit                 # *nodes at which the search stops itself

cdef struct Layers:                # a position as the question sees it
    bits_t above[MOST]             # the attacker's layers from its first edge
    bits_t below[MOST]             # and from its last
    bits_t moves                   # cells on a path of cost <= k: all moves that can help the attacker

# Is the terminal reached? Then *carrier holds the cells of the chain's two-bridges.
cdef bint reached(BoundSearch* s, bits_t own, bits_t empty, bits_t* carrier) noexcept nogil
cdef void attacker_paths(BoundSearch* s, Paths* p, bits_t own, bits_t empty) noexcept nogil

# Takes what cannot matter within k stones out of the position; *least: stones on the attacker's shortest path. False: more than k.
cdef bint reduce_position(BoundSearch* s, bits_t* own, bits_t* empty, int k, Layers* l, int* least) noexcept nogil

# Of the attacker's moves those that may prove the bound.
cdef bits_t attackers_moves(BoundSearch* s, bits_t own, bits_t empty, int k, bits_t moves) noexcept nogil

# The order of moves: the greater the score the better; and what decided is told for the next time.
cdef void score_moves(BoundSearch* s, int side, bits_t moves, bits_t own, bits_t empty, int k, int least, int last, const Layers* l,
                      int* score) noexcept nogil
cdef void reward(BoundSearch* s, int side, int cell, int last, int k) noexcept nogil

cdef enum:                         # answers
    REFUTED = 0
    PROVED = 1
    OPEN = 2                       # not known, or not yet

# What the table knows of a question: PROVED with the proof's carrier, or REFUTED; OPEN with the best move so far, or -1.
cdef int recall(BoundSearch* s, bits_t own, bits_t empty, int side, int k, int* move, bits_t* carrier) noexcept nogil

# What deduction says of a question, from the attacker's connections that k stones can pay for: PROVED with a carrier; OPEN with, if the
# defender is to move, its moves that meet all threats in *must and the cells of (some of) these threats in *carrier.
cdef int deduced(BoundSearch* s, bits_t own, bits_t empty, int side, int k, bits_t* must, bits_t* carrier) noexcept nogil

# Keeps an answer in the table and returns it. move: the attacker's that proves or the defender's that refutes, -1 if no single one does, or
# of the other side; carrier: of a proof; before: s.nodes[0] when the search began.
cdef int conclude(BoundSearch* s, bits_t own, bits_t empty, int side, int k, int answer, int move, bits_t carrier,
                  uint64_t before) noexcept nogil

cdef inline int best_of(const int* score, bits_t moves) noexcept nogil:
    cdef int x, best = lowest(moves)
    moves &= moves - 1
    while moves:
        x = lowest(moves)
        moves &= moves - 1
        if score[x] > score[best]:
            best = x
    return best
