"""Dead and captured cells, for the whole board at once."""
from solver.kernel.geometry cimport Board, bits_t

# Adds to the stones of the players from `first` to `last`, both or one, the empty cells that can be given to them without changing the
# winner: dead ones to the first, captured ones to who has captured them; repeats until nothing is left.
cdef void fill(const Board* b, bits_t* stones, int first, int last) noexcept nogil

# The player's moves that are vulnerable: dead after a reply next to them.
cdef bits_t vulnerable(const Board* b, int player, const bits_t* stones) noexcept nogil
