// The server of a static page, in a worker: it answers the messages of docs/web_protocol.md by the
// rules compiled to WebAssembly.
import { attempt, Line, Rules } from "./game.js";
import { randomBits } from "./players.js";

const HERE = new URL(".", import.meta.url);
const PERSON = "person";
const RECENT = 50;
const NEEDS_SERVER = "This needs a server: start pasgl serve on your own machine";
const HINT_SECONDS = 1;
const LONGEST_LINE = 6;
const MOST_VISITS = 1_000_000;
const PAUSE = 10; // milliseconds in which a search lets messages in
const SLOWEST = 60; // seconds between turns, at most

class Problem extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const dataOf = kept(async (file) => (await read(file)).json());
const rulesNamed = kept((name) => Rules.load(name, read));
const catalogue = () => dataOf("catalogue.json");

// A file, which is kept for offline.js: that may begin later.
async function read(file) {
  const address = new URL(file, HERE);
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${file} is missing`);
  await (await self.caches?.open("pasgl"))?.put(address, answer.clone());
  return answer;
}

// The rules of a variant under options, which are those of lessons or none.
async function rulesOf(variant, options = {}) {
  const key = JSON.stringify(Object.fromEntries(Object.entries(options).sort()));
  const name = (await catalogue()).rules[variant]?.[key];
  if (!name) throw new Problem("server", NEEDS_SERVER);
  return rulesNamed(name);
}

// Judge a learner's actions in a step of a lesson or a puzzle: the line of play, and the verdict.
async function attempted({ variant, step, puzzle, labels = [] }) {
  const { steps } = await dataOf(`${variant}.${puzzle === undefined ? "lesson" : "puzzles"}.json`);
  const task = puzzle === undefined ? steps[step] : steps.find(({ text }) => text === puzzle);
  const { scratch } = await rulesOf(task.variant, task.options);
  const bytes = whole(task.runs, scratch.rules.game.description.state.size);
  return { line: scratch, ...attempt(scratch, { ...task, bytes }, labels) };
}

// The line of play that a message names: in a game, or in a task.
async function shown({ game, ply, labels = [], ...fields }, which = "scratch") {
  if (!game) return (await attempted({ labels, ...fields })).line;
  const { line, rules } = await tableOf(game);
  rules[which].start(line.choices.slice(0, ply));
  labels.forEach((label) => rules[which].play(label));
  return rules[which];
}

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

// A function that remembers its results.
function kept(make) {
  const known = new Map();
  return (key) => {
    if (!known.has(key)) known.set(key, make(key));
    return known.get(key);
  };
}

/** The games that were played in this browser. */
class Store {
  #opened = new Promise((resolve, reject) => {
    const asked = indexedDB.open("pasgl", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("games", { keyPath: "id" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

  async #ask(mode, command, ...given) {
    const asked = (await this.#opened).transaction("games", mode).objectStore("games")[command](...given);
    return new Promise((resolve, reject) => {
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    });
  }

  find(id) {
    return this.#ask("readonly", "get", id);
  }

  put(game) {
    return this.#ask("readwrite", "put", game);
  }

  async recent() {
    const all = await this.#ask("readonly", "getAll");
    return all.sort((one, other) => other.created - one.created).slice(0, RECENT);
  }
}

/** A game with its seats. */
class Table {
  isWatched = false;
  isThinking = false;
  #players = new Map();

  constructor(saved, rules) {
    this.saved = saved;
    this.rules = rules;
    this.line = new Line(rules);
    this.line.start(saved.choices, BigInt(saved.dice));
    this.#roll();
  }

  get ply() {
    return this.line.choices.length;
  }

  get people() {
    return this.saved.seats.flatMap(({ player }, seat) => (player === PERSON ? [seat] : []));
  }

  get isOver() {
    const { isOver, truncated } = this.line.last;
    return isOver || truncated || this.saved.resigned !== null;
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
    while (this.line.last.isChance && !this.line.last.truncated) this.line.step();
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
    if (last < 0 || this.saved.resigned !== null) return -1;
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
    if (this.isOver || this.saved.paused) return null;
    const { player } = this.saved.seats[this.line.last.toMove];
    return player === PERSON ? null : player;
  }

  async choose(name) {
    if (!this.#players.has(name)) this.#players.set(name, await this.rules.player(name));
    const player = this.#players.get(name);
    player.follow?.(this.line.position);
    return player.choose(this.line.position);
  }

  view() {
    const { saved, line, people } = this;
    const { last } = line;
    const seen = line.see();
    const you = people;
    const isMine = !this.isOver && you.includes(last.toMove);
    const { teams } = this.rules.game.description;
    const told = new Set(you.map((seat) => teams[seat])).size === 1 ? you : [];
    const { seats, whyPass } = this.rules.words;
    const forfeited = saved.resigned !== null;
    const won = (seat) => (teams[seat] === teams[saved.resigned] ? -1 : 1);
    return {
      ...seen,
      game: saved.id,
      ply: this.ply,
      to_move: this.isOver ? null : last.toMove,
      turn_limit: this.rules.game.description.options.values.turn_limit,
      events: line.told(told),
      legal: isMine ? seen.legal : [],
      only_pass: isMine && seen.legal.length === 1 && seen.legal[0][2] === "pass" ? whyPass : "",
      over: this.isOver,
      ending: forfeited ? `${seats[saved.resigned]} resigned.` : seen.ending || (last.truncated ? this.#cutOff() : ""),
      returns: forfeited ? seats.map((_, seat) => won(seat)) : seen.returns,
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
    const limit = this.rules.game.description.options.values.turn_limit;
    if (limit && turns >= limit) return `Cut off at the turn limit, ${limit}, a limit of this suite and not a rule of the game.`;
    return `Cut off after ${turns} turns: there is no room for a longer history.`;
  }

  get about() {
    const { variant, seats } = this.saved;
    const { teams } = this.rules.game.description;
    return {
      variant, teams, options: {}, changed_options: {}, kind: "played", turn_time: null, tags: {}, date: null, comments: {}, start: null,
      seats: seats.map((who, seat) => ({ seat: this.rules.words.seats[seat], ...who })),
    };
  }
}

const store = new Store();
const tables = new Map();

const tell = (message) => postMessage(JSON.stringify(message));

async function tableOf(id) {
  if (!tables.has(id)) {
    const saved = await store.find(id);
    if (!saved) throw new Problem("unknown", "this game is not in this browser");
    tables.set(id, new Table(saved, await rulesOf(saved.variant)));
  }
  return tables.get(id);
}

// Keep a change, tell the page, and let a program think.
async function changed(table) {
  await store.put(table.saved);
  if (table.isWatched) tell({ event: "state", ...table.view() });
  think(table).catch((error) => tell({ event: "notice", game: table.saved.id, message: `the program cannot play: ${error.message}` }));
  return { ply: table.ply };
}

async function think(table) {
  const name = table.program;
  if (name === null || table.isThinking || !table.isWatched) return;
  table.isThinking = true;
  const { ply } = table;
  try {
    const { last } = table.line;
    const wait = table.people.length || last.inTurn ? 0 : table.saved.pace;
    await new Promise((resolve) => setTimeout(resolve, 1000 * wait));
    const { action } = await table.choose(name);
    if (table.ply === ply && table.program === name && table.isWatched) table.step(action);
  } finally {
    table.isThinking = false;
  }
  await changed(table);
}

// Searches that go on, by their commands: the last one of each.
const searches = new Map();

// Search a position, again and again while told to, and tell the page what is found.
async function search(command, event, { id, ...fields }, seconds, told) {
  const line = await shown(fields, "searched");
  if (line.last.isOver || line.last.isChance) throw new Problem("over", "there is nothing to choose in this position");
  const player = await line.rules.player(`search:${seconds}s`);
  player.follow(line.position);
  const asking = line.moments.at(-1 - (fields.labels ?? []).length).toMove; // who has played the labels
  searches.set(command, id);
  const goOn = () => {
    if (searches.get(command) !== id) return;
    const found = player.choose(line.position);
    const isEnough = found.candidates.length < 2 || found.candidates[0].visits > MOST_VISITS;
    tell({ event, of: id, ...told(line, found, asking) });
    if (command === "analyse" && !isEnough) setTimeout(goOn, PAUSE);
    else tell({ event, of: id, done: true });
  };
  setTimeout(goOn);
  return {};
}

// What a search has found: all candidates, and the line of play that it expects.
function analysis({ rules, position, last }, { candidates, expected }) {
  const { teams, values } = rules.game.description;
  const records = position.describe(candidates.map(({ action }) => action));
  const lines = candidates.map(({ visits, value }, number) => ({ ...rules.words.action(records[number]), visits, value: value ?? 0 }));
  rules.scratch.start([], 0n, position.state.bytes);
  expected.forEach((choice) => rules.scratch.step(choice));
  return {
    lines,
    visits: lines.reduce((sum, { visits }) => sum + visits, 0),
    value: lines[0].value,
    expected: rules.scratch.moments.slice(1).map(({ label }) => label),
    basis: values.calibration ? "calibrated" : "uncalibrated",
    side: teams[last.toMove] === teams[0] ? 1 : -1,
  };
}

// A good action, and what happens if all play well.
function hint({ rules, position }, { action, candidates, expected }, asking) {
  const { scratch, words } = rules;
  scratch.start([], 0n, position.state.bytes);
  (expected[0] === action ? expected : [action]).slice(0, LONGEST_LINE).forEach((choice) => scratch.step(choice));
  const [, ...moments] = scratch.moments;
  const { piece, origin, target } = moments[0].action;
  const line = moments.map(({ seat, label, action: made, events }) => ({ seat, label, words: made.words, events: words.told(events, [asking]) }));
  return { piece, origin, target, line, value: candidates[0].value ?? 0 };
}

const COMMANDS = {
  hello: async () => ({ version: 3, link: new URL("..", HERE).href, embedding: false, ...(await catalogue()) }),

  board: async ({ variant, options, theme }) => (await rulesOf(variant, options)).board(theme),

  async new({ variant, options, seats, from, ply, choices = "", pace = 1 }) {
    const before = from ? await tableOf(from) : null;
    const rules = await rulesOf(before?.saved.variant ?? variant, before ? {} : options);
    const { levelPlayers } = await catalogue();
    rules.scratch.start([]);
    rules.scratch.follow(readChoices(choices));
    const saved = {
      id: randomBits().toString(36),
      variant: rules.game.description.variant,
      seats: seats.map(({ player = PERSON, level, name }) => (level ? { player: levelPlayers[rules.game.description.variant][level], name: level } : { player, name: name || null })),
      choices: before ? before.line.choices.slice(0, ply) : rules.scratch.choices,
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
    const { line, saved } = await tableOf(game);
    return { part: `#/from/${saved.variant}/${written(line.choices.slice(0, ply))}` };
  },

  async watch({ game }) {
    const table = await tableOf(game);
    table.isWatched = true;
    await changed(table); // before the answer, as a server does
    tell({ event: "present", game, seats: table.people, open: [], names: table.about.seats.map(({ name }) => name) });
    return { game, wrong_secrets: [], ...table.about };
  },

  async leave({ game }) {
    (await tableOf(game)).isWatched = false;
    return {};
  },

  async play({ game, label, ply = null }) {
    const table = await tableOf(game);
    if (ply !== null && ply !== table.ply) throw new Problem("late", "the game has moved on in the meantime");
    table.play(label);
    return changed(table);
  },

  async undo({ game }) {
    const table = await tableOf(game);
    table.undo();
    return changed(table);
  },

  async take_back({ game }) {
    const table = await tableOf(game);
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

  analyse: ({ every = 0.2, ...fields }) => search("analyse", "analysis", fields, every, analysis),

  hint: (fields) => search("hint", "hint", fields, HINT_SECONDS, hint),

  async stop({ what = "analyse" }) {
    searches.delete(what);
    return {};
  },

  lesson: async ({ variant }) => ({ steps: (await dataOf(`${variant}.lesson.json`)).steps.map(({ shown }) => shown) }),

  puzzles: () => dataOf("puzzles.json"),

  async attempt(fields) {
    if (fields.game) throw new Problem("server", NEEDS_SERVER);
    const { line, ...judged } = await attempted(fields);
    return judged;
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
onmessage = ({ data }) => {
  turn = turn.then(async () => tell(await answer(JSON.parse(data))));
};
postMessage(null); // ready
