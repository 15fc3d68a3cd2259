// The inventors' notations of turns, written as by pasgl_env/records/notation.py. A word is read by a look for the
// turn that is written as it: other spellings, and words with parts left out, are not understood.
import { LAWSON } from "./lawson.js";

const GOES_ON = "..."; // ends an incomplete turn
const SPACES = / /g;

const plain = (label) => label.replace(SPACES, "_");

/*
 * A notation has `begin(line)`, the beginning of a word; `extend(word, label, { line, labels })`, the word with one more
 * choice of those that have `labels`; `leads(word, text)`, whether a turn that begins so may be written as a text; the
 * whole word, `finish(word, line)`; and what follows it, `remarks(line)` and `isRemark(word)`.
 */
const LABELS = {
  begin: () => "",
  extend: (word, label) => plain(`${word}${word && ","}${label}`),
  leads: (word, text) => text.startsWith(word),
  finish: (word) => word,
  remarks: () => [],
  isRemark: () => false,
};

const BETZA = { ...LABELS, extend: (word, label) => `${word}${label}` };

// Of the Chieftain family: who activates a piece is in parentheses.
const JOYCE = {
  ...LABELS,
  extend: (word, label) => (label.startsWith("by ") ? `${word}(${label.slice(3)})` : `${word}${word && ","}${label}`),
};

const rolled = (dice) => `${dice.filter(Boolean).join("-")}:`;

const BACKGAMMON = {
  ...LABELS,
  begin: (line) => (line.last.isChance ? "" : rolled(fieldsOf(line).dice)),
  extend: (word, label, given) => {
    const { isChance } = given.line.last;
    const mark = !word || word.endsWith(":") ? "" : isChance ? ";" : ",";
    const [first, ...dice] = label.split(" ");
    return `${word}${mark}${isChance && first === "roll" ? rolled(dice) : moved(label, given)}`;
  },
};

// A move of a piece: what it takes, and the die if another one could be meant.
function moved(label, { line, labels }) {
  const [die, move] = label.split(":");
  if (!move) return label;
  const [start, end] = move.split("-");
  const { squares } = line.rules.words;
  const isTaken = fieldsOf(line).place.some((place) => squares[place] === end);
  const isClear = labels.filter((each) => each.endsWith(`:${move}`)).length === 1;
  return `${start}${isTaken ? "x" : "-"}${end}${isClear ? "" : `(${die})`}`;
}

const fieldsOf = ({ position, rules }) => position.state.read(rules.game.description.state)[0];

const NOTATIONS = {
  "": LABELS,
  "pasgl_env.games.chieftain.notation": JOYCE,
  "pasgl_env.games.pachessi.notation": BACKGAMMON,
  "pasgl_env.games.pasgl312.notation": { ...LABELS, ...LAWSON },
  "pasgl_env.games.spalding.notation": BETZA,
};

/** Turns of a game as words. */
export class Turns {
  constructor(rules) {
    this.line = rules.line("turn");
    this.notation = NOTATIONS[rules.words.notation];
    if (!this.notation) throw new Error(`only pasgl reads and writes the notation of ${rules.game.description.variant}`);
  }

  /** A turn from the bytes of a state on: its word, what follows it, and whether it is complete. */
  write(bytes, choices) {
    const { line, notation } = this;
    line.start([], 0n, bytes);
    let word = notation.begin(line);
    for (const choice of choices) {
      const legal = this.#legal();
      word = notation.extend(word, legal.find(({ number }) => number === choice).label, { line, labels: labelsOf(legal) });
      line.step(choice);
    }
    if (this.isComplete) return { word: notation.finish(word, line), remarks: notation.remarks(line), isComplete: true };
    return { word: `${plain(line.moments.slice(1).map(({ label }) => label).join(","))}${GOES_ON}`, remarks: [], isComplete: false };
  }

  /** The choices of the turn that a word means; null for none. */
  read(bytes, text) {
    const { line, notation } = this;
    line.start([], 0n, bytes);
    return text.endsWith(GOES_ON) ? this.#part(text.slice(0, -GOES_ON.length)) : this.#find(notation.begin(line), text);
  }

  /** Whether the turn or the game has ended. */
  get isComplete() {
    const { last, moments } = this.line;
    return last.isOver || last.turns !== moments[0].turns;
  }

  #find(word, text) {
    const { line, notation } = this;
    if (this.isComplete) return notation.finish(word, line) === text ? [...line.choices] : null;
    const legal = this.#legal();
    const labels = labelsOf(legal);
    for (const { number, label } of legal) {
      const longer = notation.extend(word, label, { line, labels });
      if (!notation.leads(longer, text)) continue;
      line.step(number);
      const found = this.#find(longer, text);
      if (found) return found;
      line.cut(line.choices.length - 1);
    }
    return null;
  }

  // The choices of an incomplete turn, by its labels.
  #part(text) {
    for (const part of text.split(",")) {
      const legal = this.isComplete ? null : this.#legal().find(({ label }) => plain(label) === part);
      if (!legal) return null;
      this.line.step(legal.number);
    }
    return this.isComplete ? null : [...this.line.choices];
  }

  #legal() {
    const { last, rules } = this.line;
    if (!last.isChance) return this.line.actions();
    return this.line.outcomes().map(([number]) => ({ number, label: rules.words.roll(number) }));
  }
}

const labelsOf = (legal) => legal.map(({ label }) => label);
