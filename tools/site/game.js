// A game on a static page: its moments and what they look like, from its rules and its words.
import { Game, NOTHING, Position } from "./glue.js";
import { numbersOf, Texts, valueOf } from "./texts.js";
import { Words } from "./words.js";

const QUESTION = -1; // stands for an action
export const A_SERVER = "a server: pip install 'pasgl-env[play]', then start pasgl serve on your own machine";

/** The rules of a variant, its words, and a way to read its other files. */
export class Rules {
  #playing = null; // a promise of what players need
  #dangers = null;

  static async load(name, options, read) {
    const json = async (file) => (await read(file)).json();
    const bytes = async (file) => (await read(file)).arrayBuffer();
    const isChanged = Object.keys(options).length > 0;
    const [description, words, known] = await Promise.all([json(`${name}.rules.json`), json(`${name}.words.json`), isChanged ? json(`${name}.options.json`) : {}]);
    const changes = Object.entries(options).flatMap(([option, value]) => known[option]?.[value] ?? []);
    const { fields, text } = description;
    const { words: own, ...forms } = changed({ words, fields, text }, changes);
    const game = await Game.load(await bytes(description.module), { ...description, ...forms });
    changeRecord(game, options, known, changes);
    const rules = new Rules(game, own);
    rules.files = { json, bytes };
    rules.turnLimit = options.turn_limit ?? description.options.values.turn_limit;
    rules.board = async (theme) => changed({ [theme]: await json(`${name}.${theme}.json`) }, changes)[theme];
    return rules;
  }

  constructor(game, words) {
    this.game = game;
    this.words = new Words(words);
    this.position = new Position(game); // shows moments of all games
    this.texts = game.description.text && new Texts({ game, words: this.words, position: new Position(game) });
    this.lines = new Map();
  }

  /** A line of play for a purpose, the same one each time. */
  line(purpose) {
    if (!this.lines.has(purpose)) this.lines.set(purpose, new Line(this));
    return this.lines.get(purpose);
  }

  /** What leads to a state again, its bytes: a position text, if that says all of it, or they themselves. */
  textOf(bytes) {
    try {
      const text = this.texts?.write(bytes);
      if (text && `${this.texts.read(text)}` === `${bytes}`) return text;
    } catch {
      // In the middle of a turn.
    }
    return packed(bytes);
  }

  /** The bytes of a state by such a text, to which the labels of a turn that has begun may be added. */
  bytesOf(text) {
    const { state, variant } = this.game.description;
    if (!text.includes(" ")) {
      const bytes = unpacked(text);
      if (bytes.length !== state.size) throw new Error("this address is one of other rules");
      this.position.read(bytes); // refuses what is impossible
      return bytes;
    }
    if (!this.texts) throw new Error(`position texts of ${variant} need ${A_SERVER}`);
    const parts = text.split(" ");
    const count = this.texts.names.length;
    const line = this.line("text");
    line.start([], 0n, this.texts.read(parts.slice(0, count).join(" ")));
    if (parts.length > count) parts.slice(count).join(" ").split(",").forEach((label) => line.play(label));
    return line.last.bytes;
  }

  /** The bytes of a position with changes made in order, of which only the last has to leave a possible one. */
  edited(bytes, changes) {
    const { position } = this;
    position.state.bytes.set(bytes);
    position.put(NOTHING, NOTHING);
    for (const { square, piece = "", field, value } of changes) {
      if (field) this.#setField(field, value);
      else this.#put(square, piece);
    }
    const made = position.state.bytes.slice();
    // As by a server, the text is what counts: it numbers pieces that look the same.
    if (this.texts) return this.texts.read(this.texts.write(made));
    position.read(made);
    return made;
  }

