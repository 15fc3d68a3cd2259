// The position editor: set up, analyse and play on. The position text is in the address.
import { Place } from "./address.js";
import { Board } from "./board.js";
import { Candidates } from "./analysis.js";
import { count, el, notice, picture } from "./dom.js";
import { Explaining } from "./explaining.js";
import { aim, handbook } from "./howto.js";
import { listenToKeys } from "./keys.js";
import { Legend, Signs } from "./legend.js";
import { openNewGame } from "./newgame.js";
import { boardOf, server } from "./socket.js";
import { studyAddress } from "./links.js";

export class EditorView {
  #variant;
  #options = {};
  #text = null; // of the last possible position; null for the start
  #changes = []; // since then, as the server takes them, that have not led to a possible one yet
  #board = new Board();
  #candidates = new Candidates(this.#board, (labels) => this.#study(labels));
  #legend = null;
  #signs = new Signs(this.#board);
  #explaining = null;
  #tool = null; // the symbol to put; "" to empty squares; null to look only
  #sign = "";
  #lifted = null; // the square and the symbol of a piece that is dragged
  #before = []; // the text and the changes before each edit
  #parts = null;
  #isShown = false;
  #queue = Promise.resolve();
  #closed = new AbortController();
  #place = new Place();

  constructor(variant) {
    this.#variant = variant;
    const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
    this.#text = query.get("text");
    try {
      this.#options = JSON.parse(query.get("options") ?? "{}");
    } catch {
      notice("The options in the address are not valid JSON.");
    }
    this.node = el("div", { class: "game editor" });
  }

