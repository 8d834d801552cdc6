// The page: the address names the position (#c3d4, or #c3d4/connection for another metric than the first), all else follows from it.

const data = JSON.parse(document.getElementById("data").textContent);
const atlas = new Atlas(data);
const metrics = Object.keys(data.metrics);
const title = document.title;
const byId = (id) => document.getElementById(id);
const board = new Board(byId("board").querySelector("svg"), data.columns, data.rows, play);
const cellOf = (name) => board.names.indexOf(name);
const fetched = new Map();  // what the server answered, by address
let search = null;          // the AbortController of the question that the server is at
let game = {moves: [], metric: metrics[0]};
let undone = [];            // moves taken back, which Forward plays again

function address(moves, metric) {
  const names = moves.map((cell) => board.names[cell]).join("");
  return `#${names}${metric === metrics[0] ? "" : `/${metric}`}`;
}

// The game that the address names: as many of its moves as can be played.
function read(hash) {
  const [names, metric] = decodeURIComponent(hash.slice(1)).split("/");
  const moves = [];
  for (const name of names.toLowerCase().match(/[a-z]+[0-9]+/g) ?? []) {
    const cell = cellOf(name);
    if (cell < 0 || moves.includes(cell)) break;
    moves.push(cell);
  }
  return {moves, metric: metrics.includes(metric) ? metric : metrics[0]};
}

function go(moves, metric = game.metric) {
  const before = game.moves;
  const shared = moves.every((cell, ply) => cell === before[ply]);
  if (shared) undone = [...before.slice(moves.length), ...undone];
  else if (undone.length && before.every((cell, ply) => cell === moves[ply])) {
    const played = moves.slice(before.length);
    undone = played.every((cell, ply) => cell === undone[ply]) ? undone.slice(played.length) : [];
  } else undone = [];
  const target = address(moves, metric);
  if (target === address(before, game.metric)) return;
  game = {moves, metric};
  history.pushState(null, "", target);
  render();
}

function play(cell) {
  if (!game.moves.includes(cell)) go([...game.moves, cell]);
}

const actions = {
  start: () => go([]),
  back: () => go(game.moves.slice(0, -1)),
  forward: () => undone.length && play(undone[0]),
  best: () => current?.line?.length && play(current.line[0]),
};

let current = null;         // what is known of the position shown

function render() {
  search?.abort();
  search = null;
  const known = atlas.lookup(game.moves, game.metric);
  const at = address(game.moves, game.metric);
  show(fetched.get(at) ?? known);
  if (data.server && !fetched.has(at) && !known?.complete) ask(at);
}

function show(view, note = "") {
  current = view;
  board.show(game.moves, view);
  const names = game.moves.map((cell) => board.names[cell]);
  document.title = names.length ? `${names.join(" ")} · ${title}` : title;
  showVerdict(view, note);
  showControls(view);
  showMoves(view);
  byId("unit").textContent = game.metric === "winner" ? "" : `number: plies left until ${game.metric}; the darker, the more`;
  for (const input of byId("metrics").querySelectorAll("input")) input.checked = input.value === game.metric;
}

function showVerdict(view, note) {
  const side = game.moves.length % 2;
  byId("side").className = `stone ${COLORS[side]}`;
  const over = view?.length === 0;
  const turn = `${PLAYERS[side]} to move`;
  if (!view || view.winner === null) {
    byId("outcome").textContent = turn;
    byId("detail").textContent = note || (view ? "Who wins is not known." : beyond());
    return;
  }
  const {winner, length} = view;
  byId("outcome").textContent = over ? `${PLAYERS[winner]} has won` : `${wins(view)}${length === null ? "" : length === 1 ? " ply" : " plies"}`;
  const here = over ? `${capital(game.metric)} is reached.` : `${turn}.`;
  byId("detail").textContent = `${here} ${note || (view.complete || over || data.server ? "" : edge(view))}`;
}

// What there is to say where the page ends.
function beyond() {
  return `This page does not reach so far; ${advice()}`;
}

function edge(view) {
  return view.moves.size ? `The page knows one best move from here; for all moves, ${advice()}` : beyond();
}

