// Records of games in text, .pgr; docs/records.md has the grammar. What a file says of a game is checked as by
// pasgl_env/records; variations of other programs are not read.
import { Turns } from "./notations.js";

const WIDTH = 99;
const ALIKE = 0.8; // names of tags as similar as this are slips
const OWN_TAGS = ["Variant", "Options", "Start", "Seed", "Dice", "Date", "Resigned", "OutOfTime", "Result", "Score", "Termination"];
const TAG = /^\[\s*([A-Za-z0-9_]{1,100})\s+"((?:[^"\\]|\\["\\])*)"\s*\]\s*$/;
const TAG_NAME = /^\[\s*([A-Za-z0-9_]+)/;
const TAG_IN_COMMENT = /^\[[A-Za-z0-9_]+ "/;
const NOT_IN_COMMENTS = /[{}]|\[[A-Za-z0-9_]+ "/;
const BOM_BETWEEN_FILES = /^\uFEFF(?=\s*$|[[%])/;
const NO_TEXT = /[\x00-\x08\x0a-\x1f\x7f-\x9f\ufffe\uffff]/;
const WORD = /\{|\(|[^\s{(][^\s{]*/g;
const NUMBER = /^([0-9]{1,12})\.(?:\.\.)?/;
const GLYPH = /^\$[0-9]{1,3}$/;
const RESULT = /^(?:\*|(?:1\/2|[01])(?:-(?:1\/2|[01]))+)$/;
const SETTING = /^([^=]+)=(.*)$/;
const QUOTED = /[^\s="]+="(?:[^"\\]|\\.)*"(?!\S)|\S+/g;
const INTEGER = /^-?[0-9]{1,15}$/;
const SEED = /^[0-9]{1,100}$/;
const DICE = /^0x[0-9a-f]{16}$/;

class RecordError extends Error {
  constructor(line, message) {
    super(message);
    this.line = line;
  }
}

/** The text of a file, from its bytes. */
export function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const before = new TextDecoder().decode(bytes).split("\uFFFD")[0];
    throw new RecordError(before.split("\n").length, "it is not UTF-8 text");
  }
}

/** The games of a text, as far as that can be read without their rules; of others an `error`. */
export function* textGames(text) {
  const lines = new Lines(text);
  while (!lines.isAtEnd) {
    if (lines.isAtBlank) lines.read();
    else {
      try {
        yield gameFrom(lines);
      } catch (error) {
        if (!(error instanceof RecordError)) throw error;
        yield { error };
        lines.skipGame();
      }
    }
  }
}

class Lines {
  number = 0; // of the line that was read last

  constructor(text) {
    this.lines = text.replace(/\n$/, "").split("\n").map((line) => line.replace(/\r+$/, "").replace(BOM_BETWEEN_FILES, ""));
  }

  get next() {
    return this.lines[this.number];
  }

  get isAtEnd() {
    return this.number === this.lines.length;
  }

  get isAtTag() {
    return !this.isAtEnd && this.next.startsWith("[");
  }

  get isAtBlank() {
    return !this.isAtEnd && /^(?:%.*|\s*)$/.test(this.next);
  }

  read() {
    const line = this.lines[this.number++];
    if (NO_TEXT.test(line)) this.fail("there is a control character");
    return line;
  }

  // Go to the next line with which tags begin behind others.
  skipGame() {
    while (!this.isAtEnd && (!this.isAtTag || this.lines[this.number - 1].startsWith("["))) this.number += 1;
  }

  fail(message, line = this.number) {
    throw new RecordError(line, message);
  }
}

function gameFrom(lines) {
  if (!lines.isAtTag) {
    lines.read();
    lines.fail('a game must start with tags, such as [Variant "pasgl312"]');
  }
  const line = lines.number + 1;
  const tags = new Map();
  while (lines.isAtTag || isAtMore(lines, tags)) {
    const [whole, name, value] = lines.read().match(TAG) ?? [];
    if (!whole) lines.fail('a tag must look like [Name "value"]');
    if (tags.has(name)) lines.fail(`duplicate tag ${name}`);
    tags.set(name, { value: value.replace(/\\(.)/g, "$1"), line: lines.number });
  }
  if (!tags.has("Variant")) lines.fail("a game needs the tag Variant", line);
  return { tags, words: [...wordsFrom(lines)] };
}

// Whether behind blank lines more tags of this game follow; skips these lines.
function isAtMore(lines, tags) {
  if (!lines.isAtBlank) return false;
  while (lines.isAtBlank) lines.read();
  const [, name] = lines.next?.match(TAG_NAME) ?? [];
  return name !== undefined && !tags.has(name);
}

// Words and comments, up to the line of the result, the next game or the end.
function* wordsFrom(lines) {
  let isOver = false;
  while (!isOver && !lines.isAtEnd && !lines.isAtTag) {
    if (lines.isAtBlank) {
      lines.read();
      continue;
    }
    let line = lines.read();
    WORD.lastIndex = 0;
    for (let match; (match = WORD.exec(line)); ) {
      const [text] = match;
      const { number } = lines;
      if (text === "(") lines.fail("variations are not read here: pasgl convert makes comments of them");
      if (text.startsWith(";")) {
        yield { comment: spaced(line.slice(match.index + 1)), line: number };
        break;
      }
      if (text === "{") {
        const { comment, rest } = commentFrom(lines, line.slice(match.index + 1), number);
        yield { comment, line: number };
        line = rest;
        WORD.lastIndex = 0;
        continue;
      }
      if (isOver) lines.fail("only the tags of another game may follow a result");
      isOver = RESULT.test(text);
      yield { text, line: number, isResult: isOver };
    }
  }
}

function commentFrom(lines, line, begun) {
  const parts = [];
  while (!line.includes("}")) {
    parts.push(line);
    if (lines.isAtEnd) lines.fail("the comment has no end", begun);
    if (TAG_IN_COMMENT.test(lines.next)) lines.fail("the comment has no end before the next game", begun);
    line = lines.read();
  }
  const end = line.indexOf("}");
  return { comment: spaced([...parts, line.slice(0, end)].join(" ")), rest: line.slice(end + 1) };
}

const spaced = (text) => text.replace(/[ \t]+/g, " ").replace(/^ | $/g, "");

/** Options as a game's tags give them, of those that a variant has. */
export function settingsOf(tags, known) {
  const { value = "", line } = tags.get("Options") ?? {};
  const given = (value.match(QUOTED) ?? []).map((setting) => {
    const [, name, text] = setting.match(SETTING) ?? [];
    const option = known.find((each) => each.name === name);
    if (!option) throw new RecordError(line, `Options: there is no option '${name ?? setting}'`);
    return [name, option.kind === "number" && INTEGER.test(text) ? Number(text) : text];
  });
  if (new Set(given.map(([name]) => name)).size < given.length) throw new RecordError(line, "Options: one is set twice");
  return Object.fromEntries(given);
}

/** A game as it is kept here, played by its rules; what its text says must agree with them. */
export function playedGame(tags, words, rules) {
  return new Reader(tags, words, rules).read();
}

class Reader {
  constructor(tags, words, rules) {
    Object.assign(this, { tags, words, rules, turns: new Turns(rules), line: rules.line("look") });
    this.comments = {};
    this.played = 0;
    this.remarks = []; // that may still follow the turn
    this.isWhole = true; // the last turn
  }

  read() {
    const { line, rules, words } = this;
    const { seats } = rules.words;
    this.#checkNames();
    const resigned = this.#seat("Resigned");
    const outOfTime = this.#seat("OutOfTime");
    this.#matching("Seed", SEED, "an integer of at most 100 digits");
    this.dice = this.#matching("Dice", DICE, "0x and 16 hexadecimal digits");
    this.generator = BigInt(this.dice ?? 0);
    this.#begin();
    for (const word of words) this.#take(word);
    if ((resigned ?? outOfTime) !== null && (line.last.isOver || line.last.truncated)) this.#fail(this.tags.get(resigned === null ? "OutOfTime" : "Resigned"), "the game was over before");
    this.#checkEnd({ resigned, out_of_time: outOfTime });
    const own = [...OWN_TAGS, ...seats];
    return {
      players: seats.map((seat) => this.#value(seat)),
      start: this.isUsual ? null : line.first,
      choices: [...line.choices],
      seed: this.#value("Seed"), generator: this.dice,
      resigned, out_of_time: outOfTime, date: this.#value("Date"),
      tags: Object.fromEntries([...this.tags].filter(([name]) => !own.includes(name)).map(([name, { value }]) => [name, value])),
      comments: this.comments,
    };
  }

  #value(name) {
    return this.tags.get(name)?.value ?? null;
  }

  #fail({ line }, message) {
    throw new RecordError(line, message);
  }

  // Tags that look like slips would leave out what matters.
  #checkNames() {
    const known = [...OWN_TAGS, ...this.rules.words.seats];
    for (const [name, tag] of this.tags) {
      const meant = known.includes(name) ? null : known.find((each) => likeness(name, each) >= ALIKE);
      if (meant) this.#fail(tag, `no tag ${name}; did you mean ${meant}?`);
    }
    const isDouble = this.tags.has("Resigned") && this.tags.has("OutOfTime");
    if (isDouble) this.#fail(this.tags.get("OutOfTime"), "a game ends once: by resignation or because time ran out");
  }

  #seat(name) {
    if (!this.tags.has(name)) return null;
    const { seats } = this.rules.words;
    const seat = seats.indexOf(this.#value(name));
    if (seat < 0) this.#fail(this.tags.get(name), `${name}: it must be one of ${seats.join(", ")}`);
    return seat;
  }

  #matching(name, pattern, meaning) {
    const value = this.#value(name);
    if (value !== null && !pattern.test(value)) this.#fail(this.tags.get(name), `${name}: it must be ${meaning}`);
    return value;
  }

  #begin() {
    const { line, rules } = this;
    line.start([]);
    const usual = `${line.first}`;
    const text = this.#value("Start");
    if (text !== null) {
      try {
        if (!text.includes(" ")) throw new Error("it is no position text");
        line.start([], 0n, rules.bytesOf(text));
        if (line.last.inTurn) throw new Error("a record must start at the start of a turn");
      } catch ({ message }) {
        this.#fail(this.tags.get("Start"), `Start: ${message}`);
      }
    }
    this.isUsual = `${line.first}` === usual;
  }

  #take({ text, comment, line, isResult }) {
    if (comment !== undefined) this.#comment(comment, line);
    else if (isResult) this.result = { text, line };
    else if (GLYPH.test(text)) this.#comment(text, line);
    else {
      const [number, round] = text.match(NUMBER) ?? [""];
      const right = roundOf(this.line.last, this.rules);
      if (number && Number(round) !== right) this.#fail({ line }, `the number of this round is ${right}, not ${round}`);
      if (number === text) return;
      const word = text.slice(number.length);
      if (RESULT.test(word)) this.result = { text: word, line };
      else if (this.turns.notation.isRemark(word)) this.#remark(word, line);
      else this.#turn(word, line);
    }
  }

  #comment(text, line) {
    if (NOT_IN_COMMENTS.test(text)) this.#fail({ line }, "a comment contains a brace or a tag");
    if (text) (this.comments[this.played] ??= []).push(text);
  }

  #remark(word, line) {
    const at = this.remarks.indexOf(word);
    if (at < 0) this.#fail({ line }, `expected ${this.remarks.join(" ") || "nothing more"}, found ${word}`);
    this.remarks.splice(0, at + 1);
  }

  #turn(word, number) {
    const { line, turns } = this;
    if (line.last.isOver) this.#fail({ line: number }, `the game is over before ${word}`);
    if (!this.isWhole) this.#fail({ line: number }, "nothing may follow an incomplete turn");
    const { bytes } = line.last;
    const choices = turns.read(bytes, word);
    if (!choices) this.#fail({ line: number }, `${word} is no legal turn, or not written as pasgl writes it: pasgl check and pasgl convert read other spellings`);
    for (const choice of choices) {
      if (this.dice !== null && line.last.isChance) this.#checkRoll(choice, number);
      line.step(choice);
    }
    const { remarks, isComplete } = turns.write(bytes, choices);
    this.remarks = remarks.join(" ").split(" ");
    this.isWhole = isComplete;
    this.played += 1;
  }

  #checkRoll(choice, number) {
    const roller = this.rules.line("roll");
    roller.start([], this.generator, this.line.last.bytes);
    roller.step();
    const { roll } = this.rules.words;
    this.generator = roller.last.dice;
    if (roller.last.choice !== choice) this.#fail({ line: number }, `the tag Dice gives ${this.rules.words.roll(roller.last.choice)}, not ${this.rules.words.roll(choice)}`);
  }

  #checkEnd(forfeits) {
    const right = endOf(this.line, forfeits);
    for (const [name, value] of Object.entries(right)) {
      const tag = this.tags.get(name);
      if (tag && tag.value !== value) this.#fail(tag, `${name} is '${value}' according to the moves, not '${tag.value}'`);
    }
    const { result } = this;
    if (result && result.text !== right.Result) this.#fail(result, `the result is ${right.Result} according to the moves, not ${result.text}`);
  }
}

