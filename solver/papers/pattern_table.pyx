# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Patterns in plain lists, looked through from end to end: some nanoseconds a pattern, which small boards can afford."""
from libc.stdlib cimport free, realloc

from solver.kernel.geometry cimport Board, bits_t, reflect, rotate


cdef void patterns_close(PatternTable* t) noexcept:
    cdef int player
    for player in range(2):
        free(t.patterns[player])
        free(t.utilities[player])


cdef int patterns_add(PatternTable* t, int player, const Pattern* p, const Utilities* u) except -1 nogil:
    """Raises MemoryError. A pattern that needs no less than one of the table is left out."""
    cdef const Board* b = t.board
    add(t, player, p.support, p.carrier, u, False, False)
    if t.images:
        add(t, player, rotate(b, p.support), rotate(b, p.carrier), u, True, False)
        if b.columns == b.rows:
            add(t, 1 - player, reflect(b, p.support), reflect(b, p.carrier), u, False, True)
            add(t, 1 - player, rotate(b, reflect(b, p.support)), rotate(b, reflect(b, p.carrier)), u, True, True)
    return 0


cdef int add(PatternTable* t, int player, bits_t support, bits_t carrier, const Utilities* u, bint turned, bint reflected) except -1 nogil:
    cdef Pattern same
    cdef int n = t.count[player], cell, image
    if next_strong(t, player, support, ~(support | carrier), 0, &same) >= 0:
        return 0
    if n == t.room[player]:
        grow(t, player)
    t.patterns[player][n] = Pattern(support, carrier)
    for cell in range(t.board.cells):
        image = t.board.cells - 1 - cell if turned else cell
        if reflected:
            image = (image % t.board.columns) * t.board.rows + image // t.board.columns
        t.utilities[player][n].of[image] = u.of[cell]
    t.count[player] += 1
    return 0


cdef int grow(PatternTable* t, int player) except -1 nogil:
    cdef int room = 2 * t.room[player] + 1000
    cdef void* patterns = realloc(t.patterns[player], room * sizeof(Pattern))
    if patterns != NULL:
        t.patterns[player] = <Pattern*>patterns
        utilities = realloc(t.utilities[player], room * sizeof(Utilities))
        if utilities != NULL:
            t.utilities[player] = <Utilities*>utilities
            t.room[player] = room
            return 0
    raise MemoryError("no memory for more threat patterns")


cdef int next_strong(const PatternTable* t, int player, bits_t own, bits_t other, int start, Pattern* found) noexcept nogil:
    cdef int i
    for i in range(start, t.count[player]):
        found[0] = t.patterns[player][i]
        if not found.support & ~own and not found.carrier & other:
            return i
    return -1


cdef int next_weak(const PatternTable* t, int player, bits_t own, bits_t other, int start, Pattern* found) noexcept nogil:
    cdef bits_t missing
    cdef int i
    for i in range(start, t.count[player]):
        found[0] = t.patterns[player][i]
        missing = found.support & ~own
        if not missing & (missing - 1) and not (missing | found.carrier) & other:
            found.support &= own
            found.carrier |= missing
            return i
    return -1
