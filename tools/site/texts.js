// Position texts, of a game's forms, which are data, and the pieces that its rules put and find. As in
// pasgl_env/games/*/position_text.py, but that the rules alone say whether a position is possible.
import { NOTHING } from "./glue.js";

const NUMBER = /^(0|[1-9][0-9]{0,8})$/;
const CELL = /\[[^[\]]*\]|[0-9]+|./gu;
const SYMBOL = /[^a-z]*[a-z]/giu; // a symbol's only letter is its last sign
const PIECE = /^([A-Z])(?:([a-z][0-9]+):(-?[0-9]{1,9})|(.))$/;

/** The value of a field with these numbers; empty for none. As in pasgl_env/contract/editing.py. */
export function valueOf({ words }, numbers) {
  const known = Object.entries(words);
  return known.length ? (known.find(([, each]) => `${each}` === `${numbers}`)?.[0] ?? "") : numbers.join(":");
}

/** The numbers that a value of a field means; null for none. */
export function numbersOf({ words, places, low, high }, value) {
  if (Object.keys(words).length) return Object.hasOwn(words, value) ? words[value] : null;
  const parts = value.split(":");
  const isAllowed = (part) => NUMBER.test(part) && low <= part && part <= high;
  return parts.length === places.length && parts.every(isAllowed) ? parts.map(Number) : null;
}

export class Texts {
  constructor({ game, words, position }) {
    const { fields, text } = game.description;
    Object.assign(this, { words, position, names: text.names });
    const together = Object.keys(text.forms).filter((name) => name.includes(" "));
    const apart = text.names.filter((name) => !together.some((each) => each.split(" ").includes(name)));
    // Fields before pieces: where these may stand can depend on them.
    this.forms = [...together, ...apart].map((name) => [name, text.forms[name] ?? fields[name]]).sort(([, one], [, other]) => isOfPieces(one) - isOfPieces(other));
  }

  /** The text of a state at the start of a turn, its bytes. */
  write(bytes) {
    const { position } = this;
    position.state.bytes.set(bytes);
    const found = {};
    for (const [name, form] of this.forms) {
      const written = form.squares ? this.#rows(form) : form.symbols ? this.#pieces(form) : valueOf(form, position.fieldNumbers(form));
      const names = name.split(" ");
      written.split(" ").forEach((part, at) => (found[names[at]] = part));
    }
    return this.names.map((name) => found[name]).join(" ");
  }

  /** The bytes of the state that a text describes. */
  read(text) {
    const { names, position } = this;
    const parts = text.split(" ");
    if (parts.length !== names.length) throw new Error(`a position text has ${names.length} fields: ${names.join(", ")}`);
    const given = Object.fromEntries(names.map((name, at) => [name, parts[at]]));
    position.restart();
    this.forms.flatMap(([, form]) => form.squares?.flat() ?? []).forEach((square) => position.put(square, NOTHING));
    for (const [name, form] of this.forms) {
      const value = name.split(" ").map((each) => given[each]).join(" ");
      const wrong = (reason) => {
        throw new Error(`${name.replace(" ", " and ")}: ${reason}`);
      };
      if (form.squares) this.#readRows(form, value, wrong);
      else if (form.symbols) this.#readPieces(form, value, wrong);
      else position.setField(form, numbersOf(form, value) ?? wrong(`'${value}' is not possible`));
    }
    const bytes = position.state.bytes.slice();
    const usual = this.write(bytes);
    if (usual !== text) throw new Error(`this is not how a position is written: ${usual}`);
    position.read(bytes); // refuses what is impossible
    return bytes;
  }

  #rows({ squares, are_counted: areCounted }) {
    const rows = squares.map((row) => row.map((square) => this.#cell(square)).join(""));
    return (areCounted ? rows.map((row) => row.replace(/\.+/g, (run) => run.length)) : rows).join("/");
  }

  #cell(square) {
    const symbols = this.position.piecesOn(square).map((symbol) => this.words.symbols[symbol].text).join("");
    return symbols.length > 1 ? `[${symbols}]` : symbols || ".";
  }

  #readRows({ squares }, text, wrong) {
    const rows = text.split("/");
    if (rows.length !== squares.length) wrong(`${rows.length} rows instead of ${squares.length}`);
    const found = rows.flatMap((row, number) => this.#readRow(squares[number], row, wrong));
    // In order: pieces of a kind have numbers by their squares.
    for (const [square, text, symbol] of found.sort(([one], [other]) => one - other)) {
      if (!this.position.put(square, symbol)) wrong(`too many of '${text}'`);
    }
  }

  #readRow(squares, row, wrong) {
    let at = 0;
    const found = [];
    for (const cell of row.match(CELL) ?? []) {
      if (cell !== "." && !NUMBER.test(cell)) found.push(...this.#readCell(squares[at], cell, wrong));
      at += NUMBER.test(cell) ? Number(cell) : 1;
    }
    if (at !== squares.length) wrong(`'${row}' does not fill ${squares.length} squares`);
    return found;
  }

  #readCell(square, cell, wrong) {
    return (cell.match(SYMBOL) ?? wrong(`'${cell}' is no piece`)).map((sign) => {
      const text = sign.replace("[", "");
      const symbol = this.words.symbols.findIndex((each) => each.text === text);
      return symbol < 0 ? wrong(`there is no piece '${text}'`) : [square, text, symbol];
    });
  }

  #pieces({ symbols, words, ...fields }) {
    const { position } = this;
    const beyond = Object.fromEntries(Object.entries(words).map(([word, place]) => [place, word]));
    const piece = (symbol) => {
      const [place, number] = position.fieldNumbers(placesOf(symbol, fields));
      const where = beyond[place] ?? `${this.words.squares[place]}:${number}`;
      return `${this.words.symbols[symbol].letter}${where}`;
    };
    return symbols.map((group) => group.map(piece).join(",")).join("/");
  }

  #readPieces({ symbols, words, ...fields }, text, wrong) {
    const { position } = this;
    const groups = text.split("/").map((group) => group.split(","));
    const isLike = groups.length === symbols.length && groups.every((group, number) => group.length === symbols[number].length);
    if (!isLike) wrong(`'${text}' does not have each player's ${symbols[0].length} pieces`);
    this.words.squares.forEach((square, number) => square && position.put(number, NOTHING));
    symbols.flat().forEach((symbol, number) => {
      const written = groups.flat()[number];
      const [, letter, square, count, word] = written.match(PIECE) ?? wrong(`'${written}' is no piece`);
      const place = square ? this.words.squares.indexOf(square) : (words[word] ?? -1);
      const isPut = place >= 0 && letter === this.words.symbols[symbol].letter && (!square || position.put(place, symbol));
      if (!isPut) wrong(`'${written}' is not possible`);
      position.setField(placesOf(symbol, fields), [place, Number(count ?? 0)]);
    });
  }
}

const isOfPieces = ({ squares, symbols }) => Number(Boolean(squares ?? symbols));

const placesOf = (symbol, { where, number }) => ({ places: [[where, symbol], [number, symbol]] });
