# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from solver.kernel.geometry cimport bits_t, uint64_t


cdef int table_open(WinnerTable* t, size_t memory) except -1:
    cdef uint64_t n = 1024
    while 2 * n * sizeof(WinnerEntry) <= memory:
        n *= 2
    t.entries = <WinnerEntry*>calloc(n, sizeof(WinnerEntry))
    if t.entries == NULL:
        raise MemoryError(f"no memory for a table of {n} positions")
    t.mask = n - 1
    return 0


cdef void table_close(WinnerTable* t) noexcept:
    free(t.entries)
    t.entries = NULL


cdef void table_clear(WinnerTable* t) noexcept nogil:
    memset(t.entries, 0, (t.mask + 1) * sizeof(WinnerEntry))


cdef inline WinnerEntry* bucket(WinnerTable* t, const bits_t* stones, int to_move) noexcept nogil:
    return t.entries + (hash_position(stones[0], stones[1], to_move) & t.mask & ~<uint64_t>(BUCKET - 1))


cdef WinnerEntry* table_probe(WinnerTable* t, const bits_t* stones, int to_move) noexcept nogil:
    cdef WinnerEntry* e = bucket(t, stones, to_move)
    cdef int i
    for i in range(BUCKET):
        if not e[i].side:
            return NULL
        if e[i].stones[0] == stones[0] and e[i].stones[1] == stones[1] and e[i].side == to_move + 1:
            return e + i
    return NULL


cdef void table_store(WinnerTable* t, const WinnerEntry* new) noexcept nogil:
    cdef WinnerEntry* e = bucket(t, new.stones, new.side - 1)
    cdef WinnerEntry* least = e
    cdef int i
    for i in range(BUCKET):
        if not e[i].side or (e[i].stones[0] == new.stones[0] and e[i].stones[1] == new.stones[1] and e[i].side == new.side):
            e[i] = new[0]
            return
        if e[i].work < least.work:
            least = e + i
    least[0] = new[0]