  #put(square, piece) {
    const { squares, symbols } = this.words;
    const [place, symbol] = [squares.indexOf(square), symbols.findIndex(({ text }) => text === piece)];
    if (place < 0) throw new Error(`no square '${square}'`);
    if (piece && symbol < 0) throw new Error(`no piece '${piece}'`);
    if (!this.position.put(place, symbol)) throw new Error(`${square}: there is ${piece ? `no further ${piece}` : "no such square"}`);
  }

  #setField(name, value) {
    const field = this.game.description.fields[name];
    if (!field) throw new Error(`no field '${name}'`);
    const numbers = numbersOf(field, value);
    if (!numbers) throw new Error(`${name}: '${value}' is not ${field.meaning}`);
    this.position.setField(field, numbers);
  }

  /** What can be set beside the pieces, with the values in a position. */
  fields(bytes) {
    this.position.set(bytes);
    return Object.entries(this.game.description.fields).map(([name, field]) => ({ name, value: valueOf(field, this.position.fieldNumbers(field)), meaning: field.meaning }));
  }

  /** What finds dangers, for which a first board does not wait. */
  async dangers() {
    const { Dangers } = await import("./dangers.js");
    this.#dangers ??= new Dangers(this);
    return this.#dangers;
  }

  /** A player by its name: `choose(line)` says what it does in the last position of a line. */
  async player(name) {
    this.#playing ??= this.#load().catch((error) => {
      this.#playing = null; // it may be loaded later
      throw error;
    });
    const { game, network, position, players, makePlayer } = await this.#playing;
    if (!players.has(name)) players.set(name, makePlayer(name, game, network));
    const player = players.get(name);
    const choose = (line) => {
      position.replay(line.position.path);
      player.follow?.(position);
      return player.choose(position);
    };
    return { choose, isCalibrated: Boolean(game.description.values?.calibration) };
  }

  // Players have a module of their own with the same rules, for which a first board does not wait.
  async #load() {
    const { json, bytes } = this.files;
    const description = await json(`${this.game.description.variant}.json`);
    const { module, values } = description;
    const [{ makePlayer, readNetwork }, code, learned] = await Promise.all([import("./players.js"), bytes(module), values && bytes(values.file)]);
    const game = await Game.load(code, description);
    game.options.bytes.set(this.game.options.bytes);
    return { game, network: values && readNetwork(game, learned), position: new Position(game), players: new Map(), makePlayer };
  }
}

/** Bytes as a text for addresses; of zeros in a row the first is written, and how many follow. */
export function packed(bytes) {
  let signs = "";
  for (let at = 0; at < bytes.length; at++) {
    signs += String.fromCharCode(bytes[at]);
    if (bytes[at]) continue;
    const from = at;
    while (at - from < 255 && bytes[at + 1] === 0) at++;
    signs += String.fromCharCode(at - from);
  }
  return btoa(signs).replaceAll("+", "-").replaceAll("/", "_");
}

/** The bytes that were packed in a text. */
export function unpacked(text) {
  const signs = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = [];
  for (let at = 0; at < signs.length; at++) {
    bytes.push(signs.charCodeAt(at));
    if (!bytes.at(-1)) bytes.push(...new Array(signs.charCodeAt(++at)).fill(0));
  }
  return Uint8Array.from(bytes);
}

// Data with changes at some places, those that it has.
function changed(data, changes) {
  const made = structuredClone(data);
  for (const [way, content] of changes) {
    if (!(way[0] in made)) continue;
    way.slice(0, -1).reduce((place, key) => place[key], made)[way.at(-1)] = content;
  }
  return made;
}

// Write options into the record that rules take: numbers into their fields, and listed changes.
function changeRecord(game, options, known, changes) {
  const { bytes } = game.options;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (const [name, value] of Object.entries(options)) {
    if (known[name] === null) view.setInt32(game.description.options.fields[name].offset, value, true);
  }
  bytes.set(changed({ record: [...bytes] }, changes).record);
}

/** A line of play: its moments, from the start on. */
export class Line {
  constructor(rules) {
    this.rules = rules;
    this.position = new Position(rules.game);
    this.start([]);
  }

