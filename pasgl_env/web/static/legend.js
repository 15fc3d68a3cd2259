// Names and pictures of pieces, and the list of them.
import { el, picture } from "./dom.js";

export class Legend {
  #names = new Map();
  #icons = new Map();
  #conditions;

  constructor({ pieces, seats, conditions, signs, labels_tell_sides: labelsTellSides }) {
    this.pieces = pieces;
    this.signs = signs;
    this.labelsTellSides = labelsTellSides;
    this.#conditions = conditions;
    for (const { symbol, others, name, icons } of pieces) {
      [symbol, ...others].forEach((own, seat) => {
        this.#names.set(own, others.length ? `${seats[seat] ?? ""} ${name}`.trim() : name);
        this.#icons.set(own, icons[own]);
      });
    }
  }

  // The name of a piece by its symbol; colour: in games with one letter for all players.
  name(symbol, colour) {
    const [, signs, letter] = /^([^A-Za-z]*)(.*)$/.exec(symbol);
    const known = this.#names.get(colour ? `${colour}-${letter}` : letter) ?? this.#byLetter(letter) ?? letter;
    return [known, this.conditions(signs)].filter(Boolean).join(", ");
  }

  // The meaning of the signs before a piece's letter.
  conditions(signs) {
    return [...signs].map((sign) => this.#conditions[sign]).filter(Boolean).join(", ");
  }

  // The name of a kind of piece, without its side.
  kind(symbol) {
    const letter = symbol.replace(/[^A-Za-z]/g, "").toUpperCase();
    const piece = this.pieces.find(({ symbol: own }) => own.split("-").pop().toUpperCase() === letter);
    return piece?.name ?? symbol;
  }

  icon(symbol, colour) {
    const letter = symbol.replace(/[^A-Za-z]/g, "");
    return this.#icons.get(colour ? `${colour}-${letter}` : letter) ?? null;
  }

  #byLetter(letter) {
    return this.#names.has(letter) ? this.#names.get(letter) : this.pieces.find(({ symbol }) => symbol.endsWith(`-${letter}`))?.name;
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
