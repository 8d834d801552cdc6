"""Searches of several threads for one answer, which share their tables, tell each other where they are, so that none follows another where
it can as well look elsewhere, and what they have decided, so that none stays below it. (Pawlewicz, Hayward 2013, "Scalable parallel DFPN
search": a shared table, and virtual numbers for what others are searching.) Sound for winner and length: where a search looks next changes
no answer, and every answer that is taken over is one from the table of proved bounds."""
from solver.kernel.geometry cimport bits_t, uint8_t, uint64_t

cdef enum:
    SEATS = 1 << 16            # values of a question's hash that are told apart; a power of two

cdef struct Company:
    uint8_t inside[SEATS]      # searches below the questions of a hash
    uint64_t decisions         # of questions that others were still searching

cdef struct Place:             # a question that a search is below
    bits_t own
    bits_t empty
    int side
    int k
    uint64_t hash

cdef struct Path:              # of one search, from the question it was asked
    Company* company
    Place places[64]
    int length
    int home                   # all beyond the first so many places are left, since another search has decided the last of these; or HOME
    uint64_t heard             # of the company's decisions

cdef enum:
    HOME = 64

cdef void enter(Path* p, bits_t own, bits_t empty, int side, int k, uint64_t hash) noexcept nogil
cdef void leave(Path* p, bint decided) noexcept nogil                # the last place
cdef bint occupied(const Path* p, uint64_t hash) noexcept nogil      # by another search, if the own one is not below it
cdef bint news(Path* p) noexcept nogil                               # has anything been decided since it was asked last?
