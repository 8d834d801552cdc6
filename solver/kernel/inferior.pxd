"""Dead and captured cells, for the whole board at once."""
from solver.kernel.geometry cimport Board, bits_t

# Adds to each player's stones the empty cells that can be given to it without changing the winner; repeats until nothing is left.
cdef void fill(const Board* b, bits_t* stones) noexcept nogil
