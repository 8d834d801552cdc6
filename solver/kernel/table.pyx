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


cdef inline Entry* entry(const Table* t, uint64_t number) noexcept nogil:
    return <Entry*>(t.entries + number * t.size)


cdef void grow(Table* t) noexcept nogil:
    """Twice the entries; where there is no memory for them the table stays as it is."""
    cdef Table twice
    cdef uint64_t i
    twice.size, twice.mask, twice.used = t.size, 2 * t.mask + 1, 0
    twice.most = twice.mask
    twice.entries = <char*>zeroed((twice.mask + 1) * t.size)
    if twice.entries == NULL:
        t.most = t.mask
        return
    for i in range(t.mask + 1):
        if entry(t, i).side:
            table_store(&twice, entry(t, i))
    free(t.entries)
    t.entries, t.mask, t.used = twice.entries, twice.mask, twice.used


cdef inline bint holds(const Entry* e, const bits_t* stones, int side) noexcept nogil:
    return e.stones[0] == stones[0] and e.stones[1] == stones[1] and e.side == side


cdef inline uint64_t bucket(const Table* t, const bits_t* stones, int side) noexcept nogil:
    return hash_position(stones[0], stones[1], side - 1) & t.mask & ~<uint64_t>(BUCKET - 1)


cdef Entry* table_probe(const Table* t, const bits_t* stones, int side) noexcept nogil:
    cdef uint64_t first = bucket(t, stones, side)
    cdef Entry* e
    cdef int i
    for i in range(BUCKET):
        e = entry(t, first + i)
        if not e.side:
            return NULL
        if holds(e, stones, side):
            return e
    return NULL


cdef void table_store(Table* t, const Entry* new) noexcept nogil:
    cdef uint64_t first
    cdef Entry* e
    cdef Entry* least = NULL
    cdef int i
    if crowded(t):
        grow(t)
    first = bucket(t, new.stones, new.side)
    for i in range(BUCKET):
        e = entry(t, first + i)
        t.used += not e.side
        if not e.side or holds(e, new.stones, new.side):
            least = e
            break
        if least == NULL or e.work < least.work:
            least = e
    memcpy(least, new, t.size)


cdef inline void hold(uint8_t* flag) noexcept nogil:
    while test_and_set(flag, ACQUIRE):
        pass


cdef inline uint8_t* lock(BoundTable* t, uint64_t key) noexcept nogil:
    """Hold the lock of a key's bucket, the same for every size of the table: they all have at least LOCKS buckets."""
    cdef uint8_t* held = &t.locks[(key // BUCKET) & (LOCKS - 1)]
    hold(held)
    return held


cdef inline BoundEntry* bound_bucket(const BoundTable* t, uint64_t key) noexcept nogil:
    return <BoundEntry*>t.table.entries + (key & t.table.mask & ~<uint64_t>(BUCKET - 1))


cdef void bounds_grow(BoundTable* shared) noexcept nogil:
    """Twice the entries, while all locks are held; where there is no memory for them the table stays as it is."""
    cdef Table* t = &shared.table
    cdef BoundEntry* old
    cdef BoundEntry* at
    cdef uint64_t i, n
    for i in range(LOCKS):
        hold(&shared.locks[i])
    if crowded(t):
        old, n = <BoundEntry*>t.entries, t.mask + 1
        t.entries = <char*>zeroed(2 * n * t.size)
        if t.entries == NULL:
            t.entries, t.most = <char*>old, t.mask
        else:
            t.mask = 2 * n - 1
            for i in range(n):                 # no bucket overflows: each one's entries go to two
                if old[i].side:
                    at = bound_bucket(shared, hash_position(old[i].own, old[i].empty, old[i].side))
                    while at.side:
                        at += 1
                    at[0] = old[i]
            free(old)
    for i in range(LOCKS):
        unlock(&shared.locks[i], RELEASE)


cdef bint bounds_find(BoundTable* t, bits_t own, bits_t empty, int side, BoundEntry* e) noexcept nogil:
    cdef uint64_t key = hash_position(own, empty, side)
    cdef uint8_t* held = lock(t, key)
    cdef BoundEntry* at = bound_bucket(t, key)
    cdef bint found = False
    cdef int i
    for i in range(BUCKET):
        if at[i].side == side and at[i].own == own and at[i].empty == empty:
            e[0] = at[i]
            found = True
            break
        if not at[i].side:
            break
    unlock(held, RELEASE)
    return found


cdef void bounds_merge(BoundTable* t, const BoundEntry* e) noexcept nogil:
    cdef uint64_t key = hash_position(e.own, e.empty, e.side)
    cdef uint8_t* held = lock(t, key)
    cdef BoundEntry* at = bound_bucket(t, key)
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
            add(&t.table.used, 1, RELAXED)
            full = crowded(&t.table)
        place[0] = e[0]
    unlock(held, RELEASE)
    if full:
        bounds_grow(t)