function advice() {
  const names = game.moves.map((cell) => board.names[cell]).join(" ");
  return `ask hexbook query ${data.size} "${names}"${game.metric === "checkmate" ? "" : ` --metric ${game.metric}`}, or walk on with hexbook serve ${data.size}.`;
}

function showControls(view) {
  byId("start").disabled = byId("back").disabled = !game.moves.length;
  byId("forward").disabled = !undone.length;
  byId("best").disabled = !view?.line?.length;
}

function showMoves(view) {
  chips(byId("game"), game.moves, 0, (ply) => go(game.moves.slice(0, ply + 1)));
  chips(byId("line"), view?.line ?? [], game.moves.length, (ply) => go([...game.moves, ...view.line.slice(0, ply + 1)]));
  const groups = new Map();
  for (const [cell, value] of ranked(view?.moves ?? new Map())) {
    const name = value.winner === null ? "not known" : wins(value);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push([cell, value]);
  }
  byId("groups").replaceChildren(...[...groups].map(([name, members]) => group(name, members)));
  byId("ranked").hidden = !groups.size;
}

// Best first.
function ranked(moves) {
  const side = game.moves.length % 2;
  const worth = ({winner, length}) => (winner === null ? 0 : winner === side ? 1000 - (length ?? 0) : (length ?? 0) - 1000);
  return [...moves].sort(([cell, one], [another, other]) => worth(other) - worth(one) || cell - another);
}

function group(name, members) {
  const item = document.createElement("li");
  const {winner, optimal} = members[0][1];
  const head = document.createElement("span");
  head.className = optimal ? "name optimal" : "name";
  if (winner !== null) {
    const stone = document.createElement("span");
    stone.className = `stone ${COLORS[winner]}`;
    head.append(stone);
  }
  head.append(name);
  if (optimal) {
    const ring = document.createElement("span");
    ring.className = "ring";
    ring.setAttribute("role", "img");
    ring.setAttribute("aria-label", "best");
    head.append(ring);
  }
  const list = document.createElement("span");
  list.className = "moves";
  list.append(...members.map(([cell]) => chip(board.names[cell], () => play(cell))));
  item.append(head, list);
  return item;
}

function chips(parent, cells, first, onClick) {
  const buttons = cells.map((cell, index) => {
    const button = chip(board.names[cell], () => onClick(index));
    button.classList.add(COLORS[(first + index) % 2]);
    return button;
  });
  parent.replaceChildren(...(buttons.length ? buttons : ["–"]));
}

function chip(text, onClick) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.addEventListener("click", onClick);
  return button;
}

function capital(word) {
  return word[0].toUpperCase() + word.slice(1);
}

// Let the server search the position at an address, and show its answer if the page is still there.
async function ask(at) {
  const own = search = new AbortController();
  const {moves, metric} = game;
  const start = Date.now();
  const known = current;
  const clock = setInterval(() => { byId("clock").textContent = ` ${Math.round((Date.now() - start) / 1000)} s`; }, 1000);
  show(known, "Searching …");
  let note = "", view = known;
  try {
    const query = new URLSearchParams({moves: moves.map((cell) => board.names[cell]).join(" "), metric});
    const response = await fetch(`query?${query}`, {signal: own.signal});
    const answer = await response.json();
    if ("legal" in answer) view = fromQuery(answer, cellOf);
    if (response.ok) fetched.set(at, view);
    else note = answer.error;
  } catch (error) {
    note = `The server does not answer (${error.message}).`;
  } finally {
    clearInterval(clock);
    byId("clock").textContent = "";
  }
  if (own === search) show(view, note);
}

function begin() {
  for (const metric of metrics) {
    const label = document.createElement("label");
    const input = Object.assign(document.createElement("input"), {type: "radio", name: "metric", value: metric});
    input.addEventListener("change", () => go(game.moves, metric));
    label.append(input, metric);
    byId("metrics").append(label);
  }
  byId("metrics").hidden = metrics.length < 2;
  byId("extent").textContent = data.extent;
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
  document.addEventListener("keydown", (event) => {
    const keys = {Backspace: "back", Home: "start", f: "forward", F: "forward", o: "best", O: "best"};
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    event.preventDefault();
    actions[keys[event.key]]();
  });
  window.addEventListener("popstate", () => {
    undone = [];
    game = read(location.hash);
    render();
  });
  game = read(location.hash);
  render();
}

begin();
