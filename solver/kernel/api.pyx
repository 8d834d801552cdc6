# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The kernel's one face to Python; __init__.pyi describes it."""
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from typing import NamedTuple

from solver.kernel.geometry cimport BLACK, CELLS, WHITE, Board, bits_t, int8_t, uint64_t, bit, lowest, popcount, board_init, reflect
from solver.kernel.chains cimport checkmate, connected
from solver.kernel.connections cimport Deduction, Snapshot
from solver.kernel.threats cimport STRONG, UNDECIDED, WEAK, evaluate, reach, smallest_threat, threaten
from solver.kernel.inferior cimport fill
from solver.kernel.surroundings cimport View, view
from solver.kernel.promise cimport INPUTS_OF_CELL, NO_MOVE, cell_inputs, given, promises
from solver.kernel.patterns cimport PatternStore, patterns_open, patterns_close, patterns_clear
from solver.kernel.table cimport (BoundEntry, NumberEntry, Table, UNBOUNDED, WinnerEntry, table_open, table_close, table_clear)
from solver.kernel.company cimport Company, HOME
from solver.kernel.winner cimport REMEMBERED, UNKNOWN, WIN, Remembered, WinnerSearch, winner_search
from solver.kernel.outlook cimport MOST_OUTLOOK
from solver.kernel.question cimport BoundSearch, CHECKMATE, CONNECTION
from solver.kernel.bounded cimport within, remembered_move, moves_to_decide

METRICS = {"checkmate": CHECKMATE, "connection": CONNECTION}
SWITCHES = ("fill", "deduction", "guess", "patterns", "reach",
            "dead", "vulnerable", "zone", "oracle", "pressure", "history", "outlook", "upper", "numbers")
PATIENCE = 1_000_000  # positions that the winner search evaluates before it tries the moves of the position one by one
ORACLE_BUDGET = 100  # positions the winner search may evaluate for one question of the bounded search


class Stopped(Exception):
    """The search was stopped from outside before it had an answer."""


class WinnerAnswer(NamedTuple):
    winner: int
    move: int | None
    carrier: int


class Decision(NamedTuple):
    own: int
    empty: int
    side: int
    stones: int
    nodes: int


class BoundAnswer(NamedTuple):
    proved: bool
    move: int | None
    carrier: int | None


class Inputs(NamedTuple):
    cells: list[list[int]]
    promises: dict[int, int]


class Proof(NamedTuple):
    black: int
    white: int
    to_move: int
    last: int
    nodes: int
    move: int


def terminal(str metric, int columns, int rows, bits_t black, bits_t white, int player):
    cdef Board b
    cdef bits_t carrier = 0
    cdef bits_t stones[2]
    cdef bint reached
    board_init(&b, columns, rows)
    stones[0], stones[1] = black, white
    if METRICS[metric] == CHECKMATE:
        reached = checkmate(&b, player, stones[player], b.full & ~(black | white), &carrier)
    else:
        reached = connected(&b, player, stones[player])
    return carrier if reached else None


