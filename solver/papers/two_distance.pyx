# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Potentials from two-distances; the Python functions at the end are for tests and tables."""
from solver.kernel.geometry cimport Board, bits_t, uint8_t, board_init, lowest
from solver.kernel.two_distance cimport NEVER, cell_potentials, neighbourhoods, two_distances


cdef void potentials(const Board* b, const bits_t* stones, bits_t (*anchored)[2], Potentials* p) noexcept nogil:
    cdef bits_t empty = b.full & ~(stones[0] | stones[1]), cells
    cdef int player, cell, potential
    for player in range(2):
        cell_potentials(b, player, stones[player], empty, NULL if anchored == NULL else anchored[player], p.cell[player])
        p.board[player], p.mobility[player] = 2 * NEVER, 0
        cells = empty
        while cells:
            cell = lowest(cells)
            cells &= cells - 1
            potential = p.cell[player][cell]
            if potential < p.board[player]:
                p.board[player], p.mobility[player] = potential, 0
            p.mobility[player] += potential == p.board[player]


cdef void badness(const Board* b, bits_t empty, const Potentials* p, int* bad) noexcept nogil:
    cdef bits_t cells = empty
    cdef int cell, least = 4 * NEVER
    while cells:
        cell = lowest(cells)
        cells &= cells - 1
        bad[cell] = p.cell[0][cell] + p.cell[1][cell]
        least = min(least, bad[cell])
    cells = empty
    while cells:
        bad[lowest(cells)] -= least
        cells &= cells - 1


cdef bits_t reversible_moves(const Board* b, int player, const bits_t* stones) noexcept nogil:
    cdef bits_t near[64]
    cdef bits_t edge[2]
    cdef bits_t empty = b.full & ~(stones[0] | stones[1]), cells = empty, found = 0
    neighbourhoods(b, player, stones[player], empty, NULL, near, edge)
    while cells:
        if futile(near, edge, lowest(cells)):
            found |= cells & (~cells + 1)
        cells &= cells - 1
    return found


cdef inline bint futile(const bits_t* near, const bits_t* edge, int cell) noexcept nogil:
    """Is the neighbourhood of the cell a clique, or one once a single empty cell is taken out?"""
    cdef bits_t around = near[cell], rest = around
    cdef bits_t first = 0
    cdef bint touches[2]
    cdef int end
    for end in range(2):
        touches[end] = (edge[end] >> cell) & 1
    if touches[0] and touches[1]:
        return False                           # a stone there would join the edges
    if clique(near, edge, around, touches):
        return True
    while rest:
        first = rest & (~rest + 1)
        rest &= rest - 1
        if clique(near, edge, around & ~first, touches):
            return True
    return False


cdef inline bint clique(const bits_t* near, const bits_t* edge, bits_t around, const bint* touches) noexcept nogil:
    cdef bits_t cells = around
    if (touches[0] and around & ~edge[0]) or (touches[1] and around & ~edge[1]):
        return False
    while cells:
        if around & ~near[lowest(cells)] & ~(cells & (~cells + 1)):
            return False
        cells &= cells - 1
    return True


def distances(int columns, int rows, bits_t black, bits_t white, int player, int end):
    """The player's two-distances to its first (end 0) or second (end 1) edge: a dict from each empty cell to its distance, None where
    there is none."""
    cdef Board b
    cdef bits_t near[64]
    cdef bits_t edge[2]
    cdef uint8_t found[64]
    board_init(&b, columns, rows)
    cdef bits_t empty = b.full & ~(black | white)
    neighbourhoods(&b, player, white if player else black, empty, NULL, near, edge)
    two_distances(near, edge[end], empty, found)
    return {cell: found[cell] if found[cell] < NEVER else None for cell in range(b.cells) if empty >> cell & 1}


def assess(int columns, int rows, bits_t black, bits_t white):
    """What Queenbee sees in a position: (evaluation, board potentials, attack mobilities, total potentials).

    The evaluation is high where White stands well. Pairs are of Black and White; a board potential is None where one edge is out of
    reach. Total potentials are a dict of the empty cells, in which 2 * NEVER stands for a player that cannot join its edges there.
    """
    cdef Board b
    cdef Potentials p
    cdef bits_t[2] stones
    board_init(&b, columns, rows)
    stones[0], stones[1] = black, white
    potentials(&b, stones, NULL, &p)
    cdef bits_t empty = b.full & ~(black | white)
    totals = {cell: p.cell[0][cell] + p.cell[1][cell] for cell in range(b.cells) if empty >> cell & 1}
    board = tuple(None if potential == 2 * NEVER else potential for potential in (p.board[0], p.board[1]))
    return evaluation(&p), board, (p.mobility[0], p.mobility[1]), totals


def reversible(int columns, int rows, bits_t black, bits_t white, int player):
    """The mask of the player's reversible moves."""
    cdef Board b
    cdef bits_t[2] stones
    board_init(&b, columns, rows)
    stones[0], stones[1] = black, white
    return reversible_moves(&b, player, stones)
