# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
from libc.stdlib cimport free
from libc.string cimport memcpy, memset
from solver.kernel.geometry cimport bits_t, uint8_t, uint64_t

cdef extern from *:
    bint test_and_set "__atomic_test_and_set" (uint8_t* flag, int order) noexcept nogil
    void unlock "__atomic_clear" (uint8_t* flag, int order) noexcept nogil
    uint64_t add "__atomic_add_fetch" (uint64_t* number, uint64_t more, int order) noexcept nogil
    int ACQUIRE "__ATOMIC_ACQUIRE"
    int RELEASE "__ATOMIC_RELEASE"
    int RELAXED "__ATOMIC_RELAXED"

cdef extern from *:
    """
    #include <stdlib.h>
    #include <sys/mman.h>
    #define HUGE_PAGE ((size_t)2 << 20)
    /* Zeroed memory, or NULL. Entries are read at random, so a large table is asked for in huge pages, where the system has them: one page
       to find for 512. It goes back by free(). */
    static void *zeroed(const size_t bytes)
    {
    #ifdef MADV_HUGEPAGE
        if (bytes >= 2 * HUGE_PAGE) {
            void *p = aligned_alloc(HUGE_PAGE, (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
            if (p != NULL) {
                madvise(p, bytes, MADV_HUGEPAGE);
                memset(p, 0, bytes);
            }
            return p;
        }
    #endif
        return calloc(bytes, 1);
    }
    """
    void* zeroed(size_t bytes) noexcept nogil


cdef uint64_t mask_within(size_t memory, size_t size) noexcept:
    """The largest power of two of entries that fits, less one."""
    cdef uint64_t n = FEW
    while 2 * n * size <= memory:
        n *= 2
    return n - 1


cdef void* allocate(uint64_t mask, size_t size) except NULL:
    cdef void* entries = zeroed((mask + 1) * size)
    if entries == NULL:
        raise MemoryError(f"no memory for a table of {mask + 1} positions; give less with --memory")
    return entries


cdef int table_open(Table* t, size_t size, size_t memory) except -1:
    t.size = size
    t.most = mask_within(2 * memory // 3, size)        # growing, it holds the smaller entries as well
    t.entries = NULL
    return table_clear(t)


cdef void table_close(Table* t) noexcept:
    free(t.entries)
    t.entries = NULL


cdef int table_clear(Table* t) except -1:
    table_close(t)
    t.mask, t.used = FEW - 1, 0
    t.entries = <char*>allocate(t.mask, t.size)
    return 0


cdef inline bint crowded(const Table* t) noexcept nogil:
    return 2 * t.used > t.mask and t.mask < t.most


cdef inline void hold(uint8_t* flag) noexcept nogil:
    while test_and_set(flag, ACQUIRE):
        pass


cdef inline uint8_t* lock(Table* t, uint64_t key) noexcept nogil:
    """Hold the lock of a key's bucket, the same for every size of the table: they all have at least LOCKS buckets."""
    cdef uint8_t* held = &t.locks[(key // BUCKET) & (LOCKS - 1)]
    hold(held)
    return held


cdef inline char* bucket(const Table* t, uint64_t key) noexcept nogil:
    return t.entries + (key & t.mask & ~<uint64_t>(BUCKET - 1)) * t.size


cdef inline uint64_t key_of(const Entry* e) noexcept nogil:
    return hash_position(e.stones[0], e.stones[1], e.side)


cdef void grow(Table* t) noexcept nogil:
    """Twice the entries, while all locks are held; where there is no memory for them the table stays as it is."""
    cdef char* old
    cdef char* at
    cdef Entry* e
    cdef uint64_t i, n
    for i in range(LOCKS):
        hold(&t.locks[i])
    if crowded(t):
        old, n = t.entries, t.mask + 1
        t.entries = <char*>zeroed(2 * n * t.size)
        if t.entries == NULL:
            t.entries, t.most = old, t.mask
        else:
            t.mask = 2 * n - 1
            for i in range(n):                 # no bucket overflows: each one's entries go to two
                e = <Entry*>(old + i * t.size)
                if e.side:
                    at = bucket(t, key_of(e))
                    while (<Entry*>at).side:
                        at += t.size
                    memcpy(at, e, t.size)
            free(old)
    for i in range(LOCKS):
        unlock(&t.locks[i], RELEASE)


cdef inline bint holds(const Entry* e, const bits_t* stones, int side) noexcept nogil:
    return e.stones[0] == stones[0] and e.stones[1] == stones[1] and e.side == side


cdef bint table_find(Table* t, const bits_t* stones, int side, Entry* e) noexcept nogil:
    cdef uint64_t key = hash_position(stones[0], stones[1], side)
    cdef uint8_t* held = lock(t, key)
    cdef char* at = bucket(t, key)
    cdef bint found = False
    cdef int i
    for i in range(BUCKET):
        if holds(<Entry*>at, stones, side):
            memcpy(e, at, t.size)
            found = True
            break
        if not (<Entry*>at).side:
            break
        at += t.size
    unlock(held, RELEASE)
    return found


cdef void table_store(Table* t, const Entry* new) noexcept nogil:
    cdef uint64_t key = key_of(new)
    cdef uint8_t* held = lock(t, key)
    cdef char* at = bucket(t, key)
    cdef char* least = at
    cdef bint full = False
    cdef int i
    for i in range(BUCKET):
        if not (<Entry*>at).side or holds(<Entry*>at, new.stones, new.side):
            least = at
            break
        if (<Entry*>at).work < (<Entry*>least).work:
            least = at
        at += t.size
    if not (<Entry*>least).side:
        add(&t.used, 1, RELAXED)
        full = crowded(t)
    memcpy(least, new, t.size)
    unlock(held, RELEASE)
    if full:
        grow(t)


cdef void bounds_merge(Table* t, const BoundEntry* e) noexcept nogil:
    cdef uint64_t key = key_of(<const Entry*>e)
    cdef uint8_t* held = lock(t, key)
    cdef BoundEntry* at = <BoundEntry*>bucket(t, key)
    cdef BoundEntry* place = at
    cdef bint found = False, full = False
    cdef int i
    for i in range(BUCKET):
        if at[i].side == e.side and at[i].own == e.own and at[i].empty == e.empty:
            place = at + i
            found = True
            break
        if not at[i].side:
            place = at + i
            break
        if at[i].work < place.work:
            place = at + i
    if found:
        place.work += e.work
        # A tighter bound that no move is known for leaves none: the old one may not do that much.
        if e.move >= 0 or (e.lo > place.lo if (e.side - 1) & 1 else e.hi < place.hi):
            place.move = e.move
        place.lo = max(place.lo, e.lo)
        if e.hi < place.hi:
            place.hi, place.carrier = e.hi, e.carrier
    else:
        if not place.side:
            add(&t.used, 1, RELAXED)
            full = crowded(t)
        place[0] = e[0]
    unlock(held, RELEASE)
    if full:
        grow(t)