cdef class Kernel:
    # The bounded search always sees the attacker as Black. White's attacks are reflected onto `boards[1]`: for square boards the same
    # board, whose tables then serve both; otherwise the transposed one, told apart by tags in the tables' keys.
    cdef Board boards[2]
    cdef WinnerSearch winners[2]
    cdef WinnerSearch oracles[2]      # the same for the bounded search, without patterns, which save fewer of its nodes than they cost, and
                                      # without history
    cdef BoundSearch bound
    cdef PatternStore pattern_stores[2]
    cdef Kernel partner               # whose tables this one shares, or None: then they are its own
    cdef Table winner_table
    cdef Table bounds
    cdef Table numbers
    cdef Company company
    cdef Deduction* deductions
    cdef Remembered* remembered
    cdef int stopped
    cdef uint64_t count

    def __cinit__(self, int columns, int rows, size_t memory=512 << 20, Kernel partner=None, uint64_t patience=PATIENCE, **switches):
        cdef int i
        cdef Kernel owner
        for name in switches:
            if name not in SWITCHES:
                raise TypeError(f"no switch {name!r}; there are {', '.join(SWITCHES)}")
        on = {name: int(switches.get(name, 1)) for name in SWITCHES}
        board_init(&self.boards[0], columns, rows)
        board_init(&self.boards[1], rows, columns)
        self.deductions = <Deduction*>calloc(2, sizeof(Deduction))
        if self.deductions == NULL:
            raise MemoryError("no memory for the lists of connections")
        self.bound.snapshot = <Snapshot*>calloc(1, sizeof(Snapshot))
        if self.bound.snapshot == NULL:
            raise MemoryError("no memory for the connections of a position")
        self.remembered = <Remembered*>calloc(REMEMBERED, sizeof(Remembered))
        if self.remembered == NULL:
            raise MemoryError("no memory for the promises of moves")
        self.partner = partner
        if partner is None:
            table_open(&self.winner_table, sizeof(WinnerEntry), memory // 2)
            table_open(&self.numbers, sizeof(NumberEntry), memory // 8)
            table_open(&self.bounds, sizeof(BoundEntry), 3 * memory // 8)
        elif partner.partner is not None or partner.boards[0].columns != columns or partner.boards[0].rows != rows:
            raise ValueError("kernels that share tables must be of one board, and one of them their owner")
        owner = self if partner is None else partner
        self.bound.table = &owner.bounds
        self.bound.numbers = &owner.numbers
        self.bound.path.company = &owner.company
        for i in range(2):
            patterns_open(&self.pattern_stores[i])
            self.deductions[i].board = &self.boards[i]
            self.winners[i].board = &self.boards[i]
            self.winners[i].deduction = &self.deductions[i]
            self.winners[i].patterns = &self.pattern_stores[i if columns != rows else 0]
            self.winners[i].table = &owner.winner_table
            self.winners[i].remembered = self.remembered
            self.winners[i].tag = 2 * i if columns != rows else 0
            self.winners[i].patience = patience
            self.winners[i].options.fill = on["fill"]
            self.winners[i].options.deduction = on["deduction"]
            self.winners[i].options.guess = on["guess"]
            self.winners[i].options.patterns = on["patterns"]
            self.winners[i].options.reach = on["reach"]
            self.winners[i].options.history = on["history"]
            self.winners[i].stop = &self.stopped
            self.winners[i].nodes = &self.count
            self.oracles[i] = self.winners[i]
            self.oracles[i].options.patterns = self.oracles[i].options.history = False
        self.bound.options.dead = on["dead"]
        self.bound.options.vulnerable = on["vulnerable"]
        self.bound.options.zone = on["zone"]
        self.bound.options.oracle = on["oracle"]
        self.bound.options.pressure = on["pressure"]
        self.bound.options.history = on["history"]
        self.bound.options.outlook = on["outlook"]
        self.bound.options.upper = on["upper"]
        self.bound.options.numbers = on["numbers"]
        self.bound.oracle_budget = ORACLE_BUDGET
        self.bound.stop = &self.stopped
        self.bound.nodes = &self.count

    def __dealloc__(self):
        free(self.deductions)
        free(self.remembered)
        free(self.bound.snapshot)
        patterns_close(&self.pattern_stores[0])
        patterns_close(&self.pattern_stores[1])
        table_close(&self.winner_table)
        table_close(&self.numbers)
        table_close(&self.bounds)

    @property
    def nodes(self):
        return self.count

    def stop(self):
        self.stopped = 1

    def clear(self):
        cdef int i
        if self.partner is None:
            table_clear(&self.winner_table)
            table_clear(&self.numbers)
            table_clear(&self.bounds)
        patterns_clear(&self.pattern_stores[0])
        patterns_clear(&self.pattern_stores[1])
        for i in range(2):
            memset(self.winners[i].reply, 0, sizeof(self.winners[i].reply))
        memset(self.remembered, 0, REMEMBERED * sizeof(Remembered))
        memset(self.bound.history, 0, sizeof(self.bound.history))
        memset(self.bound.reply, 0, sizeof(self.bound.reply))

    def inputs(self, bits_t black, bits_t white, int to_move, int last=64):
        cdef const Board* b = &self.boards[0]
        cdef bits_t carrier, moves, used, left
        cdef int8_t winning
        cdef bits_t stones[2]
        cdef bits_t after[2]
        cdef bits_t connected[4]
        cdef short list[INPUTS_OF_CELL]
        cdef int gives[64]
        cdef int promise[64]
        cdef int i, x
        cdef View v
        stones[0], stones[1] = black, white
        fill(b, stones, BLACK, WHITE)
        if evaluate(&self.deductions[0], stones, to_move, &carrier, &winning, &moves, &used) != UNDECIDED:
            return None
        for i in range(4):
            connected[i] = reach(&self.deductions[0], i // 2, i % 2)
        view(&v, b, stones, to_move, last, moves, connected)
        left = moves
        while left:
            x = lowest(left)
            left &= left - 1
            after[0], after[1] = stones[0], stones[1]
            after[to_move] |= bit(x)
            fill(b, after, BLACK, WHITE)
            gives[x] = given(to_move, popcount(after[to_move] & ~stones[to_move]) - 1, popcount(after[1 - to_move] & ~stones[1 - to_move]))
        promises(&v, moves, gives, promise)
        cells = []
        for x in range(b.cells):
            cell_inputs(&v, x, gives[x] if moves >> x & 1 else NO_MOVE, list)
            cells.append([list[i] for i in range(INPUTS_OF_CELL)])
        return Inputs(cells, {x: promise[x] for x in range(b.cells) if moves >> x & 1})

    def proofs(self):
        cdef uint64_t i
        cdef WinnerEntry* e
        for i in range(self.winners[0].table.mask + 1):
            e = <WinnerEntry*>self.winners[0].table.entries + i
            if e.side and e.side <= 2 and e.phi == 0 and e.move >= 0 and e.work > 1:       # less has what was decided at sight
                yield Proof(e.stones[0], e.stones[1], e.side - 1, e.last, e.work, e.move)

    def winner(self, bits_t black, bits_t white, int to_move, nodes=None):
        cdef bits_t carrier = 0
        cdef int move = -1, result
        cdef bits_t stones[2]
        stones[0], stones[1] = black, white
        self.stopped = 0
        self.winners[0].limit = ~<uint64_t>0 if nodes is None else self.count + <uint64_t>nodes
        with nogil:
            result = winner_search(&self.winners[0], stones, to_move, &carrier, &move)
            carrier &= ~(black | white)
            if result == WIN and connected(&self.boards[0], to_move, stones[to_move]):
                move = -1
            elif result == WIN and move < 0:
                move = self.progress(stones, to_move, carrier)
        if result == UNKNOWN:
            raise Stopped
        winner = to_move if result == WIN else 1 - to_move
        return WinnerAnswer(winner, move if move >= 0 else None, carrier)

    cdef int progress(self, const bits_t* stones, int player, bits_t carrier) noexcept nogil:
        """A move of a player for whom every move wins but whose edges are not joined yet: the next one of a connection that deduction finds,
        or else just a cell of the carrier."""
        cdef Deduction* h = &self.deductions[0]
        cdef bits_t region
        cdef int found = threaten(h, stones, player, CELLS, True, &region), move = -1
        if found == STRONG:
            move = h.solid.key
        elif found == WEAK:
            move = smallest_threat(h).key
        return move if move >= 0 else lowest(carrier)

    def decisions(self):
        cdef uint64_t i
        cdef BoundEntry* e
        for i in range(self.bound.table.mask + 1):
            e = <BoundEntry*>self.bound.table.entries + i
            if e.side == BLACK + 1 and e.hi < UNBOUNDED:
                yield Decision(e.own, e.empty, BLACK, e.hi, e.work)
            elif e.side == WHITE + 1 and e.lo > 0:
                yield Decision(e.own, e.empty, WHITE, e.lo - 1, e.work)

    def outlook_features(self, bits_t own, bits_t empty, int side, int stones):
        cdef short lists[64 * MOST_OUTLOOK]
        cdef int counts[64]
        cdef int i, x
        cdef bits_t moves
        self.pose(0, "checkmate")
        moves = moves_to_decide(&self.bound, side, own, empty, stones, lists, counts)
        found = {}
        while moves:
            x = lowest(moves)
            moves &= moves - 1
            found[x] = [lists[MOST_OUTLOOK * x + i] for i in range(counts[x])]
        return found

    cdef int pose(self, int frame, str metric, nodes=None) except -1:
        """The bounded search stands ready for a question of that metric on that board."""
        self.bound.board = &self.boards[frame]
        self.bound.oracle = &self.oracles[frame]
        self.bound.metric = METRICS[metric]
        self.bound.tag = 2 * self.bound.metric + 2 * self.winners[frame].tag
        self.bound.limit = ~<uint64_t>0 if nodes is None else self.count + <uint64_t>nodes
        self.bound.path.length, self.bound.path.home = 0, HOME
        self.stopped = 0
        return 0

    def within(self, bits_t black, bits_t white, int to_move, int attacker, int stones, str metric, nodes=None):
        cdef int frame = 1 if attacker == WHITE else 0, move
        cdef const Board* b = &self.boards[frame]
        cdef bits_t own = black, empty = self.boards[0].full & ~(black | white), carrier = 0
        cdef bint proved
        if not 0 <= stones <= 64:
            raise ValueError(f"the bound must be 0 to 64 stones, not {stones}")
        if frame:
            own, empty = reflect(&self.boards[0], white), reflect(&self.boards[0], empty)
        self.pose(frame, metric, nodes)
        with nogil:
            # No terminal needs more stones than there are cells for them, of which the opponent takes every other one.
            stones = min(stones, (popcount(empty) + (to_move == attacker)) // 2)
            proved = within(&self.bound, own, empty, stones, to_move == attacker, &carrier)
            move = self.decisive_move(own, empty, stones, to_move == attacker, proved, carrier)
        if self.stopped:
            raise Stopped
        if frame:
            carrier = reflect(b, carrier)
            if move >= 0:
                move = lowest(reflect(b, bit(move)))
        return BoundAnswer(bool(proved), move if move >= 0 else None, carrier & ~(black | white) if proved else None)

    cdef int decisive_move(self, bits_t own, bits_t empty, int k, bint attacker_to_move, bint proved, bits_t carrier) noexcept nogil:
        """A move that keeps the answer: the attacker's in a proof, the defender's in a refutation; -1 where no move decides."""
        cdef int move
        cdef bits_t moves, cell
        if proved != attacker_to_move or self.stopped or not empty:
            return -1
        move = remembered_move(&self.bound, own, empty, k, attacker_to_move)
        if move >= 0:
            return move
        moves = carrier & empty if attacker_to_move else empty
        while moves:
            cell = moves & (~moves + 1)
            moves &= moves - 1
            if attacker_to_move:
                proved = within(&self.bound, own | cell, empty & ~cell, k - 1, False, &carrier)
            else:
                proved = within(&self.bound, own, empty & ~cell, k, True, &carrier)
            if proved == attacker_to_move:
                return lowest(cell)
        return -1