  /** Begin anew, with the first choices, a generator for the dice, and the bytes of a state. */
  start(choices, dice = 0n, bytes = null) {
    if (bytes) this.position.set(bytes);
    else this.position.restart();
    this.position.dice.numbers[0] = dice;
    this.choices = [];
    this.moments = [{ ...this.#seen(), begun: 0 }];
    choices.forEach((choice) => this.step(choice));
  }

  /** The bytes of the state in which it begins. */
  get first() {
    return this.moments[0].bytes;
  }

  get last() {
    return this.moments.at(-1);
  }

  // What there is to know of the position now.
  #seen() {
    const { state, dice, isOver, toMove, inTurn, truncated, turns, winner } = this.position;
    const isChance = !isOver && toMove < 0;
    return { bytes: state.bytes.slice(), dice: dice.numbers[0], isOver, isChance, toMove: isOver ? null : toMove, inTurn: Boolean(inTurn), truncated: Boolean(truncated), turns, winner };
  }

  /** Play an action, or resolve chance by an outcome; without one roll the dice. */
  step(choice = null) {
    const before = this.last;
    const { position, rules } = this;
    const action = before.isChance ? null : rules.words.action(position.describe([choice])[0]);
    const made = choice ?? position.roll();
    if (choice !== null) position.play(choice);
    const events = action && rules.game.has("events") ? position.events(before.bytes, made) : [];
    const after = this.#seen();
    const ends = after.isOver || after.turns !== before.turns;
    const label = action ? action.label : rules.words.roll(made);
    this.choices.push(made);
    this.moments.push({ ...after, seat: before.toMove, action, label, events, choice: made, begun: ends ? this.choices.length : before.begun });
  }

  /** Play an action, or an outcome of chance, by its label. */
  play(label) {
    const outcome = this.last.isChance ? this.rules.words.outcomes.indexOf(label) : -1;
    const number = this.last.isChance ? outcome : this.actions().find((each) => each.label === label)?.number ?? -1;
    if (number < 0) throw new Error(`'${label}' is not legal here`);
    this.step(number);
  }

  /** Make a choice that may not be legal, such as one of a link. */
  follow(choice) {
    const { actionMask, isChance, weights } = this.position;
    const legal = isChance ? weights.numbers : actionMask.bytes;
    if (this.last.isOver || !(legal[choice] > 0)) throw new Error(`choice ${this.choices.length + 1} is not legal`);
    this.step(choice);
  }

  /** Go back to the first choices. */
  cut(length) {
    this.moments.length = length + 1;
    this.choices.length = length;
    this.position.replay({ start: this.moments[0].bytes, choices: this.choices });
    this.position.dice.numbers[0] = this.last.dice;
  }

  /** The legal actions of a player, with their numbers. */
  actions(ply = this.choices.length) {
    const moment = this.moments[ply];
    if (moment.isOver || moment.isChance) return [];
    const position = this.#at(moment);
    const numbers = position.legalActions;
    return position.describe(numbers).map((record, number) => ({ number: numbers[number], ...this.rules.words.action(record) }));
  }

  #at(moment) {
    const { position } = this.rules;
    position.set(moment.bytes);
    return position;
  }

