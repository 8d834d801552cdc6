# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Each pattern hangs in the list of one pair of its support stones, the pair whose list is youngest; a position only looks into the lists
of the pairs of stones that the winner has. A pattern of one support stone hangs in the list of that stone with itself; one of none (an
empty board's) is not kept."""
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from solver.kernel.geometry cimport Board, bits_t, int8_t, uint32_t, bit, lowest, rotate


cdef int patterns_open(PatternStore* t) except -1:
    cdef int w, m
    memset(t, 0, sizeof(PatternStore))
    for w in range(2):
        for m in range(2):
            t.lists[w][m].patterns = <Pattern*>calloc(PATTERNS, sizeof(Pattern))
            if t.lists[w][m].patterns == NULL:
                patterns_close(t)
                raise MemoryError("no memory for threat patterns")
    return 0


cdef void patterns_close(PatternStore* t) noexcept:
    cdef int w, m
    for w in range(2):
        for m in range(2):
            free(t.lists[w][m].patterns)
            t.lists[w][m].patterns = NULL


cdef void patterns_clear(PatternStore* t) noexcept nogil:
    cdef int w, m
    for w in range(2):
        for m in range(2):
            t.lists[w][m].count = 0
            memset(t.lists[w][m].heads, 0, sizeof(t.lists[w][m].heads))


cdef void unhang(PatternList* list, uint32_t number) noexcept nogil:
    cdef uint32_t* link = &list.heads[list.patterns[number].head]
    while link[0] != number:
        link = &list.patterns[link[0]].next
    link[0] = list.patterns[number].next


cdef void add(PatternList* list, bits_t support, bits_t cells, int move) noexcept nogil:
    cdef bits_t first = support, second
    cdef uint32_t head, best = 0, number, age, best_age = ~<uint32_t>0
    cdef Pattern* new
    while first:
        second = first if support == first & (~first + 1) else first & (first - 1)
        while second:
            head = 64 * lowest(first) + lowest(second)
            age = list.heads[head]
            if age < best_age:
                best, best_age = head, age
            second &= second - 1
        first &= first - 1
    number = 1 + list.count % (PATTERNS - 1)
    if list.count >= PATTERNS - 1:
        unhang(list, number)
    list.count += 1
    new = &list.patterns[number]
    new.support, new.cells, new.move, new.head, new.next = support, cells, move, best, list.heads[best]
    list.heads[best] = number


cdef void pattern_learn(PatternStore* t, const Board* b, int winner, bint to_move, bits_t carrier, int move, bits_t stones) noexcept nogil:
    cdef PatternList* list = &t.lists[winner][to_move]
    cdef bits_t support = carrier & stones, image = rotate(b, carrier)
    if support:
        add(list, support, carrier, move)
        if image != carrier or rotate(b, support) != support:
            add(list, rotate(b, support), image, move if move < 0 else b.cells - 1 - move)


cdef inline bint fits(const Pattern* p, bits_t own, bits_t other) noexcept nogil:
    return not (p.support & ~own | p.cells & other)


cdef const Pattern* find_new(const PatternList* list, uint32_t seen, bits_t own, bits_t other) noexcept nogil:
    cdef uint32_t i
    for i in range(seen, list.count):
        if fits(&list.patterns[1 + i % (PATTERNS - 1)], own, other):
            return &list.patterns[1 + i % (PATTERNS - 1)]
    return NULL


cdef const Pattern* find_any(const PatternList* list, bits_t own, bits_t other) noexcept nogil:
    cdef bits_t first = own, second
    cdef uint32_t number
    while first:
        second = first
        while second:
            number = list.heads[64 * lowest(first) + lowest(second)]
            while number:
                if fits(&list.patterns[number], own, other):
                    return &list.patterns[number]
                number = list.patterns[number].next
            second &= second - 1
        first &= first - 1
    return NULL


cdef bits_t pattern_find(const PatternStore* t, int winner, bint to_move, const bits_t* stones, uint32_t* seen, int8_t* move) noexcept nogil:
    """A winner that has a stone on the pattern's first move already wins even with the opponent to move, so every move wins."""
    cdef const PatternList* list = &t.lists[winner][to_move]
    cdef bits_t own = stones[winner], other = stones[1 - winner]
    cdef const Pattern* p
    if seen[0] and list.count - seen[0] <= FEW_PATTERNS:
        p = find_new(list, seen[0], own, other)
    else:
        p = find_any(list, own, other)
    seen[0] = list.count
    if p == NULL:
        return 0
    move[0] = -1 if p.move < 0 or own & bit(p.move) else p.move
    return p.cells


cdef void pattern_threats(const PatternStore* t, int opponent, const bits_t* stones, bits_t* must, bits_t* used) noexcept nogil:
    cdef const PatternList* list = &t.lists[opponent][True]
    cdef const Pattern* p
    cdef bits_t own = stones[opponent], other = stones[1 - opponent], first = own, second
    cdef uint32_t number
    while first:
        second = first
        while second:
            number = list.heads[64 * lowest(first) + lowest(second)]
            while number:
                p = &list.patterns[number]
                if must[0] & ~p.cells and fits(p, own, other):
                    must[0] &= p.cells
                    used[0] |= p.cells
                    if not must[0]:
                        return
                number = p.next
            second &= second - 1
        first &= first - 1
