// The board: fills the picture that books/picture.py draws, and moves a cursor over it.

const SVG = "http://www.w3.org/2000/svg";

class Board {
  constructor(svg, columns, rows, onPlay) {
    this.columns = columns;
    this.rows = rows;
    this.groups = [...svg.querySelectorAll(".cell")];
    this.names = this.groups.map((group) => group.dataset.cell);
    this.outlines = this.groups.map((group) => points(group.querySelector("polygon")));
    this.at = Math.floor(rows / 2) * columns + Math.floor(columns / 2);
    svg.querySelector("title").remove();
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", `Hex board of ${columns} columns and ${rows} rows`);
    this.cursor = add(svg.querySelector(".board"), "polygon", "cursor");
    this.groups.forEach((group, cell) => {
      group.addEventListener("click", () => onPlay(cell));
      group.addEventListener("focus", () => this.moveTo(cell));
    });
    svg.addEventListener("keydown", (event) => this.key(event, onPlay));
    this.moveTo(this.at);
  }

  key(event, onPlay) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};
    const step = steps[event.key];
    if (step) {
      const row = Math.floor(this.at / this.columns) + step[0], column = this.at % this.columns + step[1];
      if (row >= 0 && row < this.rows && column >= 0 && column < this.columns) this.groups[row * this.columns + column].focus();
    } else if (event.key === "Enter" || event.key === " ") {
      onPlay(this.at);
    } else {
      return;
    }
    event.preventDefault();
  }

  moveTo(cell) {
    this.at = cell;
    this.groups.forEach((group, index) => group.setAttribute("tabindex", index === cell ? 0 : -1));
    this.cursor.setAttribute("points", scaled(this.outlines[cell], 0.94));
  }

  // Shows a position: its stones, and on empty cells what `view`, a lookup or null, knows of the moves.
  show(moves, view) {
    const known = view ? [...view.moves.values()] : [];
    const ranges = [0, 1].map((color) => known.filter((value) => value.winner === color).map((value) => value.length ?? 0));
    this.groups.forEach((group, cell) => {
      group.querySelectorAll(".stone, .label, .mark, .best, .last").forEach((element) => element.remove());
      const ply = moves.indexOf(cell);
      const value = view?.moves.get(cell);
      const words = ply >= 0 ? this.showStone(group, cell, ply, moves.length) : this.showMove(group, cell, value, ranges, view);
      group.setAttribute("aria-label", `${this.names[cell]}, ${words}`);
      group.querySelector("title").textContent = `${this.names[cell]}: ${words}`;
    });
  }

  showStone(group, cell, ply, plies) {
    const color = ply % 2;
    group.setAttribute("class", "cell taken");
    group.setAttribute("role", "img");
    const [x, y, side] = middle(this.outlines[cell]);
    add(group, "circle", `stone ${COLORS[color]}`, {cx: x, cy: y, r: 0.66 * side});
    if (ply === plies - 1) add(group, "circle", `last ${COLORS[color]}`, {cx: x, cy: y, r: 0.2 * side});
    return `${PLAYERS[color]}'s stone${ply === plies - 1 ? ", the last move" : ""}`;
  }

  showMove(group, cell, value, ranges, view) {
    const winner = value?.winner ?? null;
    group.setAttribute("role", "button");
    group.setAttribute("class", winner === null ? "cell" : `cell won ${COLORS[winner]}`);
    if (winner === null) return value || view?.complete ? "not known" : "not known here";
    const shortest = Math.min(...ranges[winner]), longest = Math.max(...ranges[winner]);
    const depth = longest > shortest ? (value.length - shortest) / (longest - shortest) : 0.4;
    group.style.setProperty("--depth", `${Math.round(100 * depth)}%`);
    const [x, y, side] = middle(this.outlines[cell]);
    if (value.optimal) add(group, "polygon", "best", {points: scaled(this.outlines[cell], 0.8)});
    if (value.length !== null) add(group, "text", "label", {x, y: y + 0.13 * side}).textContent = value.length;
    const [down, radius] = value.length === null ? [0, 0.32] : [0.47, 0.14];
    add(group, "circle", `mark ${COLORS[winner]}`, {cx: x, cy: y + down * side, r: radius * side});
    return `${wins(value)}${value.optimal ? ", best" : ""}`;
  }
}

// "Black wins in 18"
function wins({winner, length}) {
  return `${PLAYERS[winner]} wins${length === null ? "" : ` in ${length}`}`;
}

function points(polygon) {
  return polygon.getAttribute("points").split(" ").map((pair) => pair.split(",").map(Number));
}

// Centre and side of a hexagon.
function middle(outline) {
  const [x, y] = [0, 1].map((axis) => outline.reduce((sum, point) => sum + point[axis], 0) / outline.length);
  return [x, y, Math.hypot(outline[0][0] - x, outline[0][1] - y)];
}

function scaled(outline, factor) {
  const [x, y] = middle(outline);
  return outline.map(([px, py]) => `${(x + factor * (px - x)).toFixed(1)},${(y + factor * (py - y)).toFixed(1)}`).join(" ");
}

function add(parent, tag, kind, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  element.setAttribute("class", kind);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  parent.append(element);
  return element;
}
