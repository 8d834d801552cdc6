"""Dead and captured cells, for the whole board at once."""
from solver.kernel.geometry cimport Board, bits_t

# Adds to each player's stones the empty cells that can be given to it without changing the winner; repeats until nothing is left.
cdef void fill(const Board* b, bits_t* stones) noexcept nogil

# The same, but gives cells to one player only.
cdef bits_t fill_for(const Board* b, int player, bits_t* stones) noexcept nogil

# The player's moves that are vulnerable: dead after a reply next to them.
cdef bits_t vulnerable(const Board* b, int player, const bits_t* stones) noexcept nogil
