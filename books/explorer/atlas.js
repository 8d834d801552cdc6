"use strict";

// What the page knows of positions. A position is the list of the moves that lead to it, cells numbered row by row; how values are
// written is told in books/atlas.py. A lookup answers
//   {winner: 0 | 1 | null, length: plies | null, moves: Map of cell to {winner, length, optimal}, complete, line: cells | null}
// or null where nothing is known; `complete` says that `moves` has every legal move.

const BLACK = 0, WHITE = 1;
const COLORS = ["black", "white"], PLAYERS = ["Black", "White"];

class Atlas {
  constructor(data) {
    this.cells = data.columns * data.rows;
    this.alphabet = data.alphabet;
    this.metrics = data.metrics;
  }

  // One of the two names of a position that half a turn of the board exchanges, and whether the board must be turned for it.
  key(moves) {
    const name = (turned) => {
      const stones = [[], []];
      moves.forEach((cell, ply) => stones[ply % 2].push(this.turn(cell, turned)));
      return stones.map((own) => own.sort((a, b) => a - b).map((cell) => this.alphabet[cell]).join("")).join("");
    };
    const upright = name(false), other = name(true);
    return other < upright ? [other, true] : [upright, false];
  }

  turn(cell, turned) {
    return turned ? this.cells - 1 - cell : cell;
  }

  // The value that a letter stands for, where `side` is to move.
  value(letter, side, metric) {
    const code = this.alphabet.indexOf(letter);
    if (code < 0) return {winner: null, length: null};
    const half = this.alphabet.length / 2;
    const winner = code < half ? BLACK : WHITE, stones = code % half;
    if (metric === "winner") return {winner, length: null};
    return {winner, length: stones ? 2 * stones - (side === winner ? 1 : 0) : 0};
  }

  lookup(moves, metric) {
    const {lines, values} = this.metrics[metric];
    const side = moves.length % 2;
    const [key, turned] = this.key(moves);
    if (!(key in lines)) return this.onLine(moves, metric);
    const own = this.value(lines[key][0], side, metric);
    const line = this.lineFrom(moves, lines);
    if (!(key in values)) return partial(own, line);
    const empty = [...Array(this.cells).keys()].filter((cell) => !moves.includes(this.turn(cell, turned)));
    const found = new Map(empty.map((cell, index) => {
      return [this.turn(cell, turned), this.value(values[key][index], 1 - side, metric)];
    }));
    return {...own, moves: judged(found, side), complete: true, line: own.winner === null ? null : line};
  }

  // The best play from a position: its own line, and from where that leads the line of the position there, and so on.
  lineFrom(moves, lines) {
    const game = [...moves];
    for (;;) {
      const [key, turned] = this.key(game);
      if ((lines[key] ?? "").length < 2) return game.slice(moves.length);
      for (const letter of lines[key].slice(1)) game.push(this.turn(this.alphabet.indexOf(letter), turned));
    }
  }

  // What an earlier position tells, if the game has followed its line since then, or if it tells all moves and this is one of them.
  onLine(moves, metric) {
    const {lines, values} = this.metrics[metric];
    for (let ply = moves.length - 1; ply >= 0; ply--) {
      const [key] = this.key(moves.slice(0, ply));
      if (!(key in lines)) continue;
      const before = this.lookup(moves.slice(0, ply), metric);
      const since = moves.slice(ply);
      if (before.line && since.every((cell, index) => cell === before.line[index])) {
        const {winner, length} = before;
        return partial({winner, length: length === null ? null : length - since.length}, before.line.slice(since.length));
      }
      if (since.length === 1 && key in values) return {...before.moves.get(since[0]), moves: new Map(), complete: false, line: null};
    }
    return null;
  }
}

// A position of which only the value and one best game are known.
function partial({winner, length}, line) {
  const next = line.length ? [[line[0], {winner, length: length === null ? null : length - 1, optimal: true}]] : [];
  return {winner, length, moves: new Map(winner === null ? [] : next), complete: false, line: winner === null ? null : line};
}

// The values of all moves, with the best ones marked: the shortest win or, without one, the longest loss.
function judged(found, side) {
  const score = ({winner, length}) => (winner === side ? 1000 - (length ?? 0) : (length ?? 0) - 1000);
  const all = [...found.values()];
  const best = all.some((value) => value.winner === null) ? null : Math.max(...all.map(score));
  return new Map([...found].map(([cell, value]) => [cell, {...value, optimal: score(value) === best}]));
}

// The answer of `hexbook query --json`, which a server gives, in the form of a lookup.
function fromQuery(answer, cellOf) {
  const winner = (value) => (value.winner === "unknown" ? null : COLORS.indexOf(value.winner));
  const value = (each) => ({winner: winner(each), length: each.length ?? null, optimal: each.optimal === true});
  return {
    ...value(answer),
    moves: new Map(answer.legal.map((each) => [cellOf(each.move), value(each)])),
    complete: true,
    line: "pv" in answer ? answer.pv.split(" ").filter(Boolean).map(cellOf) : null,
  };
}
