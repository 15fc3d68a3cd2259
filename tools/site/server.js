// The server of a static page, in a worker: it answers the messages of docs/web_protocol.md by the
// rules compiled to WebAssembly.
import { A_SERVER, attempt, Line, packed, Rules, unpacked } from "./game.js";
import { IMPOSSIBLE, randomBits } from "./glue.js";

const HERE = new URL(".", import.meta.url);
const PERSON = "person";
const RECENT = 50;
const MOVED_ON = "the game has moved on in the meantime";
const NEEDS_SERVER = `This needs ${A_SERVER}`;
const HINT_SECONDS = 1;
const LONGEST_LINE = 6;
const MOST_VISITS = 1_000_000;
const LOOK = 0.05; // seconds in which a turn is evaluated
const LONG_LOOK = 0.5; // seconds for a turn that somebody tries
const MOST_LOST = 0.06; // by a turn that is as good as the best, of a value from -1 to 1
const PAUSE = 10; // milliseconds in which a search lets messages in
const SLOWEST = 60; // seconds between turns, at most

class Problem extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const dataOf = kept(async (file) => (await read(file)).json());
const rulesNamed = kept((name) => Rules.load(name, {}, read));
const changedRules = kept(async (key) => Rules.load(...JSON.parse(key), read));
const catalogue = () => dataOf("catalogue.json");

// Files that the page has asked for before this worker began: promises of their bytes, or of null.
const early = new Map();

// A file, which is kept for offline.js: that may begin later.
async function read(file) {
  const address = new URL(file, HERE);
  const content = await early.get(file)?.promise;
  const answer = content ? new Response(content) : await fetch(address).catch(() => null);
  if (!answer?.ok) throw new Error(`${file} could not be loaded`);
  await (await self.caches?.open("pasgl"))?.put(address, answer.clone());
  return answer;
}

// The rules of a variant under options, as far as these differ from the usual ones.
async function rulesOf(variant, given = {}) {
  const options = await unusual(variant, given);
  const name = (await catalogue()).rules[variant][JSON.stringify(options)];
  if (name) return rulesNamed(name);
  const known = await optionsOf(variant);
  for (const [option, value] of Object.entries(options)) {
    const about = known.find((each) => each.name === option);
    if (!about || about.needs_server) throw new Problem("server", `The option ${option} needs ${A_SERVER}`);
    const { kind, low, high, values } = about;
    const isAllowed = kind === "choice" ? values.includes(value) : Number.isInteger(value) && low <= value && value <= high;
    if (!isAllowed) throw new Problem("options", `option ${option} must be ${kind === "choice" ? values.join(" or ") : `from ${low} to ${high}`}`);
  }
  return changedRules(JSON.stringify([variant, options]));
}

async function optionsOf(variant) {
  const known = (await catalogue()).variants.find(({ name }) => name === variant);
  if (!known) throw new Problem("unknown", `there is no game ${variant} here`);
  return known.options;
}

// The options that differ from the usual ones, in order. Those of records differ from the inventor's game.
async function unusual(variant, given, usual = "usual") {
  const options = await optionsOf(variant);
  const all = { ...Object.fromEntries(options.map((option) => [option.name, option[usual]])), ...given };
  const isUsual = ([name, value]) => options.some((option) => option.name === name && option.usual === value);
  return Object.fromEntries(Object.entries(all).filter((each) => !isUsual(each)).sort());
}

// Judge a learner's actions in a step of a lesson or a puzzle: the line of play, and the verdict.
async function attempted({ variant, step, puzzle, labels = [] }, purpose = "look") {
  const { steps } = await dataOf(`${variant}.${puzzle === undefined ? "lesson" : "puzzles"}.json`);
  const task = puzzle === undefined ? steps[step] : steps.find(({ text }) => text === puzzle);
  const rules = await rulesOf(task.variant, task.options);
  const line = rules.line(purpose);
  const bytes = whole(task.runs, rules.game.description.state.size);
  return { line, ...attempt(line, { ...task, bytes }, labels) };
}

