"""The two terminals of a game: connection and checkmate, each with the empty cells its chain rests on."""
from solver.kernel.geometry cimport Board, bits_t

# own: stones of the player; empty: empty cells. True if the terminal is reached; then *carrier is the union of the chain's two-bridges.
cdef bint connected(const Board* b, int player, bits_t own) noexcept nogil
cdef bint checkmate(const Board* b, int player, bits_t own, bits_t empty, bits_t* carrier) noexcept nogil
