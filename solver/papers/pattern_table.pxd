"""A table of threat patterns: one proof answers every position that has what it rests on (Rasmussen, Maire and Hayward 2006, section 6).

A *strong* pattern of a player is a set of its stones, the support, and a set of other cells, the carrier: whoever has these stones wins,
the opponent to move, as long as no stone of the opponent stands on the carrier. With one stone of the support missing it is a *weak* one:
the player wins if it is to move, and the opponent must move on the carrier or on the missing stone's cell.

    Black's stones b1 and b2, carrier a3 and b3: strong.         a b c
    If b2 is empty: weak, with the carrier b2, a3 and b3.         . B .
                                                                   . B .
                                                                    * * .
"""
from solver.kernel.geometry cimport Board, bits_t

cdef enum:
    WORDS = 4
    BLOCK = 64 * WORDS         # patterns indexed together

cdef struct Pattern:
    bits_t support
    bits_t carrier

cdef struct Utilities:         # how often the player had a stone on a cell where the search below ended, at most 1 if they are scaled
    float of[64]

cdef struct Block:             # bit i of word w: pattern 64 w + i of the block has the cell
    bits_t support[64][WORDS]
    bits_t carrier[64][WORDS]

cdef struct PatternTable:
    const Board* board
    bint images                # a pattern is kept with its images on the turned and, if the board is square, the reflected board
    Pattern* patterns[2]       # [player], in the order in which they came
    Utilities* utilities[2]
    Block* blocks[2]
    int count[2]
    int room[2]                # whole blocks

cdef void patterns_close(PatternTable* t) noexcept
cdef int patterns_add(PatternTable* t, int player, const Pattern* p, const Utilities* u) except -1 nogil

# The number of the next pattern from `start` on that is strong, or strong or weak, for a player with these stones; -1 if there is none.
# *found is the pattern as it is in the position: for a weak one, its missing cell belongs to the carrier.
cdef int next_strong(const PatternTable* t, int player, bits_t own, bits_t other, int start, Pattern* found) noexcept nogil
cdef int next_weak(const PatternTable* t, int player, bits_t own, bits_t other, int start, Pattern* found) noexcept nogil