// How similar two names are, from 0 to 1; as difflib of Python says.
function likeness(one, other) {
  return (2 * common(one, other)) / (one.length + other.length);
}

// The number of signs in common: in the longest part that both have, and before and after it.
function common(one, other) {
  let [length, at, there] = [0, 0, 0];
  for (let from = 0; from < one.length; from++) {
    for (let to = from + length + 1; to <= one.length; to++) {
      const place = other.indexOf(one.slice(from, to));
      if (place < 0) break;
      [length, at, there] = [to - from, from, place];
    }
  }
  if (!length) return 0;
  return length + common(one.slice(0, at), other.slice(0, there)) + common(one.slice(at + length), other.slice(there + length));
}

const roundOf = ({ turns }, { words }) => Math.floor(turns / words.seats.length) + 1;

// The result, the score and the kind of ending, as in tags.
function endOf(line, { resigned, out_of_time: outOfTime }) {
  const { last, rules } = line;
  const { teams } = rules.game.description;
  const forfeit = resigned ?? outOfTime;
  const returns = forfeit === null ? line.returns(last) : teams.map((team) => (team === teams[forfeit] ? -1 : 1));
  const words = { 1: "1", 0: "1/2", "-1": "0" };
  const ofTeams = [...new Set(teams)].sort((one, other) => one - other).map((team) => teams.indexOf(team));
  const isLimit = rules.turnLimit && last.turns >= rules.turnLimit;
  const stopped = last.isOver ? "by the rules" : !last.truncated ? "unfinished" : isLimit ? "turn limit" : "no room";
  return {
    Result: returns ? ofTeams.map((seat) => words[returns[seat]]).join("-") : "*",
    ...(rules.words.hasPoints ? { Score: line.pointsAt(line.choices.length).join(":") } : {}),
    Termination: resigned !== null ? "resignation" : outOfTime !== null ? "time forfeit" : stopped,
  };
}

