"""Move ordering: bridge-path lengths of both sides (van Rijswijck 2000, section 5.2, with bridges as steps), and what succeeded before."""
from solver.kernel.geometry cimport Board, bits_t, int8_t

cdef enum:
    FAR = 12           # length given to cells that no path reaches
    REPLY = 16         # weight of one success of a cell as the reply to a move

# length[x], for every empty cell x: the fewest stones, x included, that join x to the edge when contact and two-bridges are free steps,
# own stones cost nothing, and the cells and stones of `base` count as joined already.
cdef void path_lengths(const Board* b, bits_t own, bits_t empty, bits_t base, int8_t* length) noexcept nogil

# One more success of a cell; of the successes of all 64 cells the older ones count less and less.
cdef inline void note_reply(int* replies, int cell) noexcept nogil:
    cdef int i
    for i in range(64):
        replies[i] -= replies[i] >> 5
    replies[cell] += REPLY
