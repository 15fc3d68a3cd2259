// Names and pictures of pieces, and the list of them.
import { el, picture } from "./dom.js";

export class Legend {
  #symbols;
  #icons = new Map();

  constructor({ pieces, symbols, signs }) {
    this.pieces = pieces;
    this.signs = signs;
    this.#symbols = symbols;
    for (const { icons } of pieces) {
      for (const [symbol, icon] of Object.entries(icons)) this.#icons.set(symbol, icon);
    }
  }

  // The name of a piece by its symbol, with its owner and condition.
  name(symbol) {
    const known = this.#symbols[symbol];
    return known ? [`${known.owner} ${known.name}`.trim(), known.condition].filter(Boolean).join(", ") : symbol;
  }

  // The name of its kind.
  kind(symbol) {
    return this.#symbols[symbol]?.name ?? symbol;
  }

  icon(symbol) {
    return this.#icons.get(this.#symbols[symbol]?.icon) ?? null;
  }

  list() {
    return el(
      "ul",
      { class: "legend" },
      this.pieces.map(({ symbol, others, name, move, icons }) =>
        el(
          "li",
          {},
          el("span", { class: "legend-icons" }, [symbol, ...others].slice(0, 2).map((own) => picture(icons[own]))),
          el("div", {}, el("strong", {}, name), el("span", { class: "letter" }, symbol.split("-").pop()), el("p", {}, move)),
        ),
      ),
    );
  }
}
