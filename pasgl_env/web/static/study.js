// Variations: a tree of lines of play from a game or a position, with the engine beside it. What the user
// adds is kept in the browser.
import { Candidates } from "./analysis.js";
import { Board } from "./board.js";
import { Choosing, readAction } from "./choosing.js";
import { announce, el, notice, stored } from "./dom.js";
import { Explaining } from "./explaining.js";
import { aim, handbook } from "./howto.js";
import { listenToKeys } from "./keys.js";
import { Legend, Signs } from "./legend.js";
import { openLink, studyAddress } from "./links.js";
import { openNewGame } from "./newgame.js";
import { boardOf, server } from "./socket.js";
import { watched } from "./watched.js";

const MOST_KEPT = 30; // studies

// Whether the rules refused an action; other errors pass.
const isRefused = ({ code }) => code === (window.engine ? "failed" : "value");

// A position of the tree; `ply` if it is one of the game.
class Node {
  children = [];

  constructor(parent, label, seat, ply = null) {
    Object.assign(this, { parent, label, seat, ply });
  }

  // The child after an action or a roll; a new one if there is none.
  after(label, seat) {
    const known = this.children.find((child) => child.label === label);
    if (known) return known;
    this.children.push(new Node(this, label, seat));
    return this.children.at(-1);
  }

  // The last position of the game before it, and the labels since.
  get path() {
    const labels = [];
    let node = this;
    for (; node.ply === null && node.parent; node = node.parent) labels.unshift(node.label);
    return { from: node, labels };
  }

  get leaves() {
    return this.children.length ? this.children.flatMap((child) => child.leaves) : [this];
  }
}

export class StudyView {
  #query = new URLSearchParams(location.hash.split("?")[1] ?? "");
  #game = this.#query.get("game");
  #about = null; // { variant, options, seats }
  #start = null; // what names the root for the server, if it is not a game's
  #root = new Node(null, "", null, 0);
  #main = [this.#root]; // by ply
  #here = this.#root; // the position shown
  #next = this.#root; // the one that was asked for last
  #seen = null;
  #board = new Board();
  #choosing = new Choosing(this.#board);
  #candidates = new Candidates(this.#board, (labels) => this.#playOut(labels));
  #explaining = null;
  #signs = new Signs(this.#board);
  #parts = null;
  #turn = 0; // counts what is shown, of which the last counts
  #closed = new AbortController();

  constructor() {
    this.node = el("div", { class: "game study" });
  }

  get title() {
    return `Variations: ${server.hello.variants.find(({ name }) => name === this.#about.variant).title}`;
  }

