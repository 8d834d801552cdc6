"""How soon a move can be expected to be proved a winning one: a small convolutional network over the cells of the board.

Each cell begins with the sum of the weights of its inputs: its state and those of twelve cells around it, paths, deduced connections, its place,
where the last move was, and what fill() would give away. Two convolutions over a cell and its six neighbours follow, each added to what
the cell had before, as residual networks do; a move's promise is a weighted sum at its cell. (For move prediction in Hex by convolutions: Gao,
Hayward and Mueller 2017, Move prediction using deep convolutional neural networks in Hex.) `solver.learning` fits the weights, in network.h,
to moves whose proofs were measured. Whole numbers throughout, so that every machine orders moves alike. The promise is for the order of moves
alone: no answer depends on it.
"""
from solver.kernel.geometry cimport bits_t
from solver.kernel.surroundings cimport View

cdef enum:                         # where each group of inputs begins
    AROUND = 0                     # [cell itself, its six neighbours, the six a two-bridge away][empty, mover's, the other's]
    PATH = AROUND + 39             # as `surroundings.pxd` has it, 144 for a stone
    PLACE = PATH + 145             # distances from the edges of either side, up to 3
    LAST = PLACE + 16              # rows and columns from the last move, up to 3 each; 49: farther away, 50: there was none
    GIVEN = LAST + 51              # mover, and how many cells fill() gives to the mover and to the other side, up to 4 each; 50: no move
    ALL_INPUTS = GIVEN + 51
    INPUTS_OF_CELL = 17
    NO_MOVE = 50

# What fill() gives away after a move, as an input.
cdef inline int given(int to_move, int mine, int theirs) noexcept nogil:
    return 25 * to_move + 5 * min(mine, 4) + min(theirs, 4)

# The inputs of a cell.
cdef void cell_inputs(const View* v, int cell, int given, short* list) noexcept nogil

# The promise of each of the moves in found[cell], in natural logarithms times SCALE: how likely it is the one with the shortest proof.
# gives[cell]: given() of each move.
cdef void promises(const View* v, bits_t moves, const int* gives, int* found) noexcept nogil
