// Choosing an action on the board: a piece and its target, a single square, or one of several actions
// on the same squares.
import { el, picture } from "./dom.js";

// An action as the server sends it; docs/web_protocol.md describes the fields.
export function readAction([label, words, kind, piece, origin, target, becomes, others, asked]) {
  return { label, words, kind, piece, origin, target, becomes, others, asked };
}

// The label of the action that a typed text means: only the squares may be typed, and in any case.
export function meant(typed, actions) {
  const small = typed.toLowerCase();
  const readings = [
    ({ label }) => label === typed,
    ({ label }) => label.toLowerCase() === small,
    ({ origin, target }) => origin && `${origin}${target}` === small,
  ];
  const found = readings.map((isMeant) => actions.filter(isMeant)).find(({ length }) => length);
  return found?.length === 1 ? found[0].label : typed;
}

export class Choosing extends EventTarget {
  #board;
  #legend = { name: () => "", icon: () => null };
  #actions = [];
  #dangers = {}; // by label, sentences on what threatens after an action
  #selected = null; // { square, piece }; square is "" for a piece beside the board
  #popover = null;
  #asked = null; // the square of the popover
  #closed = new AbortController();

  constructor(board) {
    super();
    this.#board = board;
    this.chips = el("div", { class: "chips", role: "group", "aria-label": "Actions" });
    board.addEventListener("choose", ({ detail }) => this.#choose(detail));
    board.addEventListener("lift", (event) => this.#lift(event));
    board.addEventListener("drop", ({ detail }) => this.#drop(detail));
    board.addEventListener("cancel", () => this.#cancel());
    const { signal } = this.#closed;
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.#cancel(), { signal });
    document.addEventListener(
      "pointerdown",
      (event) => {
        if (this.#popover && !this.#popover.contains(event.target)) this.#closePopover();
      },
      { signal },
    );
  }

  close() {
    this.#closed.abort();
    this.#closePopover();
  }

  // The names and pictures of pieces: name(symbol), icon(symbol).
  set legend(legend) {
    this.#legend = legend;
  }

  get selected() {
    return this.#selected;
  }

  // The legal actions; [] while it is not the user's turn. If they are told again, because something
  // else has changed, what the user is about to choose stays open.
  set actions(actions) {
    const isSame = actions.length > 0 && String(actions.map(({ label }) => label)) === String(this.#actions.map(({ label }) => label));
    this.#actions = actions;
    if (isSame) return;
    const kept = this.#selected;
    this.#selected = null;
    this.#closePopover();
    // A piece already chosen for the next move stays chosen.
    if (kept && actions.some((action) => leaves(action, kept))) this.#selected = kept;
    this.#showChips();
    this.#mark();
  }

  get actions() {
    return this.#actions;
  }

  // What threatens after actions: sentences by label. They are shown before such an action is made.
  set dangers(dangers) {
    this.#dangers = dangers;
    if (this.#selected) this.#mark();
  }

  // Make an action, by its label; the user is warned first.
  play(label) {
    const action = this.#actions.find((each) => each.label === label);
    if (action) this.#play(action);
    else this.dispatchEvent(new CustomEvent("play", { detail: label }));
  }

  #from(selected) {
    return this.#actions.filter((action) => leaves(action, selected));
  }

  // Actions on a square that need no piece to be chosen first.
  #direct() {
    const reserve = this.#reserve();
    return this.#actions.filter((action) => !action.origin && action.target && !isWide(reserve.get(action.piece) ?? []));
  }

  // The actions of each piece beside the board.
  #reserve() {
    return Map.groupBy(this.#actions.filter(({ asked }) => asked === "reserve"), ({ piece }) => piece);
  }

  #mark() {
    if (this.#selected) {
      const own = Map.groupBy(this.#from(this.#selected), ({ target }) => target);
      const risky = [...own].filter(([, ways]) => ways.every(({ label }) => this.#dangers[label])).map(([target]) => target);
      this.#board.mark({ origin: this.#selected.square, piece: this.#selected.piece, targets: new Set(own.keys()), risky: new Set(risky) });
    } else {
      const movable = new Set(this.#actions.map(({ origin }) => origin).filter(Boolean));
      this.#board.mark({ movable, targets: new Set(this.#direct().map(({ target }) => target)) });
    }
    for (const chip of this.chips.querySelectorAll("[data-reserve]")) {
      chip.setAttribute("aria-pressed", String(this.#selected?.square === "" && this.#selected.piece === chip.dataset.reserve));
    }
  }

  #choose({ square, piece }) {
    this.#closePopover();
    if (!square) {
      this.#deselect();
      return;
    }
    if (this.#selected && this.#reach(square)) return;
    const again = this.#selected?.square === square;
    const direct = this.#direct().filter(({ target }) => target === square);
    if (direct.length) {
      const exact = direct.filter((action) => action.piece === piece);
      const starts = this.#from({ square, piece: null }).length > 0;
      if (starts) this.#select(square, piece);
      this.#ask(exact.length === 1 ? exact : direct, square, starts);
      return;
    }
    if (!again && this.#select(square, piece)) return;
    const tried = this.#selected?.square && !again ? { from: this.#selected.square, to: square } : { from: square, to: null };
    this.#deselect();
    if (this.#actions.length && !again) this.dispatchEvent(new CustomEvent("refused", { detail: tried }));
  }

  #select(square, piece) {
    const own = { square, piece };
    if (piece && this.#from(own).length) this.#selected = own;
    else if (this.#from({ square, piece: null }).length) this.#selected = { square, piece: null };
    else return false;
    this.#mark();
    return true;
  }

  #cancel() {
    this.#closePopover();
    this.#deselect();
  }

  #deselect() {
    if (this.#selected === null) return;
    this.#selected = null;
    this.#mark();
  }

  #reach(square) {
    const ways = this.#from(this.#selected).filter(({ target }) => target === square);
    if (!ways.length) return false;
    this.#ask(ways, square);
    return true;
  }

  #lift(event) {
    const { square, piece } = event.detail;
    if (this.#select(square, piece)) event.preventDefault();
  }

  #drop({ square }) {
    if (!this.#selected || !square || square === this.#selected.square) return;
    const from = this.#selected.square;
    if (this.#reach(square)) return;
    this.#deselect();
    this.dispatchEvent(new CustomEvent("refused", { detail: { from, to: square } }));
  }

  // Play the only action, or ask which.
  #ask(actions, square, always = false) {
    if (actions.length === 1 && !always) {
      this.#play(actions[0]);
      return;
    }
    this.#popUp(square, "Which?", actions.map((action) => this.#button(action)));
  }

  #popUp(square, name, content) {
    const place = this.#board.onScreen(square);
    const popover = el("div", { class: "popover", role: "group", "aria-label": name }, content);
    document.body.append(popover);
    const { width, height } = popover.getBoundingClientRect();
    const left = Math.min(Math.max(8, place.left + place.width / 2 - width / 2), innerWidth - width - 8);
    const above = place.top - height - 6;
    popover.style.left = `${left + scrollX}px`;
    popover.style.top = `${(above > 8 ? above : place.bottom + 6) + scrollY}px`;
    this.#popover = popover;
    this.#asked = square;
    popover.querySelector("button").focus({ preventScroll: true });
  }

  // Close it, and return the focus to its square.
  #closePopover() {
    const hadFocus = this.#popover?.contains(document.activeElement);
    this.#popover?.remove();
    this.#popover = null;
    if (hadFocus) this.#board.focus(this.#asked, { preventScroll: true });
  }

  #button(action) {
    return el(
      "button",
      { type: "button", "data-label": action.label, onclick: () => this.#play(action) },
      this.#picture(action.becomes || action.piece),
      el("span", {}, action.words),
    );
  }

  // A piece as the board shows it; one that is not there as in the legend.
  #picture(symbol) {
    const icon = this.#legend.icon(symbol);
    return this.#board.picture(symbol) ?? (icon ? picture(icon) : null);
  }

  // A piece beside the board: its button lights the squares that it can enter.
  #reserveButton([piece, [{ kind }]]) {
    const choose = () => {
      const again = this.#selected?.square === "" && this.#selected.piece === piece;
      this.#selected = again ? null : { square: "", piece };
      this.#mark();
    };
    return el(
      "button",
      { type: "button", "data-reserve": piece, "aria-pressed": "false", onclick: choose },
      this.#picture(piece),
      el("span", {}, `${capital(kind)}: ${this.#legend.kind(piece)}`),
    );
  }

  // Say what threatens after an action, and ask whether to make it.
  #warn(action) {
    const square = action.target || action.origin;
    const lines = this.#dangers[action.label];
    const anyway = el("button", { type: "button", onclick: () => this.#make(action) }, action.target ? "Play it anyway" : `${action.words} anyway`);
    this.#popUp(square, "Danger", [el("div", { class: "warning", role: "alert" }, lines.map((line) => el("p", {}, line))), anyway, el("button", { type: "button", onclick: () => this.#cancel() }, "Cancel")]);
  }

  #play(action) {
    this.#closePopover();
    if (this.#dangers[action.label]) this.#warn(action);
    else this.#make(action);
  }

  #make(action) {
    this.#selected = null;
    this.#closePopover();
    this.dispatchEvent(new CustomEvent("play", { detail: action.label }));
  }

  // Buttons below the board: pieces beside it, actions without a square, and those that are few.
  #showChips() {
    const wide = [...this.#reserve()].filter(([, actions]) => isWide(actions));
    const pieces = new Set(wide.map(([piece]) => piece));
    const apart = this.#actions.filter(({ asked, target, piece }) => !target || asked === "list" || (asked === "reserve" && !pieces.has(piece)));
    const hadFocus = this.chips.contains(document.activeElement);
    this.chips.replaceChildren(...wide.map((each) => this.#reserveButton(each)), ...apart.map((action) => this.#button(action)));
    if (hadFocus) this.#board.focus(undefined, { preventScroll: true });
  }
}

// Whether a piece beside the board can enter several squares.
const isWide = (actions) => new Set(actions.map(({ target }) => target)).size > 1;

const capital = (word) => `${word[0].toUpperCase()}${word.slice(1)}`;

function leaves({ origin, piece, asked }, selected) {
  if (!selected.square) return asked === "reserve" && piece === selected.piece;
  return origin === selected.square && (!selected.piece || piece === selected.piece);
}