  // The moments after each choice of the turn, and of the one before.
  #turn(ply) {
    return this.moments.slice(this.moments[ply].begun + 1, ply + 1);
  }

  #turnBefore(ply) {
    const { begun } = this.moments[ply];
    return begun ? this.moments.slice(this.moments[begun - 1].begun + 1, begun + 1) : [];
  }

  // The actions of the turn, or of the one before if nobody has acted in this one.
  #acted(ply) {
    const acted = [this.#turn(ply), this.#turnBefore(ply)].map((turn) => turn.filter(({ action }) => action));
    return acted[0].length ? acted[0] : acted[1];
  }

  /** A moment as clients see it, apart from any game; docs/web_protocol.md. */
  see(ply = this.choices.length) {
    const { rules } = this;
    const moment = this.moments[ply];
    const actions = this.actions(ply);
    const position = this.#at(moment);
    const points = rules.words.hasPoints ? position.points : null;
    const question = moment.inTurn ? rules.words.question(position.describe([QUESTION])[0]) : "";
    const rolls = this.#turn(ply).filter(({ action }) => !action);
    const sprites = position.scene(rolls.length ? rolls.at(-1).choice : NOTHING);
    const acted = this.#acted(ply);
    const returns = this.returns(moment);
    return {
      text: packed(moment.bytes),
      to_move: moment.toMove,
      turn: moment.turns,
      labels: this.#turn(ply).map(({ label }) => label),
      last_turn: this.#turnBefore(ply).map(({ label }) => label),
      events: rules.words.told(acted.flatMap(({ events }) => events)),
      question,
      legal: actions.map(sent),
      rolls: this.outcomes(position).map(([outcome, share]) => [rules.words.roll(outcome), Number(share.toFixed(6))]),
      points,
      over: moment.isOver,
      ending: moment.isOver ? rules.words.result({ returns, points, turns: moment.turns }) : "",
      whose: moment.isOver ? "" : moment.isChance ? "Chance" : rules.words.seats[moment.toMove],
      returns,
      drawing: {
        sprites: sprites.map(({ number, other, look, symbol, place, target }) => [number, other, look, symbol, place, target]),
        last: acted.flatMap(({ action }) => squaresOf(action)),
        moves: acted.filter(({ action }) => action.origin && action.target).map(({ action }) => [action.origin, action.target]),
        targets: moment.inTurn ? [...new Set(actions.flatMap(squaresOf))] : [],
      },
    };
  }

  /** Each player's points. */
  pointsAt(ply) {
    return this.#at(this.moments[ply]).points;
  }

  /** The possible outcomes of chance with their probabilities; none if a player is to act. */
  outcomes(position = this.position) {
    if (!position.isChance) return [];
    const shares = [...position.weights.numbers].map(Number);
    const total = shares.reduce((sum, share) => sum + share, 0);
    return shares.flatMap((share, outcome) => (share ? [[outcome, share / total]] : []));
  }

  /** What each player gets at the end; null before. */
  returns({ isOver, winner }) {
    const { teams } = this.rules.game.description;
    return isOver ? teams.map((team) => (winner < 0 ? 0 : team === teams[winner] ? 1 : -1)) : null;
  }

  /** What stands on a square, or with `isWhy` why it cannot go where somebody wants. */
  async explain(square, isWhy = false) {
    const { drawing, legal } = this.see();
    const { layout, symbols, pieces } = await this.rules.board("light");
    const here = drawing.sprites.filter(([, , look, , place]) => layout.looks[look].role === "piece" && layout.squares[place] === square);
    const lines = [...new Set(here.map(([, , , symbol]) => layout.symbols[symbol].symbol))].map((symbol) => {
      const { owner, name, condition, icon } = symbols[symbol];
      const known = pieces.find((piece) => [piece.symbol, ...piece.others].includes(icon));
      return `${[`${owner} ${name}`.trim(), condition].filter(Boolean).join(", ")}. ${known?.move ?? ""}`.trim();
    });
    const targets = new Set(legal.filter(([, , , , origin]) => origin === square).map(([, , , , , target]) => target));
    if (isWhy) lines.push(targets.size ? "It cannot go there now." : here.length ? "It cannot move now." : "There is nothing to move.");
    else if (targets.size) lines.push(`It can go to ${targets.size} square${targets.size > 1 ? "s" : ""} now.`);
    return lines;
  }

  /** The choices that completed a turn, as lines for players: [first, end, seat, labels, events]. */
  turns(you) {
    const lines = [];
    for (let ply = 1; ply < this.moments.length; ply++) {
      if (this.moments[ply].begun !== ply) continue;
      const made = this.#turnBefore(ply);
      const acted = made.filter(({ action }) => action);
      lines.push([ply - made.length, ply, acted[0]?.seat ?? 0, made.map(({ label }) => label), this.rules.words.told(acted.flatMap(({ events }) => events), you)]);
    }
    return lines;
  }

  /** What the actions of the turn have done so far, as sentences for players. */
  told(you) {
    return this.rules.words.told(this.#turn(this.choices.length).flatMap(({ events }) => events ?? []), you);
  }
}

/**
 * Judge a learner's actions in a task: its verdict, the plies to show, and what happened, as events.
 * As in pasgl_env/lessons.py.
 */
export function attempt(line, { bytes, choices, answers, points, wins }, labels) {
  line.start(choices, 0n, bytes);
  const hasGoal = wins || points > 0;
  const start = line.choices.length;
  const learner = line.last.toMove;
  const earned = (ply) => line.pointsAt(ply)[learner];
  let [lines, shown, happened, verdict] = [answers, [start], [], "open"];
  const play = (label) => {
    line.play(label);
    happened.push(...line.last.events);
    shown.push(line.choices.length);
    lines = lines.filter(([first]) => first === label).map(([, ...rest]) => rest);
  };
  for (const label of labels) {
    [shown, happened] = [[], []];
    play(label);
    while (lines[0]?.length && line.last.toMove !== learner && !hasGoal) play(lines[0][0]);
    if (hasGoal) {
      const { toMove, turns } = line.last;
      const isDone = wins ? line.returns(line.last)?.[learner] > 0 : earned(line.choices.length) - earned(start) >= points;
      const isOver = toMove !== learner || turns !== line.moments[start].turns;
      verdict = isDone ? "done" : isOver ? "wrong" : "open";
    } else verdict = !lines.length ? "wrong" : lines.every(({ length }) => length) ? "open" : "done";
  }
  return { verdict, happened: line.rules.words.told(happened, [learner]), positions: shown.map((ply) => line.see(ply)) };
}

/** The squares that an action touches, in order. */
const squaresOf = ({ origin, others, target }) => [origin, ...others, target].filter(Boolean);

/** An action as clients see it. */
const sent = ({ label, words, kind, piece, origin, target, becomes, others, asked }) => [label, words, kind, piece, origin, target, becomes, others, asked];