// Judge a learner's actions in an ending.
async function playedOut({ ending, labels = [] }) {
  const { playOut } = await import("./endings.js");
  const { endings, ...common } = await dataOf("endings.json");
  const { variant, options, text } = endings[ending];
  const rules = await rulesOf(variant, options);
  const known = await dataOf(`endings.${ending}.json`);
  return playOut(rules.line("look"), { ...common, ...known, bytes: rules.bytesOf(text) }, labels);
}

// The line of play that a message names, in a task, in a game or from a position; lines for different
// purposes are apart.
async function shown({ game, ply, labels = [], variant, options, text, ...task }, purpose = "look") {
  if ("step" in task || "puzzle" in task) return (await attempted({ variant, labels, ...task }, purpose)).line;
  const table = game && (await tableOf(game));
  const rules = table ? table.rules : await rulesOf(variant, options);
  const line = rules.line(purpose);
  if (table) line.start(table.line.choices.slice(0, ply), 0n, table.line.first);
  else line.start([], 0n, bytesOf(rules, text));
  labels.forEach((label) => line.play(label));
  return line;
}

// The bytes of a position by its text; null for the usual start.
const bytesOf = (rules, text) => (text ? possible(() => rules.bytesOf(text)) : null);

// The result of a function that makes a position; what people give it may be wrong.
function possible(make) {
  try {
    return make();
  } catch ({ message }) {
    throw new Problem("text", message === IMPOSSIBLE ? "the rules allow no such position. A server, pasgl serve, says why" : message);
  }
}

// The last position of a line with its text, if that says all.
const withText = (line) => ({ ...line.see(), text: line.rules.textOf(line.last.bytes) });

// Choices, each in two bytes, as part of an address; and back.
const written = (choices) => btoa(choices.map((each) => String.fromCharCode(each & 255, each >> 8)).join("")).replaceAll("+", "-").replaceAll("/", "_");

function readChoices(text) {
  const signs = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Array.from({ length: signs.length >> 1 }, (_, at) => signs.charCodeAt(2 * at) | (signs.charCodeAt(2 * at + 1) << 8));
}

// The bytes of a state, of which only runs are written that are not zero.
function whole(runs, size) {
  const bytes = new Uint8Array(size);
  for (const [offset, content] of runs) bytes.set(Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0)), offset);
  return bytes;
}

// A function that remembers its results; what fails, such as without a network, is tried again.
function kept(make) {
  const known = new Map();
  return (key) => {
    if (!known.has(key)) {
      const made = make(key);
      known.set(key, made);
      made.catch(() => known.delete(key));
    }
    return known.get(key);
  };
}

// What a request to the database finds.
const found = (asked) =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

