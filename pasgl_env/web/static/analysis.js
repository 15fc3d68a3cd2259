// Analysis: the engine's candidates as they come, and the value of every turn.
import { announce, el, sentence, shape } from "./dom.js";
import { server } from "./socket.js";

const MOST_ARROWS = 3;
const MOST_LINES = 8;
const BAD = 0.12; // of a value from -1 to 1
const TERRIBLE = 0.35;
const MOST_MARKED = 6;
// What values are based on; calibrated ones are the results that strong players get.
const BASES = {
  exact: () => "exact",
  calibrated: (visits) => `after ${visits} simulations`,
  uncalibrated: (visits) => `uncalibrated, after ${visits} simulations`,
};

// From a value of -1 to 1 to a percentage.
export const percent = (value) => `${Math.round(50 + 50 * value)}%`;

export class Candidates {
  #board;
  #play;
  #asked = null;
  #key = null;
  #closed = new AbortController();

  // board: where arrows go; play(labels): play a candidate, with the line that is expected after it.
  constructor(board, play) {
    this.#board = board;
    this.#play = play;
    this.lines = el("tbody");
    this.expected = el("p", { class: "hint" });
    this.head = el("p", { class: "hint" }, "");
    this.table = el(
      "table",
      { hidden: true },
      el("thead", {}, el("tr", {}, ...["Action", "Wins", "Visits"].map((name) => el("th", { scope: "col" }, name)))),
      this.lines,
    );
    this.node = el("div", { class: "candidates", hidden: true }, this.head, this.table, this.expected);
    const { signal } = this.#closed;
    server.addEventListener("analysis", ({ detail }) => this.#show(detail), { signal });
    // The server stops an analysis when its client is gone: the next one is a new one.
    server.addEventListener("lost", () => (this.#key = this.#asked = null), { signal });
  }

  get isOn() {
    return !this.node.hidden;
  }

  // Analyse a position: { game, ply } or { variant, options, text }.
  think(position) {
    const key = JSON.stringify(position);
    if (key === this.#key) return;
    this.#key = key;
    this.node.hidden = false;
    this.#fill([]);
    this.expected.textContent = "";
    this.#board.arrows([]);
    this.head.textContent = "Thinking …";
    this.#asked = null;
    server
      .ask("analyse", position)
      .then(({ re }) => key === this.#key && (this.#asked = re))
      .catch((error) => key === this.#key && this.#fail(error.message));
  }

  // Stop until the next position, if there is nothing to choose in this one.
  wait() {
    this.stop();
    this.node.hidden = false;
    this.#fill([]);
    this.head.textContent = "There is nothing to choose in this position.";
  }

  stop() {
    if (this.#key) server.ask("stop", { what: "analyse" }).catch(() => {});
    this.#key = this.#asked = null;
    this.node.hidden = true;
    this.#board.arrows([]);
  }

  close() {
    this.#closed.abort();
    this.stop();
  }

  // Only this is announced: the head changes several times a second.
  #fail(text) {
    this.head.textContent = sentence(text);
    announce(this.head.textContent);
  }

  #fill(rows) {
    this.lines.replaceChildren(...rows);
    this.table.hidden = !rows.length;
  }

  #show({ of, lines, visits, value, side, expected, basis, done, error }) {
    if (of !== this.#asked) return;
    if (error) this.#fail(error);
    if (done || !lines) return;
    if (this.lines.matches(":active")) return; // a button that is replaced while it is pressed gets no click
    this.head.textContent = `${percent(value)} for the side to move, ${BASES[basis](visits.toLocaleString())}`;
    const most = Math.max(1, lines[0].visits);
    const arrow = ({ origin, target, visits: own }) => ({ origin, target: target || origin, strength: own / most });
    const focused = [...this.lines.querySelectorAll("button")].findIndex((button) => button === document.activeElement);
    this.#fill(
      lines.slice(0, MOST_LINES).map((line) =>
        el(
          "tr",
          { onmouseenter: () => this.#board.arrows([{ ...arrow(line), strength: 1 }]), title: line.words, "data-side": side },
          el("td", {}, el("button", { type: "button", class: "quiet", onclick: () => this.#play(line.label === expected[0] ? expected : [line.label]) }, line.label)),
          el("td", {}, line.value === null ? "–" : percent(line.value)),
          el("td", {}, line.visits.toLocaleString()),
        ),
      ),
    );
    this.lines.querySelectorAll("button")[focused]?.focus({ preventScroll: true });
    this.expected.textContent = expected.length > 1 ? `Expected: ${expected.join(" ")}` : "";
    if (!this.lines.matches(":hover")) this.#board.arrows(lines.slice(0, MOST_ARROWS).filter(({ visits: own }) => own > most / 10).map(arrow));
  }
}

// A graph of the values of a game's turns; the worst turns are marked.
export class Graph {
  #game;
  #go;
  #teams;
  #points = [];
  #turns = [];
  #until = 0; // the last ply that is still part of the game
  #asked = null; // the request whose values are shown
  #isRunning = false;
  #ending = null;
  #closed = new AbortController();

  // go(ply): look at a position; teams: of the seats.
  constructor(game, teams, go) {
    this.#game = game;
    this.#go = go;
    this.#teams = teams;
    this.losses = new Map(); // by the ply after the turn, what it lost of a value from -1 to 1
    this.marked = new Map(); // by the ply after the turn: "?" or "??"
    this.status = el("p", { class: "hint", role: "status" });
    this.picture = el("div", { class: "graph" });
    this.node = el("div", { hidden: true }, this.status, this.picture);
    const { signal } = this.#closed;
    server.addEventListener("evaluation", ({ detail }) => this.#receive(detail), { signal });
    server.addEventListener("lost", () => this.#isRunning && this.#end("The connection was lost. Ask for the graph again."), { signal });
  }

  // Ask for the values of all turns; changed(number) is called as they come, with the number of turns so far.
  // `ended` resolves at the end.
  async start(turns, changed) {
    this.#ending = Promise.withResolvers();
    this.ended = this.#ending.promise;
    this.#points = [];
    this.#turns = turns;
    this.#until = Infinity;
    this.#asked = null;
    this.#isRunning = true;
    this.changed = changed;
    this.node.hidden = false;
    this.status.textContent = "Evaluating every turn …";
    try {
      this.#asked = (await server.ask("evaluate", { game: this.#game })).re;
    } catch (error) {
      if (this.#isRunning) this.#end(error.message);
    }
  }

  // Turns were taken back: drop what comes after a ply.
  cut(ply) {
    this.#until = Math.min(this.#until, ply);
    if (this.#points.every((point) => point.ply <= ply)) return;
    this.#points = this.#points.filter((point) => point.ply <= ply);
    this.#mark();
    this.draw();
    if (!this.#isRunning) this.#end();
  }

  close() {
    this.#closed.abort();
    server.ask("stop", { what: "evaluate" }).catch(() => {});
  }

  #receive({ of, ply, value, done, error }) {
    if (of !== this.#asked) return;
    if (!done && ply <= this.#until) this.#points.push({ ply, value: value ?? 0 });
    this.#mark();
    if (done) this.#end(error);
    this.draw();
    this.changed?.(Math.max(0, this.#points.length - 1)); // the first is the start
  }

  #end(error) {
    this.#isRunning = false;
    this.status.textContent = error ?? this.#summary();
    if (error) this.#ending?.reject(new Error(error));
    else this.#ending?.resolve();
  }

  #summary() {
    const worst = this.marked.size;
    if (worst === 0) return "There were no serious mistakes.";
    return worst === 1 ? "The worst turn is marked." : `The ${worst} worst turns are marked.`;
  }

  #mark() {
    const losses = [];
    this.#points.slice(1).forEach(({ ply, value }, number) => {
      const turn = this.#turns.find(({ end }) => end === ply);
      if (!turn) return;
      const side = this.#teams[turn.seat] === this.#teams[0] ? 1 : -1;
      losses.push({ ply, loss: side * (this.#points[number].value - value) });
    });
    this.losses = new Map(losses.map(({ ply, loss }) => [ply, loss]));
    losses.sort((one, other) => other.loss - one.loss);
    this.marked = new Map(
      losses
        .filter(({ loss }) => loss > BAD)
        .slice(0, MOST_MARKED)
        .map(({ ply, loss }) => [ply, loss > TERRIBLE ? "??" : "?"]),
    );
  }

  draw(here = null) {
    const [wide, high] = [320, 110];
    const points = this.#points;
    if (points.length < 2) {
      this.picture.replaceChildren();
      return;
    }
    const x = (number) => (number * wide) / Math.max(1, points.length - 1);
    const y = (value) => (high * (1 - value)) / 2;
    const line = points.map(({ value }, number) => `${x(number).toFixed(1)} ${y(value).toFixed(1)}`).join("L");
    const svg = shape("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": "The evaluation over the game" });
    svg.append(
      shape("path", { d: `M0 ${high}L${line}L${wide} ${high}z`, class: "area" }),
      shape("path", { d: `M0 ${high / 2}H${wide}`, class: "even" }),
      shape("path", { d: `M${line}`, class: "line" }),
    );
    points.forEach(({ ply, value }, number) => {
      if (this.marked.has(ply)) svg.append(shape("circle", { cx: x(number), cy: y(value), r: 4, class: "lost" }));
      if (ply === here) svg.append(shape("path", { d: `M${x(number)} 0V${high}`, class: "now" }));
    });
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const number = Math.round(((event.clientX - box.left) / box.width) * (points.length - 1));
      this.#go(points[Math.min(Math.max(number, 0), points.length - 1)].ply);
    });
    this.picture.replaceChildren(svg);
  }
}

