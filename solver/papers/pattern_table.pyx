# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Patterns in lists, with an index by cells: for each block of 256 patterns and each cell, one bit a pattern says whether the cell is in its
support, and one whether it is in its carrier. A look-up joins the bits of the cells that speak against a match, 256 patterns at a time."""
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from solver.kernel.geometry cimport Board, bits_t, lowest, reflect, rotate


cdef void patterns_close(PatternTable* t) noexcept:
    cdef int player
    for player in range(2):
        free(t.patterns[player])
        free(t.utilities[player])
        free(t.blocks[player])


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
    enter(&t.blocks[player][n // BLOCK], n % BLOCK, support, carrier)
    for cell in range(t.board.cells):
        image = t.board.cells - 1 - cell if turned else cell
        if reflected:
            image = (image % t.board.columns) * t.board.rows + image // t.board.columns
        t.utilities[player][n].of[image] = u.of[cell]
    t.count[player] += 1
    return 0


cdef void enter(Block* block, int place, bits_t support, bits_t carrier) noexcept nogil:
    """The place must not have been used."""
    while support:
        block.support[lowest(support)][place // 64] |= <bits_t>1 << place % 64
        support &= support - 1
    while carrier:
        block.carrier[lowest(carrier)][place // 64] |= <bits_t>1 << place % 64
        carrier &= carrier - 1


cdef int grow(PatternTable* t, int player) except -1 nogil:
    cdef int before = t.room[player], room = 2 * before + 4 * BLOCK
    cdef void* patterns = realloc(t.patterns[player], room * sizeof(Pattern))
    cdef void* utilities
    cdef void* blocks
    if patterns != NULL:
        t.patterns[player] = <Pattern*>patterns
        utilities = realloc(t.utilities[player], room * sizeof(Utilities))
        if utilities != NULL:
            t.utilities[player] = <Utilities*>utilities
            blocks = realloc(t.blocks[player], room // BLOCK * sizeof(Block))
            if blocks != NULL:
                t.blocks[player] = <Block*>blocks
                memset(t.blocks[player] + before // BLOCK, 0, (room - before) // BLOCK * sizeof(Block))
                t.room[player] = room
                return 0
    raise MemoryError("no memory for more threat patterns")


cdef inline void against(const Block* block, bits_t absent, bits_t other, bint weak, bits_t* bad) noexcept nogil:
    """The patterns of a block that do not match: `absent` are the cells without a stone of the player, `other` those with one of the other."""
    cdef bits_t[WORDS] one
    cdef int cell, i
    memset(bad, 0, WORDS * sizeof(bits_t))
    memset(one, 0, sizeof(one))
    while absent:
        cell = lowest(absent)
        absent &= absent - 1
        for i in range(WORDS):
            bad[i] |= block.support[cell][i] & one[i]
            one[i] |= block.support[cell][i]
    if not weak:
        for i in range(WORDS):
            bad[i] |= one[i]
    while other:
        cell = lowest(other)
        other &= other - 1
        for i in range(WORDS):
            bad[i] |= block.support[cell][i] | block.carrier[cell][i]


cdef int following(const PatternTable* t, int player, bits_t own, bits_t other, int start, bint weak) noexcept nogil:
    """The next pattern that matches; -1 if there is none."""
    cdef bits_t[WORDS] bad
    cdef bits_t good
    cdef bits_t absent = t.board.full & ~own
    cdef int block = start // BLOCK, word = start % BLOCK // 64, i
    cdef bits_t mask = ~<bits_t>0 << start % 64
    while block * BLOCK < t.count[player]:
        against(&t.blocks[player][block], absent, other & t.board.full, weak, bad)
        while word < WORDS:
            good = ~bad[word] & mask
            mask = ~<bits_t>0
            if good:
                i = block * BLOCK + 64 * word + lowest(good)
                return i if i < t.count[player] else -1
            word += 1
        word = 0
        block += 1
    return -1


cdef int next_strong(const PatternTable* t, int player, bits_t own, bits_t other, int start, Pattern* found) noexcept nogil:
    cdef int i = following(t, player, own, other, start, False)
    if i >= 0:
        found[0] = t.patterns[player][i]
    return i


cdef int next_weak(const PatternTable* t, int player, bits_t own, bits_t other, int start, Pattern* found) noexcept nogil:
    cdef int i = following(t, player, own, other, start, True)
    if i >= 0:
        found[0] = t.patterns[player][i]
        found.carrier |= found.support & ~own
        found.support &= own
    return i