/** The games that were played in this browser, maybe in several tabs. */
class Store {
  #opened = new Promise((resolve, reject) => {
    const asked = indexedDB.open("pasgl", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("games", { keyPath: "id" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

  async #games(mode) {
    return (await this.#opened).transaction("games", mode).objectStore("games");
  }

  async find(id) {
    return found((await this.#games("readonly")).get(id));
  }

  // Store a game, unless another tab has stored it since it was read.
  async put(game) {
    const games = await this.#games("readwrite");
    const known = await found(games.get(game.id));
    if (known && known.revision !== game.revision) throw new Problem("late", MOVED_ON);
    const revision = (game.revision ?? 0) + 1;
    await found(games.put({ ...game, revision }));
    game.revision = revision;
  }

  async recent() {
    const all = await found((await this.#games("readonly")).getAll());
    return all.sort((one, other) => other.created - one.created).slice(0, RECENT);
  }
}

/** A game with its seats. */
class Table {
  isWatched = false;
  isThinking = false;

  constructor(saved, rules) {
    this.rules = rules;
    this.line = new Line(rules);
    this.show(saved);
  }

  // Show a game as it was stored.
  show(saved) {
    this.saved = saved;
    this.line.start(saved.choices, BigInt(saved.dice), saved.start ? unpacked(saved.start) : null);
    this.#roll();
  }

  get ply() {
    return this.line.choices.length;
  }

  // A game from a file is shown as it is.
  get isOpened() {
    return this.saved.kind === "opened";
  }

  get people() {
    if (this.isOpened) return [];
    return this.saved.seats.flatMap(({ player }, seat) => (player === PERSON ? [seat] : []));
  }

  get isOver() {
    const { isOver, truncated } = this.line.last;
    return isOver || truncated || this.forfeit !== null;
  }

  // The seat whose player resigned or ran out of time.
  get forfeit() {
    return this.saved.resigned ?? this.saved.out_of_time ?? null;
  }

  // Whoever is to act must be among the people at this screen.
  #check() {
    if (this.isOver) throw new Problem("over", "the game is over");
    if (!this.people.includes(this.line.last.toMove)) throw new Problem("turn", "a program is to play");
  }

  play(label) {
    this.#check();
    this.line.play(label);
    this.#roll();
  }

  step(action) {
    this.line.step(action);
    this.#roll();
  }

  #roll() {
    while (!this.isOpened && this.line.last.isChance && !this.line.last.truncated) this.line.step();
    this.saved.choices = [...this.line.choices];
  }

  get canUndo() {
    const { last } = this.line;
    return !this.isOver && this.ply > last.begun && last.seat === last.toMove && last.action !== null;
  }

  undo() {
    this.#check();
    if (!this.canUndo) throw new Problem("undo", "there is nothing to undo in this turn");
    this.#cut(this.ply - 1);
  }

  // The ply before the last turn of a person; -1 if there is none to take back.
  get #lastTurn() {
    const { moments } = this.line;
    const theirs = ({ seat, action }) => action && this.people.includes(seat);
    const last = moments.findLastIndex(theirs);
    if (last < 0 || this.forfeit !== null) return -1;
    const { begun } = moments[last - 1];
    return moments.findIndex((moment, ply) => ply > begun && theirs(moment)) - 1;
  }

  takeBack() {
    if (this.#lastTurn < 0) throw new Problem("undo", "there is no turn to take back");
    this.#cut(this.#lastTurn);
  }

  #cut(length) {
    this.line.cut(length);
    this.saved.choices = [...this.line.choices];
  }

  /** The name of the program that acts next; null if a person does. */
  get program() {
    if (this.isOver || this.isOpened || this.saved.paused) return null;
    const { player } = this.saved.seats[this.line.last.toMove];
    return player === PERSON ? null : player;
  }

  view() {
    const { saved, line, people, forfeit } = this;
    const { last } = line;
    const seen = line.see();
    const you = people;
    const isMine = !this.isOver && you.includes(last.toMove);
    const { teams } = this.rules.game.description;
    const told = new Set(you.map((seat) => teams[seat])).size === 1 ? you : [];
    const { seats, whyPass } = this.rules.words;
    const won = (seat) => (teams[seat] === teams[forfeit] ? -1 : 1);
    const gaveUp = `${seats[forfeit]} ${saved.resigned === null ? "ran out of time" : "resigned"}.`;
    return {
      ...seen,
      game: saved.id,
      ply: this.ply,
      to_move: this.isOver ? null : last.toMove,
      turn_limit: this.rules.turnLimit,
      events: line.told(told),
      legal: isMine ? seen.legal : [],
      only_pass: isMine && seen.legal.length === 1 && seen.legal[0][2] === "pass" ? whyPass : "",
      over: this.isOver,
      ending: forfeit !== null ? gaveUp : seen.ending || (last.truncated ? this.#cutOff() : ""),
      returns: forfeit !== null ? seats.map((_, seat) => won(seat)) : seen.returns,
      rematch: null,
      paused: saved.paused,
      pace: people.length ? null : saved.pace,
      time_left: null,
      can_undo: this.canUndo,
      can_take_back: this.#lastTurn >= 0,
      asks_to_take_back: null,
      offers_rematch: null,
      may_get_help: true,
      turns_from: 0,
      turns: line.turns(told),
      you,
    };
  }

  #cutOff() {
    const { turns } = this.line.last;
    const limit = this.rules.turnLimit;
    if (limit && turns >= limit) return `Cut off at the turn limit, ${limit}, a limit of this suite and not a rule of the game.`;
    return `Cut off after ${turns} turns: there is no room for a longer history.`;
  }

  get about() {
    const { variant, seats, options = {}, kind = "played", tags = {}, date = null, comments = {} } = this.saved;
    const { teams } = this.rules.game.description;
    return {
      variant, teams, options, changed_options: options, kind, turn_time: null, tags, date, comments, start: null,
      seats: seats.map((who, seat) => ({ seat: this.rules.words.seats[seat], ...who })),
    };
  }
}

const store = new Store();
const tables = new Map();
const otherTabs = new BroadcastChannel("pasgl games");

const tell = (message) => postMessage(JSON.stringify(message));

async function tableOf(id) {
  if (!tables.has(id)) {
    const saved = await savedGame(id);
    tables.set(id, new Table(saved, await rulesOf(saved.variant, saved.options)));
  }
  return tables.get(id);
}

async function savedGame(id) {
  const saved = await store.find(id);
  if (!saved) throw new Problem("unknown", "this game is not in this browser");
  return saved;
}

// Go on from a game as it is stored by now, if another tab has changed it.
async function refresh(table) {
  const saved = await savedGame(table.saved.id);
  if (saved.revision === table.saved.revision) return;
  table.show(saved);
  show(table);
}

// A game, if it is at a ply, if one is given.
async function tableAt(id, ply) {
  const table = await tableOf(id);
  if (ply !== null && ply !== table.ply) throw new Problem("late", MOVED_ON);
  return table;
}

// Keep a change, and tell this page and those in other tabs; what cannot be kept is undone.
async function changed(table) {
  try {
    await store.put(table.saved);
  } catch (error) {
    table.show(await savedGame(table.saved.id));
    show(table);
    throw error;
  }
  otherTabs.postMessage(table.saved.id);
  show(table);
  return { ply: table.ply };
}

// Tell the page about a game that it shows, and let a program think.
function show(table) {
  if (!table.isWatched) return;
  tell({ event: "state", ...table.view() });
  think(table).catch((error) => tell({ event: "notice", game: table.saved.id, message: `the program cannot play: ${error.message}` }));
}

async function think(table) {
  const name = table.program;
  if (name === null || table.isThinking || !table.isWatched) return;
  table.isThinking = true;
  const { ply } = table;
  let player;
  try {
    const { last } = table.line;
    const wait = table.people.length || last.inTurn ? 0 : table.saved.pace;
    await new Promise((resolve) => setTimeout(resolve, 1000 * wait));
    player = await table.rules.player(name);
  } finally {
    table.isThinking = false;
  }
  if (table.ply !== ply || table.program !== name || !table.isWatched) return think(table);
  table.step(player.choose(table.line).action);
  await changed(table).catch(ifLate);
}

// Another tab that shows the game lets the same program think, and was faster.
function ifLate(error) {
  if (error.code !== "late") throw error;
}

// Searches that go on, by their commands: the last one of each.
const searches = new Map();

// Search a position, again and again while told to, and tell the page what is found.
async function search(command, event, { id, ...fields }, seconds, told) {
  const line = await shown(fields, command);
  if (line.last.isOver || line.last.isChance) throw new Problem("over", "there is nothing to choose in this position");
  const player = await line.rules.player(`search:${seconds}s`);
  const asking = line.moments.at(-1 - (fields.labels ?? []).length).toMove; // who has played the labels
  searches.set(command, id);
  const goOn = () => {
    if (searches.get(command) !== id) return;
    const found = player.choose(line);
    const isEnough = found.candidates.length < 2 || found.candidates[0].visits > MOST_VISITS;
    tell({ event, of: id, ...told(line, found, { player, asking }) });
    if (command === "analyse" && !isEnough) setTimeout(goOn, PAUSE);
    else tell({ event, of: id, done: true });
  };
  setTimeout(goOn);
  return {};
}

// What threatens after each action of the player to act.
async function warn(id, line) {
  let last = performance.now();
  const pause = async () => {
    if (performance.now() - last > PAUSE) {
      await new Promise((resolve) => setTimeout(resolve));
      last = performance.now();
    }
    return searches.get("dangers") === id;
  };
  const dangers = await line.rules.dangers();
  const found = await dangers.find(line, pause);
  if (found) tell({ event: "dangers", of: id, done: true, dangers: found });
}

// What a search has found: all candidates, and the line of play that it expects.
function analysis({ rules, position, last }, { candidates, expected }, { player }) {
  const { teams } = rules.game.description;
  const records = position.describe(candidates.map(({ action }) => action));
  const lines = candidates.map(({ visits, value }, number) => ({ ...rules.words.action(records[number]), visits, value: value ?? 0 }));
  const after = rules.line("after");
  after.start(expected, 0n, position.state.bytes);
  return {
    lines,
    visits: lines.reduce((sum, { visits }) => sum + visits, 0),
    value: lines[0].value,
    expected: after.moments.slice(1).map(({ label }) => label),
    basis: player.isCalibrated ? "calibrated" : "uncalibrated",
    side: teams[last.toMove] === teams[0] ? 1 : -1,
  };
}

// A good action, and what happens if all play well.
function hint({ rules, position }, { action, candidates, expected }, { asking }) {
  const { words } = rules;
  const after = rules.line("after");
  after.start((expected[0] === action ? expected : [action]).slice(0, LONGEST_LINE), 0n, position.state.bytes);
  const [, ...moments] = after.moments;
  const { piece, origin, target } = moments[0].action;
  const line = moments.map(({ seat, label, action: made, events }) => ({ seat, label, words: made.words, events: words.told(events, [asking]) }));
  return { piece, origin, target, line, value: candidates[0].value ?? 0 };
}

// A position's value for the first team, from -1 to 1; before a roll, the expected one.
async function valueOf(line, seconds) {
  const { rules, last, choices } = line;
  if (last.isOver) return line.returns(last)[0];
  if (last.truncated) return 0;
  if (!last.isChance) {
    const { candidates } = (await rules.player(`search:${seconds}s`)).choose(line);
    const { teams } = rules.game.description;
    return (teams[last.toMove] === teams[0] ? 1 : -1) * (candidates[0].value ?? 0);
  }
  const rolled = rules.line("rolled");
  let sum = 0;
  for (const [outcome, share] of line.outcomes()) {
    rolled.start([...choices, outcome], 0n, line.first);
    sum += share * await valueOf(rolled, seconds / 20);
  }
  return sum;
}

// Evaluate the beginnings of a game's turns, and the end of the last one, while told to.
async function evaluate(id, { choices, first, rules }, plies) {
  const line = rules.line("evaluate");
  for (const ply of plies) {
    if (searches.get("evaluate") !== id) return;
    line.start(choices.slice(0, ply), 0n, first);
    tell({ event: "evaluation", of: id, ply, value: await valueOf(line, LOOK) });
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  tell({ event: "evaluation", of: id, done: true });
}

// Judge a turn that somebody tries in a game against the one that a search expects.
async function judged({ game, ply, labels = [], hinted = [] }) {
  const line = await shown({ game, ply, labels });
  const { last, moments } = line;
  const { toMove, turns } = moments[ply];
  const isTurn = last.isOver || last.turns !== turns;
  const isGood = async () => `${labels}` === `${hinted}` || (await lost(line, ply)) <= MOST_LOST;
  const verdict = !isTurn ? "open" : (await isGood()) ? "done" : "wrong";
  const events = moments.slice(ply + 1).flatMap((moment) => moment.events);
  return { verdict, happened: line.rules.words.told(events, [toMove]), positions: [line.see()] };
}

// What the last turn of a line has lost, for whoever played it from that ply on.
async function lost(line, ply) {
  const { rules, choices, moments } = line;
  const { teams } = rules.game.description;
  const best = rules.line("best");
  best.start(choices.slice(0, ply), 0n, line.first);
  const { toMove, turns } = best.last;
  const { action, expected } = (await rules.player(`search:${LONG_LOOK}s`)).choose(best);
  for (const choice of expected[0] === action ? expected : [action]) {
    best.step(choice);
    if (best.last.isOver || best.last.isChance || best.last.turns !== turns) break;
  }
  if (`${best.last.bytes}` === `${moments.at(-1).bytes}`) return 0;
  const side = teams[toMove] === teams[0] ? 1 : -1;
  return side * ((await valueOf(best, LONG_LOOK)) - (await valueOf(line, LONG_LOOK)));
}

// The game of a binary record, as it is kept here; what follows from its choices must agree with what it says.
async function fromRecord({ variant, options, players, start, dice, rollsFollow, choices, ending, winner, seed, resigned = null, out_of_time = null, date, tags, comments }) {
  const { ENDINGS } = await binaryRecords();
  const changed = await unusual(variant, options, "default");
  const rules = await rulesOf(variant, changed);
  const { teams } = rules.game.description;
  const line = rules.line("look");
  const bytes = bytesOf(rules, start);
  line.start([], dice ?? 0n, bytes);
  const roll = () => {
    while (rollsFollow && line.last.isChance) line.step();
  };
  for (const choice of choices) {
    roll();
    line.follow(choice);
  }
  const isCut = [ENDINGS.limit, ENDINGS.room].includes(ending);
  if (ending === ENDINGS.rules || (isCut && !line.last.truncated)) roll();
  const { isOver, truncated, winner: won } = line.last;
  const team = won >= 0 ? teams[won] : won;
  if (isOver !== (ending === ENDINGS.rules) || (isOver && team !== winner) || (isCut && !truncated)) throw new Error("its moves lead to another end");
  return opened(variant, changed, rules, {
    players, start: bytes, choices: [...line.choices], resigned, out_of_time, date, tags, comments,
    seed: Number.isSafeInteger(seed) ? String(seed) : null, // longer ones are no numbers here
    generator: dice === null ? null : `0x${dice.toString(16).padStart(16, "0")}`,
  });
}

// The game of a record in text.
async function fromText({ error: fault, tags, words: said }) {
  if (fault) throw fault;
  const { playedGame, settingsOf } = await textRecords();
  const variant = tags.get("Variant").value;
  try {
    const changed = await unusual(variant, settingsOf(tags, await optionsOf(variant)), "default");
    const rules = await rulesOf(variant, changed);
    return opened(variant, changed, rules, playedGame(tags, said, rules));
  } catch (error) {
    error.line ??= (tags.get("Options") ?? tags.get("Variant")).line;
    throw error;
  }
}

const opened = (variant, options, { words }, { players, start, ...game }) => ({
  id: randomBits().toString(36), kind: "opened", variant, options,
  seats: words.seats.map((_, seat) => ({ player: players[seat] ?? "", name: players[seat] ?? "" })),
  start: start && packed(start), dice: "0", pace: 1, paused: false, created: Date.now() / 1000, ...game,
});

// What reads and writes records is loaded when it is needed.
const binaryRecords = () => import("./records.js");
const textRecords = () => import("./text_records.js");

// The games of a file, one after the other: where they stand, and what plays them.
async function* recordsIn(name, bytes) {
  if (name.endsWith(".pgb")) {
    const { storedGames } = await binaryRecords();
    let number = 0;
    for (const stored of storedGames(bytes)) yield { place: `game ${++number}`, play: () => fromRecord(stored) };
    return;
  }
  if (!/\.pgr(?:\.gz)?$/.test(name)) throw new Error("the name of a record file must end in .pgr, .pgr.gz or .pgb");
  const { decoded, textGames } = await textRecords();
  const text = decoded(name.endsWith(".gz") ? await unpressed(bytes) : bytes);
  for (const game of textGames(text)) yield { play: () => fromText(game) };
}

async function unpressed(bytes) {
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new Error("the compressed data are damaged, or of several parts: unpack the file with gunzip");
  }
}

// The record of a game, as text.
async function recordOf({ saved, rules, line }) {
  const start = saved.start && rules.textOf(line.first);
  if (start && !start.includes(" ")) throw new Problem("record", "This game began in the middle of a turn, or with moves before: there are no records of such games");
  const { variant, options = {}, seats, date, created, out_of_time: outOfTime = null, seed = null, generator = null, tags = {}, comments = {}, resigned } = saved;
  const known = await optionsOf(variant);
  const all = { ...Object.fromEntries(known.map(({ name, usual }) => [name, usual])), ...options };
  const isPublished = ([name, value]) => known.some((option) => option.name === name && option.default === value);
  const { textOf } = await textRecords();
  return textOf(line, {
    variant, start, seed, generator, resigned, out_of_time: outOfTime, tags, comments,
    options: Object.fromEntries(Object.entries(all).filter((each) => !isPublished(each))),
    players: seats.map(({ player, name }) => name || (player === PERSON ? null : player) || null),
    date: date ?? (saved.kind === "opened" ? null : new Date(1000 * created).toISOString().slice(0, 10)),
  });
}

const COMMANDS = {
  hello: async () => ({ version: 3, link: new URL("..", HERE).href, embedding: false, ...(await catalogue()) }),

  board: async ({ variant, options, theme }) => (await rulesOf(variant, options)).board(theme),

  async new({ variant, options, seats, from, ply, start, choices = "", pace = 1 }) {
    const before = from ? await tableOf(from) : null;
    const changed = before?.saved.options ?? (await unusual(before?.saved.variant ?? variant, options));
    const rules = await rulesOf(before?.saved.variant ?? variant, changed);
    const { levelPlayers } = await catalogue();
    const first = rules.line("look");
    const bytes = before ? before.line.first : bytesOf(rules, start);
    first.start([], 0n, bytes);
    try {
      readChoices(choices).forEach((choice) => first.follow(choice));
    } catch {
      throw new Problem("link", "This link leads to no position");
    }
    const saved = {
      id: randomBits().toString(36),
      variant: rules.game.description.variant,
      seats: seats.map(({ player = PERSON, level, name }) => (level ? { player: levelPlayers[rules.game.description.variant][level], name: level } : { player, name: name || null })),
      options: changed,
      start: before ? before.saved.start : bytes && packed(bytes),
      choices: before ? before.line.choices.slice(0, ply) : first.choices,
      dice: String(randomBits()),
      resigned: null,
      pace,
      paused: false,
      created: Date.now() / 1000,
    };
    const table = new Table(saved, rules);
    tables.set(saved.id, table);
    await store.put(saved);
    return { game: saved.id, secrets: Object.fromEntries(table.people.map((seat) => [seat, "here"])) };
  },

  async link({ game, ply }) {
    const { line, rules, saved } = await tableOf(game);
    const { variant, options = {}, start } = saved;
    const unlike = start || Object.keys(options).length ? [JSON.stringify(options), start ? rules.textOf(line.first) : ""].map(encodeURIComponent) : [];
    return { part: ["#/from", variant, written(line.choices.slice(0, ply)), ...unlike].join("/") };
  },

  async watch({ game }) {
    const table = await tableOf(game);
    await refresh(table);
    table.isWatched = true;
    show(table); // before the answer, as a server does
    tell({ event: "present", game, seats: table.people, open: [], names: table.about.seats.map(({ name }) => name) });
    return { game, wrong_secrets: [], ...table.about };
  },

  async leave({ game }) {
    (await tableOf(game)).isWatched = false;
    return {};
  },

  async play({ game, label, ply = null }) {
    const table = await tableAt(game, ply);
    table.play(label);
    return changed(table);
  },

  async undo({ game, ply = null }) {
    const table = await tableAt(game, ply);
    table.undo();
    return changed(table);
  },

  async take_back({ game, ply = null }) {
    const table = await tableAt(game, ply);
    table.takeBack();
    await changed(table);
    return { done: true };
  },

  async resign({ game }) {
    const table = await tableOf(game);
    if (table.isOver) throw new Problem("over", "the game is over");
    const { toMove } = table.line.last;
    table.saved.resigned = table.people.includes(toMove) ? toMove : table.people[0];
    await changed(table);
    return {};
  },

  async pace({ game, seconds, paused }) {
    const table = await tableOf(game);
    if (seconds !== undefined) table.saved.pace = Math.min(seconds, SLOWEST);
    if (paused !== undefined) table.saved.paused = paused;
    await changed(table);
    return {};
  },

  name: async () => ({}),

  async turns({ game, from }) {
    return { turns: (await tableOf(game)).view().turns.slice(from) };
  },

  position: async (fields) => (await shown(fields)).see(),

  look: async (fields) => withText(await shown(fields)),

  async edit({ changes = [], ...fields }) {
    const line = await shown(fields);
    const { rules } = line;
    // What a text does not say is left out: a turn that has begun, and a history.
    const isText = rules.textOf(line.last.bytes).includes(" ");
    if (changes.length || !isText) line.start([], 0n, possible(() => rules.edited(line.last.bytes, changes)));
    return { ...withText(line), fields: rules.fields(line.last.bytes) };
  },

  analyse: ({ every = 0.2, ...fields }) => search("analyse", "analysis", fields, every, analysis),

  hint: (fields) => search("hint", "hint", fields, HINT_SECONDS, hint),

  async dangers({ id, ...fields }) {
    const line = await shown(fields, "dangers");
    searches.set("dangers", id);
    setTimeout(() => warn(id, line).catch(({ message }) => tell({ event: "dangers", of: id, done: true, error: message })));
    return {};
  },

  async evaluate({ id, game }) {
    const { line } = await tableOf(game);
    const turns = line.turns([]);
    searches.set("evaluate", id);
    const plies = [...turns.map(([first]) => first), turns.at(-1)?.[1] ?? 0];
    setTimeout(() => evaluate(id, line, plies).catch(({ message }) => tell({ event: "evaluation", of: id, done: true, error: message })));
    return { turns: turns.length };
  },

  // A file of records, by an address in the browser.
  async records({ name, file }) {
    const games = [];
    const wrong = [];
    const blame = ({ line, message }, place = "") => wrong.push([line ? `line ${line}` : place, message].filter(Boolean).join(": "));
    try {
      const bytes = new Uint8Array(await (await fetch(file)).arrayBuffer());
      for await (const { place, play } of recordsIn(name, bytes)) {
        try {
          const saved = await play();
          await store.put(saved);
          games.push({ game: saved.id, variant: saved.variant, seats: saved.seats });
        } catch (error) {
          blame(error, place);
        }
      }
    } catch (error) {
      blame(error);
    }
    if (!games.length) throw new Problem("record", wrong.join("; ") || "it holds no games");
    return { games: games.map((game) => ({ ...game, wrong: wrong.join("; ") })) };
  },

  record: async ({ game }) => ({ content: await recordOf(await tableOf(game)) }),

  async stop({ what = "analyse" }) {
    searches.delete(what);
    return {};
  },

  lesson: async ({ variant }) => ({ steps: (await dataOf(`${variant}.lesson.json`)).steps.map(({ shown }) => shown) }),

  puzzles: () => dataOf("puzzles.json"),

  endings: () => dataOf("endings.json"),

  async attempt(fields) {
    if (fields.game) return judged(fields);
    if ("ending" in fields) return playedOut(fields);
    const { line, ...told } = await attempted(fields);
    return told;
  },

  explain: async ({ square, why, ...fields }) => ({ words: await (await shown(fields)).explain(square, why) }),

  async games() {
    const { variants } = await catalogue();
    const saved = await store.recent();
    return { own: [], open: [], games: saved.filter(({ variant }) => variants.some(({ name }) => name === variant)).map((game) => ({ ...game, game: game.id, plies: game.choices.length })) };
  },
};

async function answer({ id, do: command, ...fields }) {
  try {
    if (!COMMANDS[command]) throw new Problem("server", NEEDS_SERVER);
    return { re: id, ok: true, ...(await COMMANDS[command]({ id, ...fields })) };
  } catch (error) {
    return { re: id, ok: false, error: { code: error.code ?? "failed", message: error.message } };
  }
}

// One message after the other.
let turn = Promise.resolve();
otherTabs.onmessage = ({ data: id }) => {
  if (tables.has(id)) turn = turn.then(() => refresh(tables.get(id)).catch(() => {}));
};
onmessage = ({ data }) => {
  if (data.files) data.files.forEach((file) => early.set(file, Promise.withResolvers()));
  else if (data.file) early.get(data.file).resolve(data.content);
  else turn = turn.then(async () => tell(await answer(JSON.parse(data))));
};
