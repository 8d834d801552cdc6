# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Set-up of a board's masks; everything hot is inline in geometry.pxd."""

cdef int board_init(Board* b, int columns, int rows) except -1:
    """Fill in the masks of a board. Raises ValueError unless 1 <= columns, rows and columns*rows <= 64."""
    cdef int r, c, d, x
    cdef bits_t one, target
    if columns < 1 or rows < 1 or columns * rows > CELLS:
        raise ValueError(f"a board needs 1 to {CELLS} cells, not {columns}x{rows}")
    b.columns, b.rows, b.cells = columns, rows, columns * rows
    b.down = columns if rows > 1 else 1
    b.full = (~<bits_t>0) if b.cells == CELLS else bit(b.cells) - 1
    b.edge[BLACK][0] = b.edge[BLACK][1] = b.edge[WHITE][0] = b.edge[WHITE][1] = 0
    for c in range(columns):
        b.edge[BLACK][0] |= bit(c)
        b.edge[BLACK][1] |= bit((rows - 1) * columns + c)
    for r in range(rows):
        b.edge[WHITE][0] |= bit(r * columns)
        b.edge[WHITE][1] |= bit(r * columns + columns - 1)
    b.not_left = b.full & ~b.edge[WHITE][0]
    b.not_right = b.full & ~b.edge[WHITE][1]
    b.not_top = b.full & ~b.edge[BLACK][0]
    b.not_bottom = b.full & ~b.edge[BLACK][1]
    b.has_step[0], b.has_step[1], b.has_step[2] = b.not_right, b.not_bottom, b.not_left & b.not_bottom
    b.has_step[3], b.has_step[4], b.has_step[5] = b.not_left, b.not_top, b.not_right & b.not_top
    b.shift[0], b.shift[1], b.shift[2] = 1, b.down, b.down - 1
    # Where has_bridge forbids every leap of a direction its shift is never used with a stone; it only has to stay below 64.
    b.leap[0], b.leap[1], b.leap[2] = (b.down + 1) % CELLS, (2 * b.down - 1) % CELLS, max(b.down - 2, 0)
    for d in range(6):
        b.has_bridge[d] = 0
    for x in range(b.cells):
        one = bit(x)
        b.near[x] = neighbours(b, one)
        for d in range(6):
            b.via[x][d] = step(b, d, one) | step(b, (d + 1) % 6, one)
            target = step(b, (d + 1) % 6, step(b, d, one)) & step(b, d, step(b, (d + 1) % 6, one))
            b.bridge[x][d] = lowest(target) if target else -1
            if target:
                b.has_bridge[d] |= one
    return 0

cdef bits_t rotate(const Board* b, bits_t x) noexcept nogil:
    x = ((x >> 1) & <bits_t>0x5555555555555555) | ((x & <bits_t>0x5555555555555555) << 1)
    x = ((x >> 2) & <bits_t>0x3333333333333333) | ((x & <bits_t>0x3333333333333333) << 2)
    x = ((x >> 4) & <bits_t>0x0F0F0F0F0F0F0F0F) | ((x & <bits_t>0x0F0F0F0F0F0F0F0F) << 4)
    x = ((x >> 8) & <bits_t>0x00FF00FF00FF00FF) | ((x & <bits_t>0x00FF00FF00FF00FF) << 8)
    x = ((x >> 16) & <bits_t>0x0000FFFF0000FFFF) | ((x & <bits_t>0x0000FFFF0000FFFF) << 16)
    x = (x >> 32) | (x << 32)
    return x >> (CELLS - b.cells)

cdef bits_t reflect(const Board* b, bits_t x) noexcept nogil:
    cdef bits_t image = 0
    cdef int cell
    while x:
        cell = lowest(x)
        x &= x - 1
        image |= bit((cell % b.columns) * b.rows + cell // b.columns)
    return image
