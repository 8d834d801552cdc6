"""The bounded question with three stones or fewer, plainly depth-first: one proof or refutation is soon found there."""
from solver.kernel.geometry cimport bits_t
from solver.kernel.question cimport BoundSearch

# The attacker completes its chain with one stone at once.
cdef bint finish(BoundSearch* s, bits_t own, bits_t empty, bits_t* carrier) noexcept nogil

# True: proved, *carrier holds the cells within which the attacker needs no more than k stones. False: not within k, or stopped.
cdef bint attack(BoundSearch* s, bits_t own, bits_t empty, int k, int last, bits_t* carrier) noexcept nogil
cdef bint defend(BoundSearch* s, bits_t own, bits_t empty, int k, int last, bits_t* carrier) noexcept nogil
