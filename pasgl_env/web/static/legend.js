// Names and pictures of pieces, the list of them, and of the signs on a board.
import { el, picture, sample } from "./dom.js";
import { Layout } from "./layout.js";

export class Legend {
  #symbols;

  // From what `board` answers.
  constructor({ layout, places, pieces, symbols, signs }) {
    this.layout = new Layout(layout);
    this.places = places;
    this.pieces = pieces;
    this.signs = signs;
    this.#symbols = symbols;
  }

  // The name of a piece by its symbol, with its owner and condition.
  name(symbol) {
    const known = this.#symbols[symbol];
    return known ? [`${known.owner} ${known.name}`.trim(), known.condition].filter(Boolean).join(", ") : symbol;
  }

  // The name of the seat that owns it; empty if nobody does.
  owner(symbol) {
    return this.#symbols[symbol]?.owner ?? "";
  }

  // The name of its kind.
  kind(symbol) {
    return this.#symbols[symbol]?.name ?? symbol;
  }

  icon(symbol) {
    return this.layout.icon(this.#symbols[symbol]?.icon);
  }

  list() {
    return el(
      "ul",
      { class: "legend" },
      this.pieces.map(({ symbol, others, name, move }) =>
        el(
          "li",
          {},
          el("span", { class: "legend-icons" }, [symbol, ...others].slice(0, 2).map((own) => picture(this.layout.icon(own)))),
          el("div", {}, el("strong", {}, name), el("span", { class: "letter" }, [...new Set([symbol, ...others].map((own) => own.split("-").pop()))].join(" ")), el("p", {}, move)),
        ),
      ),
    );
  }
}

// The signs that the drawing on a board shows now, each with its meaning; they point at it.
export class Signs {
  #board;
  #meanings = {};

  constructor(board) {
    this.#board = board;
    this.list = el("ul", { class: "signs" });
    this.node = el("details", { class: "panel" }, el("summary", {}, "What the signs on the board mean"), this.list);
    board.addEventListener("drawn", () => this.#show());
  }

  // By CSS selectors of elements of drawings.
  set meanings(meanings) {
    this.#meanings = meanings;
    this.#show();
  }

  #show() {
    const shown = Object.entries(this.#meanings).flatMap(([selector, meaning]) => {
      const [first] = this.#board.find(selector);
      return first ? [{ selector, meaning, first }] : [];
    });
    this.node.hidden = !shown.length;
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.sign : null;
    this.list.replaceChildren(...shown.map((sign) => this.#line(sign)));
    if (focused) this.list.querySelector(`[data-sign="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  #line({ selector, meaning, first }) {
    const point = () => this.#board.point(selector);
    const stop = () => this.#board.point(null);
    const show = () => {
      point();
      this.#board.scroll.scrollIntoView({ block: "nearest" });
    };
    return el("li", {}, el("button", { type: "button", class: "quiet", "data-sign": selector, onclick: show, onfocus: point, onblur: stop, onpointerenter: point, onpointerleave: ({ currentTarget }) => currentTarget !== document.activeElement && stop() }, sample(first), el("span", {}, meaning)));
  }
}
