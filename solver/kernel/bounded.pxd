"""Does the attacker reach the terminal with at most k more of its stones? Depth-first by proof numbers of the attacker alone."""
from solver.kernel.geometry cimport bits_t
from solver.kernel.question cimport BoundSearch

# True: proved, *carrier holds the empty cells within which the attacker needs no more than k stones. False: not within k, or stopped.
cdef bint within(BoundSearch* s, bits_t own, bits_t empty, int k, bint attacker_to_move, bits_t* carrier) noexcept nogil

# The move that the last answer to the same question rests on, or -1 if the table does not hold it (k <= 1, or the entry was lost).
cdef int remembered_move(BoundSearch* s, bits_t own, bits_t empty, int k, bint attacker_to_move) noexcept nogil

# For learning: the moves of which one may decide a position, each with its features (`outlook.pxd`), in a list of MOST_OUTLOOK
# for every cell. No moves where deduction decides the position, or a position one move on.
cdef bits_t moves_to_decide(BoundSearch* s, int side, bits_t own, bits_t empty, int k, short* lists, int* counts) noexcept nogil