/** The text of a game, of its `line` from the first choice on; `options` are those that differ from the inventor's. */
export function textOf(line, { variant, options, start, players, seed, generator, date, resigned, out_of_time: outOfTime, tags, comments }) {
  const { rules } = line;
  const { seats } = rules.words;
  const set = Object.entries(options).map((setting) => setting.join("=")).join(" ");
  const ending = endOf(line, { resigned, out_of_time: outOfTime });
  const all = [
    ["Variant", variant], ["Options", set || null], ["Start", start],
    ...seats.map((seat, number) => [seat, players[number]]),
    ["Seed", seed], ["Dice", generator], ["Date", date], ["Resigned", seats[resigned]], ["OutOfTime", seats[outOfTime]],
    ...Object.entries(ending), ...Object.entries(tags),
  ];
  const written = all.filter(([, value]) => value !== null && value !== undefined).map(([name, value]) => `[${name} "${value.replace(/[\\"]/g, "\\$&")}"]`);
  return [...written, "", ...wrapped([...movesOf(line, comments), ending.Result]), "", ""].join("\n");
}

// The parts of the moves that are not split across lines.
function movesOf(line, comments) {
  const { choices, moments, rules } = line;
  const turns = new Turns(rules);
  const said = (played) => (comments[played] ?? []).flatMap((comment) => `{${comment}}`.split(" "));
  const parts = said(0);
  const ends = moments.flatMap(({ begun }, ply) => (ply && (begun === ply || ply === choices.length) ? [ply] : []));
  ends.forEach((end, number) => {
    const first = ends[number - 1] ?? 0;
    const { bytes, turns: played } = moments[first];
    const { word, remarks } = turns.write(bytes, choices.slice(first, end));
    const isFirst = played % rules.words.seats.length === 0;
    const numbered = isFirst || number === 0 ? `${roundOf(moments[first], rules)}.${isFirst ? "" : ".."} ${word}` : word;
    parts.push(numbered, ...remarks, ...said(number + 1));
  });
  return parts;
}

function wrapped([first, ...parts]) {
  const lines = [first];
  const length = (text) => [...text].length;
  for (const part of parts) {
    if (length(lines.at(-1)) + 1 + length(part) > WIDTH) lines.push(part);
    else lines[lines.length - 1] += ` ${part}`;
  }
  return lines;
}