  async open() {
    await server.open();
    this.#variant ??= server.hello.variants[0].name;
    const board = await boardOf(this.#variant, this.#options);
    const legend = (this.#legend = new Legend(board));
    this.#board.shape(legend);
    this.#signs.meanings = board.board_signs;
    this.#explaining = new Explaining(this.#board, () => this.#position, () => this.#tool === null && !this.#changes.length);
    this.#board.addEventListener("choose", ({ detail: { square } }) => square && this.#put(square));
    this.#board.addEventListener("lift", (event) => this.#lift(event));
    this.#board.addEventListener("drop", ({ detail: { square } }) => square && square !== this.#lifted.square && this.#move(square));
    this.#board.addEventListener("flip", () => this.#flip());
    listenToKeys({ flip: () => this.#flip(), signal: this.#closed.signal });
    this.#parts = this.#layOut(legend);
    this.node.replaceChildren(
      el("section", { class: "table", "aria-label": "The board" }, this.#board.scroll, this.#parts.reason),
      this.#parts.side,
    );
    server.addEventListener("open", () => this.#candidates.isOn && this.#think(), { signal: this.#closed.signal });
    await this.#change({ text: this.#text });
  }

  get title() {
    return `Analyse ${server.hello.variants.find(({ name }) => name === this.#variant).title}`;
  }

  close() {
    this.#closed.abort();
    this.#explaining?.close();
    this.#candidates.close();
  }

  #layOut(legend) {
    const { variants } = server.hello;
    const choose = el("select", { id: "ed-variant" }, variants.map(({ name, title }) => el("option", { value: name, selected: name === this.#variant }, title)));
    choose.addEventListener("change", () => (location.hash = `#/editor/${choose.value}`));
    const palette = el("div", { class: "palette", role: "group", "aria-label": "Pieces to put" });
    const tools = [
      this.#toolButton("look", null, "Look only", el("span", {}, "☝")),
      this.#toolButton("empty", "", "Empty a square", el("span", {}, "✕")),
      ...legend.pieces.flatMap(({ symbol, others }) =>
        [symbol, ...others].map((own) => this.#toolButton(own, own, legend.name(own), picture(legend.layout.icon(own)))),
      ),
    ];
    palette.append(...tools);
    const signs = Object.keys(legend.signs).length ? el("select", { id: "ed-sign" }, Object.entries({ "": "unchanged", ...legend.signs }).map(([sign, meaning]) => el("option", { value: sign }, meaning))) : null;
    signs?.addEventListener("change", () => (this.#sign = signs.value));
    const text = el("textarea", { id: "ed-text", rows: "3", spellcheck: "false" });
    text.addEventListener("change", () => this.#change({ text: text.value.trim() }));
    const fields = el("div", { class: "fields" });
    const reason = el("p", { class: "status", role: "status" });
    const exports = el("p", { class: "exports" });
    const analysis = el("button", { type: "button", id: "think" }, "Think");
    analysis.addEventListener("click", () => {
      if (this.#candidates.isOn) this.#candidates.stop();
      else this.#think();
    });
    const undo = el("button", { type: "button", onclick: () => this.#undo() }, "Undo");
    const variations = el("button", { type: "button", id: "variations", onclick: () => this.#study() }, "Variations");
    const play = el("button", { type: "button", class: "primary", onclick: () => openNewGame({ variant: this.#variant, text: this.#text, options: this.#options }) }, "Play from here");
    const side = el(
      "section",
      { class: "side", "aria-label": "The position" },
      el("h1", {}, "Analyse a position"),
      el("label", { class: "row" }, el("span", {}, "Game"), choose),
      aim(this.#variant),
      el("p", { class: "hint" }, "Drag pieces to move them, or choose one to put on squares."),
      palette,
      signs ? el("label", { class: "row" }, el("span", {}, "Put it"), signs) : null,
      fields,
      el("label", {}, "Position text", text),
      el(
        "div",
        { class: "buttons" },
        analysis,
        variations,
        el("button", { type: "button", onclick: () => this.#flip() }, "Flip"),
        undo,
        el("button", { type: "button", onclick: () => this.#change({ text: null }) }, "Start position"),
        play,
      ),
      this.#candidates.node,
      exports,
      ...handbook(this.#variant, el("div", {}, legend.list()), this.#signs, Object.keys(this.#options).length > 0),
    );
    return { side, text, fields, reason, exports, undo, needing: [analysis, variations, play] };
  }

  #toolButton(id, tool, name, content) {
    const button = el("button", { type: "button", "data-tool": id, "aria-label": name, title: name, "aria-pressed": tool === this.#tool ? "true" : "false" }, content);
    button.addEventListener("click", () => {
      this.#tool = tool;
      button.parentElement.querySelectorAll("button").forEach((other) => other.setAttribute("aria-pressed", other === button ? "true" : "false"));
    });
    return button;
  }

  #flip() {
    this.#board.flipped = !this.#board.flipped;
  }

  #put(square) {
    if (this.#tool !== null) this.#change({ changes: [{ square, piece: this.#tool && this.#sign + this.#tool }] });
  }

  #lift(event) {
    const { square, piece } = event.detail;
    const symbol = piece ?? this.#symbols(square)[0];
    if (!symbol) return;
    this.#lifted = { square, symbol };
    event.preventDefault();
  }

  // The pieces on a square, with those that have been put there.
  #symbols(square) {
    const own = this.#changes.filter((change) => change.square === square);
    const drawn = own.some(({ piece }) => !piece) ? [] : this.#board.symbols(square);
    return [...drawn, ...own.flatMap(({ piece }) => piece || [])];
  }

  // Move the piece that is dragged; what else is on its square stays.
  #move(target) {
    const { square, symbol } = this.#lifted;
    const others = this.#symbols(square);
    others.splice(others.indexOf(symbol), 1);
    const stay = others.map((piece) => ({ square, piece }));
    this.#change({ changes: [{ square, piece: "" }, ...stay, { square: target, piece: symbol }] });
  }

  #undo() {
    this.#queue = this.#queue.then(() => this.#edit(this.#before.pop() ?? this.#state, false));
  }

  // What names the last possible position, for the server.
  get #position() {
    return { variant: this.#variant, options: this.#options, text: this.#text };
  }

  get #state() {
    return { text: this.#text, changes: this.#changes };
  }

  // Edits wait for each other: each goes on from what the one before leaves. Another text leaves nothing.
  #change({ text, changes = [] }) {
    const after = () => (text === undefined ? { text: this.#text, changes: ordered([...this.#changes, ...changes]) } : { text, changes });
    this.#queue = this.#queue.then(() => this.#edit(after()));
    return this.#queue;
  }

  async #edit(state, isKept = true) {
    const { signal } = this.#closed;
    const before = this.#state;
    const keep = () => isKept && this.#isShown && this.#before.push(before);
    try {
      const seen = await server.ask("edit", { variant: this.#variant, options: this.#options, ...state });
      if (signal.aborted) return;
      if (seen.text !== before.text || before.changes.length) keep();
      this.#show(seen);
    } catch (error) {
      if (signal.aborted) return;
      if (error.code === "server") throw error; // there is none
      if (state.changes.length) {
        keep();
        this.#sketch(state, error.message);
      } else await this.#refuse(state.text, error.message);
    }
  }

  // Show changes that do not lead to a possible position yet, on the last possible one, and say why not.
  #sketch({ text, changes }, reason) {
    [this.#text, this.#changes] = [text, changes];
    const squares = [...new Set(changes.flatMap(({ square }) => square ?? []))];
    this.#board.sketch(squares.map((square) => ({ square, icons: this.#icons(changes.filter((change) => change.square === square)) })));
    if (this.#candidates.isOn) this.#candidates.stop();
    this.#judge(`Not possible yet: ${reason}`);
  }

  #icons(changes) {
    return changes.flatMap(({ piece }) => (piece ? this.#legend.icon(piece) ?? [] : []));
  }

  // Whether there is a possible position decides what one can do with it.
  #judge(reason) {
    const { reason: node, undo, needing } = this.#parts;
    node.textContent = reason;
    node.classList.toggle("wrong", reason.startsWith("Not possible"));
    undo.disabled = !this.#before.length;
    needing.forEach((button) => (button.disabled = this.#changes.length > 0));
  }

  // Say why a position is not possible. If it came with the address, the board shows the usual start.
  async #refuse(text, reason) {
    if (!this.#isShown && text !== null) {
      const address = location.hash;
      await this.#edit({ text: null, changes: [] });
      if (this.#closed.signal.aborted) return;
      this.#place.rename(address);
      this.#parts.text.value = text;
    }
    this.#judge(`Not possible: ${reason}`);
  }

  #show(seen) {
    this.#isShown = true;
    [this.#text, this.#changes] = [seen.text, []];
    const { text, exports } = this.#parts;
    text.value = seen.text;
    this.#board.sketch([]);
    this.#judge(seen.over ? seen.ending : `${seen.whose} to move${seen.legal.length ? `: ${count(seen.legal.length, "action")}` : ""}`);
    this.#showFields(seen.fields);
    this.#board.show(seen.drawing, false);
    const query = new URLSearchParams({ text: seen.text });
    if (Object.keys(this.#options).length) query.set("options", JSON.stringify(this.#options));
    this.#place.rename(`#/editor/${this.#variant}?${query}`);
    const file = new URLSearchParams({ variant: this.#variant, options: JSON.stringify(this.#options), text: seen.text, theme: document.documentElement.dataset.theme });
    exports.replaceChildren(
      el("span", { class: "served" }, "Save: ", el("a", { href: `drawing.svg?${file}`, download: "" }, "picture (SVG)"), " · ", el("a", { href: `drawing.png?${file}`, download: "" }, "picture (PNG)"), ". "),
      "The address of this page is a link to the position. ",
      el("span", { class: "unserved" }, "Pictures need a server, ", el("code", {}, "pasgl serve"), "."),
    );
    if (this.#candidates.isOn) this.#think();
  }

  // The inputs stay, so that Tab goes from one to the next.
  #showFields(values) {
    const { fields } = this.#parts;
    if (fields.children.length !== values.length) fields.replaceChildren(...values.map((field) => this.#field(field)));
    values.forEach(({ name, value }) => {
      const input = fields.querySelector(`#ed-${name}`);
      // A value that is being typed is not overwritten.
      if (input.value === input.defaultValue) input.value = value;
      input.defaultValue = value;
    });
  }

  #field({ name, value, meaning }) {
    const input = el("input", { value, id: `ed-${name}` });
    input.addEventListener("change", () => {
      input.defaultValue = input.value;
      this.#change({ changes: [{ field: name, value: input.value.trim() }] });
    });
    return el("label", { class: "row" }, el("span", {}, name), input, el("small", { class: "hint" }, meaning));
  }

  #study(labels = []) {
    location.hash = studyAddress({ ...this.#position, labels });
  }

  #think() {
    this.#candidates.think(this.#position);
  }
}

// Changes without those that later ones undo. What is removed goes first: it may have to make room.
function ordered(changes) {
  const isUndone = ({ square, field }, at) => changes.slice(at + 1).some((later) => (square ? later.square === square && !later.piece : later.field === field));
  const kept = changes.filter((change, at) => !isUndone(change, at));
  const removes = ({ square, piece }) => square && !piece;
  return [...kept.filter(removes), ...kept.filter((change) => !removes(change))];
}