  async open() {
    await server.open();
    await (this.#game ? this.#openGame() : this.#openText());
    const { variant, changed } = this.#about;
    const board = await boardOf(variant, changed);
    this.#about.seats = board.seats;
    if (this.#closed.signal.aborted) return;
    const legend = new Legend(board);
    this.#choosing.legend = legend;
    this.#board.shape(legend);
    this.#signs.meanings = board.board_signs;
    this.#board.addEventListener("flip", () => this.#flip());
    this.#explaining = new Explaining(this.#board, () => this.#fields(), () => !this.#choosing.selected);
    this.#choosing.addEventListener("refused", ({ detail }) => this.#explaining.refuse(detail));
    this.#choosing.addEventListener("play", ({ detail }) => this.#play(detail));
    listenToKeys({ flip: () => this.#flip(), step: (to) => this.#step(to), signal: this.#closed.signal });
    this.#parts = this.#layOut(legend);
    this.node.replaceChildren(...this.#parts.all);
    this.#restore();
    const ply = Math.min(Number(this.#query.get("ply") ?? this.#main.length - 1) || 0, this.#main.length - 1);
    this.#here = this.#main[ply];
    this.#list();
    const labels = this.#query.get("play")?.split(",") ?? [];
    if (labels.length) await this.#playOut(labels);
    else await this.#show(this.#here);
  }

  close() {
    this.#closed.abort();
    this.#choosing.close();
    this.#explaining?.close();
    this.#candidates.close();
  }

  // Draw everything again, in the other theme.
  async repaint() {
    if (!this.#parts) return;
    const legend = new Legend(await boardOf(this.#about.variant, this.#about.changed));
    this.#choosing.legend = legend;
    this.#board.layout = legend.layout;
    this.#parts.pieces.replaceChildren(legend.list());
    await this.#show(this.#next);
  }

  async #openGame() {
    const { about, turns } = await watched(this.#game, this.#closed.signal);
    this.#about = { variant: about.variant, options: about.options, changed: about.changed_options };
    for (const [first, , seat, labels] of turns) {
      labels.forEach((label, number) => {
        const node = new Node(this.#main[first + number], label, seat, first + number + 1);
        node.parent.children.push(node);
        this.#main.push(node);
      });
    }
  }

  async #openText() {
    const variant = this.#query.get("variant") ?? server.hello.variants[0].name;
    let options = {};
    try {
      options = JSON.parse(this.#query.get("options") ?? "{}");
    } catch {
      notice("The options in the address are not valid JSON.");
    }
    this.#about = { variant, options, changed: options };
    this.#start = { variant, options };
    if (this.#query.get("text")) this.#start.text = this.#query.get("text");
  }

  #layOut(legend) {
    const button = (text, id, action) => el("button", { type: "button", id, onclick: action }, text);
    const step = (name, sign, to) => el("button", { type: "button", "aria-label": name, title: name, onclick: () => this.#step(to) }, sign);
    const parts = {
      status: el("p", { class: "status", role: "status" }),
      happened: el("div", { class: "happened" }),
      rolls: el("div", { class: "buttons rolls" }),
      tree: el("div", { class: "tree", tabindex: "0", role: "group", "aria-label": "Variations" }),
      think: button("Think", "think", () => this.#toggle()),
      pieces: el("div", {}, legend.list()),
      remove: button("Remove this variation", "remove", () => this.#remove()),
    };
    const side = el(
      "section",
      { class: "side", "aria-label": "Variations" },
      el("h1", {}, this.title),
      aim(this.#about.variant),
      el("p", { class: "hint" }, "Play any moves on the board, for both sides. Go back and play another to begin a variation."),
      parts.tree,
      el("div", { class: "steps", role: "group", "aria-label": "Step through" }, step("First", "«", "first"), step("Back", "‹", "back"), step("On", "›", "on"), step("Last", "»", "last")),
      el(
        "div",
        { class: "buttons" },
        parts.think,
        parts.remove,
        button("Flip", "flip", () => this.#flip()),
        button("Link", "link", () => this.#link()),
        button("Play from here", "play-here", () => openNewGame({ variant: this.#about.variant, options: this.#about.changed, text: this.#seen.text })),
        this.#game ? el("a", { class: "button", href: `#/game/${this.#game}` }, "Back to the game") : null,
      ),
      this.#candidates.node,
      ...handbook(this.#about.variant, parts.pieces, this.#signs, Object.keys(this.#about.changed).length > 0),
    );
    parts.all = [el("section", { class: "table", "aria-label": "The board" }, this.#board.scroll, parts.status, parts.rolls, this.#choosing.chips, parts.happened), side];
    return parts;
  }

  // A game of a page without a server is in this browser only.
  #link() {
    const { variant, changed } = this.#about;
    if (!window.engine) openLink("To this position, with the moves before it", studyAddress(this.#fields()));
    else openLink("To this position", studyAddress({ variant, options: changed, text: this.#seen.text }));
  }

  // What names a position for the server.
  #fields(node = this.#here) {
    const { from, labels } = node.path;
    return { ...(this.#game ? { game: this.#game, ply: from.ply } : this.#start), labels };
  }

  async #show(node, animated = true) {
    const turn = ++this.#turn;
    this.#next = node;
    this.#choosing.actions = [];
    try {
      const seen = await server.ask(this.#game ? "position" : "look", this.#fields(node));
      if (turn !== this.#turn || this.#closed.signal.aborted) return;
      this.#here = node;
      this.#seen = seen;
      this.#mark();
      this.#tell();
      await this.#board.show(seen.drawing, animated);
    } catch (error) {
      if (!this.#seen) throw error; // there is no board to show
      notice(error.message);
      if (turn !== this.#turn || this.#closed.signal.aborted) return;
      this.#next = this.#here;
      if (isRefused(error) && node.path.labels.length) this.#drop(node);
      else this.#tell();
    }
  }

  #tell() {
    const { status, happened, rolls, remove } = this.#parts;
    const { over, ending, whose, question, legal, events, text, to_move: mover } = this.#seen;
    this.node.dataset.shown = text;
    const asked = this.#seen.rolls.length ? "The dice are due" : `${whose} to move${question ? `: ${question}` : ""}`;
    status.textContent = over ? ending : asked;
    happened.replaceChildren(...(this.#here.parent ? events : []).map((line) => el("p", {}, line)));
    announce([...(this.#here.parent ? [this.#here.label, ...events] : []), status.textContent].join(" "));
    rolls.replaceChildren(...this.#rolls());
    remove.disabled = this.#here.ply !== null;
    this.#choosing.actions = legal.map(readAction);
    if (this.#here.children.some(({ seat }) => seat === null)) {
      for (const child of this.#here.children) child.seat ??= mover;
      this.#list();
    }
    if (!this.#candidates.isOn) return;
    if (over || !legal.length) this.#candidates.wait();
    else this.#candidates.think(this.#fields());
  }

  // A button that rolls, and a choice of the outcome.
  #rolls() {
    const { rolls } = this.#seen;
    if (!rolls.length) return [];
    const select = el("select", { "aria-label": "Choose the roll" }, el("option", { value: "" }, "choose the roll"), rolls.map(([label]) => el("option", {}, label)));
    select.addEventListener("change", () => this.#play(select.value));
    return [el("button", { type: "button", class: "primary", onclick: () => this.#play(rolled(rolls)) }, "Roll"), select];
  }

  async #play(label) {
    if (label) await this.#go(this.#add(this.#here, label));
  }

  #add(node, label, seat = this.#seen?.to_move ?? null) {
    const known = node.children.length;
    const child = node.after(label, seat);
    if (node.children.length > known) {
      this.#list();
      this.#keep();
    }
    return child;
  }

  // Add a line, and show its first action; the rest is there to be stepped through.
  async #playOut(labels) {
    if (!this.#seen) await this.#show(this.#here);
    const first = this.#add(this.#here, labels[0]);
    let last = first;
    for (const label of labels.slice(1)) last = this.#add(last, label, null);
    await this.#go(first);
  }

  async #go(node) {
    if (node && node !== this.#next) await this.#show(node);
  }

  #step(to) {
    let node = this.#next;
    if (to === "first") node = this.#root;
    else if (to === "back") node = node.parent;
    else if (to === "on") node = node.children[0];
    else while (node.children.length) node = node.children[0];
    this.#go(node);
  }

  // Remove the variation from where it leaves the game or another.
  #remove() {
    let first = this.#here;
    while (first.parent.ply === null && first.parent.children[0] === first && first.parent.parent) first = first.parent;
    this.#drop(first);
  }

  #drop(node) {
    const at = node.parent.children.indexOf(node);
    if (at < 0) return;
    node.parent.children.splice(at, 1);
    this.#keep();
    this.#list();
    this.#show(node.parent);
  }

  #list() {
    this.#parts.tree.replaceChildren(...this.#line(this.#root.children[0]));
    this.#mark();
  }

  // A line with the alternatives to its actions.
  #line(node) {
    const nodes = [];
    for (; node; node = node.children[0]) {
      nodes.push(this.#button(node));
      const others = node === node.parent.children[0] ? node.parent.children.slice(1) : [];
      if (others.length) nodes.push(el("ul", {}, others.map((other) => el("li", {}, this.#line(other)))));
    }
    return nodes;
  }

  #button(node) {
    const seat = this.#about.seats[node.seat];
    const mark = seat ? el("span", { class: `disc small ${seat.toLowerCase()}` }) : null;
    node.button = el("button", { type: "button", class: "quiet", onclick: () => this.#go(node) }, mark, node.label);
    return node.button;
  }

  #mark() {
    this.#parts.tree.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const { button } = this.#here;
    if (!button) return;
    button.setAttribute("aria-current", "true");
    const { tree } = this.#parts;
    tree.scrollTop = button.offsetTop - tree.clientHeight / 2;
  }

  get #keptAs() {
    return this.#game ?? JSON.stringify(this.#start);
  }

  #keep() {
    const lines = this.#root.leaves.map(({ path }) => [path.from.ply, path.labels]).filter(([, labels]) => labels.length);
    const others = Object.entries(stored.read("studies", {})).filter(([key]) => key !== this.#keptAs);
    stored.write("studies", Object.fromEntries([...others, [this.#keptAs, lines]].slice(-MOST_KEPT)));
  }

  #restore() {
    for (const [ply, labels] of stored.read("studies", {})[this.#keptAs] ?? []) {
      let node = this.#main[ply];
      for (const label of labels) node &&= node.after(label, null);
    }
  }

  #toggle() {
    if (this.#candidates.isOn) this.#candidates.stop();
    else this.#candidates.think(this.#fields());
  }

  #flip() {
    this.#board.flipped = !this.#board.flipped;
  }
}

// One of some outcomes, by their probabilities.
function rolled(rolls) {
  let left = Math.random();
  return (rolls.find(([, share]) => (left -= share) < 0) ?? rolls.at(-1))[0];
}
