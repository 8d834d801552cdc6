# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False

cdef extern from *:
    uint8_t enter_or_leave "__atomic_add_fetch" (uint8_t* number, int more, int order) noexcept nogil
    uint8_t present "__atomic_load_n" (const uint8_t* number, int order) noexcept nogil
    uint64_t count "__atomic_add_fetch" (uint64_t* number, int more, int order) noexcept nogil
    uint64_t counted "__atomic_load_n" (const uint64_t* number, int order) noexcept nogil
    int RELAXED "__ATOMIC_RELAXED"


cdef void enter(Path* p, bits_t own, bits_t empty, int side, int k, uint64_t hash) noexcept nogil:
    cdef Place* at = p.places + p.length
    at.own, at.empty, at.side, at.k, at.hash = own, empty, side, k, hash
    p.length += 1
    enter_or_leave(&p.company.inside[hash & (SEATS - 1)], 1, RELAXED)


cdef void leave(Path* p, bint decided) noexcept nogil:
    p.length -= 1
    if enter_or_leave(&p.company.inside[p.places[p.length].hash & (SEATS - 1)], -1, RELAXED) and decided:
        count(&p.company.decisions, 1, RELAXED)


cdef bint occupied(const Path* p, uint64_t hash) noexcept nogil:
    return present(&p.company.inside[hash & (SEATS - 1)], RELAXED) != 0


cdef bint news(Path* p) noexcept nogil:
    cdef uint64_t decisions = counted(&p.company.decisions, RELAXED)
    if decisions == p.heard:
        return False
    p.heard = decisions
    return True
