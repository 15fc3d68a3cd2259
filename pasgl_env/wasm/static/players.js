// The players of pasgl_env, with the rules of a module: each chooses as the one in Python does that
// has the same generator.
import { NOTHING, Position, randomBits } from "./glue.js";

const { min, max } = Math;

/** What players have in common: a generator, and memory for the action that they choose. */
class Player {
  constructor(game, generator = randomBits()) {
    this.game = game;
    this.generators = game.array("uint64", [1]);
    this.generators.numbers[0] = generator;
    this.actions = game.array("int64", [1]);
  }

  get action() {
    return Number(this.actions.numbers[0]);
  }
}

/** Plays uniformly random legal actions. */
export class Random extends Player {
  constructor(game, { generator } = {}) {
    super(game, generator);
    const { generators, actions } = this;
    const { action_mask: mask, legal_count: legal, drawn } = game.description.buffers;
    this.mask = game.array(mask[0], [1, ...mask.slice(1)]);
    this.legalCount = game.array(legal[0], [1]);
    this.drawn = game.array(drawn[0], [1]);
    this.sample = game.call("sample", {
      first: 0, last: 1, action_mask: this.mask, legal_count: this.legalCount, generators,
      drawn: this.drawn, actions,
    });
  }

  choose(position) {
    this.mask.bytes.set(position.actionMask.bytes);
    this.legalCount.numbers[0] = position.legalActions.length;
    this.drawn.numbers[0] = BigInt(NOTHING);
    this.sample.run();
    return { action: this.action };
  }
}

/** Plays the action that leads to the best state by the game's own evaluation. */
export class Greedy extends Player {
  constructor(game, { generator } = {}) {
    super(game, generator);
    const { actions } = game.description;
    this.call = game.call("choose_best", {
      options: game.options, trial: game.states(2), trial_masks: game.array("uint8", [2, actions]),
      values: game.array("float64", [actions]), best: game.array("uint8", [actions]),
      generators: this.generators, actions: this.actions,
    });
  }

  choose(position) {
    this.call.run({ states: position.state, action_mask: rows(position.actionMask) });
    return { action: this.action };
  }
}

const rows = (mask) => mask.as(1, mask.count);

/** Learned values, from the bytes of their file. */
export function readNetwork(game, bytes) {
  const view = new DataView(bytes);
  const start = 8 + Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, start - 8)));
  const network = game.block(game.description.values.network);
  for (const name in network) {
    const { shape, data_offsets: [first, last] } = header[name];
    if (`${shape}` !== `${network[name].shape}`) throw new Error("values of other rules");
    network[name].numbers.set(floats(new Uint16Array(bytes.slice(start + first, start + last))));
  }
  return network;
}

/** Numbers of 16 bits as others: a bit for the sign, 5 for the exponent, 10 for the fraction. */
function floats(halves) {
  const known = new Float32Array(1 << 16);
  for (let half = 0; half < 1 << 15; half += 1) {
    const exponent = half >> 10;
    const fraction = half & 1023;
    known[half] = exponent ? (1024 + fraction) * 2 ** (exponent - 25) : fraction * 2 ** -24;
    known[half | 1 << 15] = -known[half];
  }
  return Float32Array.from(halves, (half) => known[half]);
}

/** What players with learned values have in common: they remember their game. */
class Learned extends Player {
  constructor(game, network, generator) {
    super(game, generator);
    const { memory, moves, remembers, scratch } = game.description.values;
    this.remembers = remembers;
    this.memory = game.block(memory);
    this.scratch = game.block(scratch);
    this.given = {
      options: game.options, network, scratch: this.scratch, memory: this.memory, game: 0,
      games: game.array("int64", [1]), generators: this.generators, actions: this.actions,
    };
    this.retrace = game.call("retrace", this.given);
    this.choices = game.array("int64", [moves]);
    this.replayed = game.states(1);
  }

  /** Forget the game that was played before, if this one is not its continuation. */
  remember({ turns }) {
    if (!this.remembers) return;
    if (turns < this.memory.turns.numbers[0]) this.forget();
    this.memory.turns.numbers[0] = BigInt(turns);
  }

  forget() {
    for (const name of ["counts", "quiet", "last"]) this.memory[name].bytes.fill(0);
  }

  /** Replace what the player remembers by the history of a position. */
  follow({ path: { start, choices }, toMove, turns }) {
    this.forget();
    if (!this.remembers) return;
    this.memory.turns.numbers[0] = BigInt(turns);
    this.replayed.bytes.set(start);
    for (let first = 0; first < choices.length; first += this.choices.count) {
      const part = choices.slice(first, first + this.choices.count);
      this.choices.numbers.set(part.map(BigInt));
      const given = { states: this.replayed, choices: this.choices.as(part.length) };
      this.retrace.run({ ...given, player: toMove });
    }
  }
}

/** Plays the action with the best learned value, or draws one by its value. */
export class Td extends Learned {
  constructor(game, network, { temperature = 0, generator } = {}) {
    super(game, network, generator);
    this.call = game.call("choose_all", { ...this.given, temperature });
  }

  choose(position) {
    this.remember(position);
    this.call.run({ states: position.state, action_mask: rows(position.actionMask) });
    return { action: this.action };
  }
}

/**
 * Searches a tree with learned values. It goes on with the tree of its last choice where it can: an
 * analysis calls `choose` for the same position again and again.
 */
export class Search extends Learned {
  constructor(game, network, { simulations, seconds, exploration, ahead, generator } = {}) {
    super(game, network, generator);
    const settings = game.description.values.search;
    this.settings = settings;
    this.budget = { simulations: seconds ? Infinity : simulations ?? 400, seconds };
    this.most = min(settings.slice, this.budget.simulations);
    this.selection = { exploration: exploration ?? settings.exploration, prior_visits: 1 };
    this.walk = game.block(settings.walk);
    this.walk.teams.numbers.fill(BigInt(NOTHING));
    this.nodes = this.room(settings.firstRoom);
    this.spare = this.room(settings.firstRoom);
    this.tree = {
      nodes: this.nodes, used: game.array("int64", [1]), state: game.states(1),
      allowed: game.array("uint8", [game.description.actions]),
    };
    this.isGrown = false;
    this.seeds = game.array("uint64", [1]);
    const { options, generators, games } = this.given;
    const lookahead = { turns: ahead ?? settings.ahead, network };
    const { selection, seeds, tree, walk } = this;
    this.calls = {
      recall: game.call("recall_all", this.given),
      note: game.call("note_all", this.given),
      begin: game.call("begin_search", { ...this.given, allowed: tree.allowed }),
      find: game.call("find_state", { options, finder: game.block(settings.finder) }),
      copy: game.call("copy_below"),
      draw: game.call("draw_seeds", { generators, rows: games, seeds }),
      simulate: game.call("simulate", {
        ...this.given, selection, lookahead, walk, tree, generator: seeds,
      }),
    };
  }

  /** Memory for a number of nodes. */
  room(count) {
    return this.game.array("record", [count], this.settings.node.size);
  }

  /**
   * The action, all candidates with their visits and values for the player to act, from -1 to 1, the
   * most visited first, and the actions that the search expects, up to the next roll.
   */
  choose(position) {
    const { state } = position;
    const legal = position.legalActions;
    this.remember(position);
    if (this.remembers) this.calls.recall.run({ states: state });
    let found = { action: legal[0], candidates: [{ action: legal[0], visits: 0, value: null }] };
    if (legal.length > 1) {
      this.calls.draw.run();
      this.root(position);
      this.grow(2 * this.most * (legal.length + this.game.description.outcomes));
      found = this.result(legal);
    }
    this.actions.numbers[0] = BigInt(found.action);
    if (this.remembers) this.calls.note.run({ states: state });
    return { ...found, expected: legal.length > 1 ? this.expected(position) : [] };
  }

  /** Let the tree begin at a position: with what an earlier search has found there, if anything. */
  root({ actionMask, state }) {
    const { tree } = this;
    const { allowed } = tree;
    allowed.bytes.set(actionMask.bytes);
    if (this.remembers) this.calls.begin.run({ states: state });
    const target = { target: state, target_bytes: state.asBytes };
    const [node] = this.isGrown ? this.calls.find.run({ tree, ...target }) : [NOTHING];
    this.isGrown = true;
    if (node >= 0) this.moveTo(node);
    tree.state.bytes.set(state.bytes);
    const left = allowed.bytes.reduce((sum, each) => sum + each, 0);
    const { children } = this.node(0);
    if (node >= 0 && (children === 0 || children === left)) return;
    tree.nodes = this.nodes.as(this.settings.firstRoom);
    tree.nodes.as(1).bytes.fill(0);
    tree.used.numbers[0] = 1n;
  }

  /** Keep only what is below a node, and of its children those that are allowed. */
  moveTo(node) {
    const { tree } = this;
    const count = tree.nodes.count;
    if (this.spare.count < count) this.spare = this.room(count);
    const copies = this.spare.as(count);
    const [used] = this.calls.copy.run({ nodes: tree.nodes, root: node, copies });
    tree.used.numbers[0] = BigInt(used);
    [this.nodes, this.spare, tree.nodes] = [this.spare, this.nodes, copies];
    const { first, children } = this.node(0);
    const size = this.settings.node.size;
    const bytes = tree.nodes.bytes;
    let kept = first;
    for (let child = first; child < first + children; child += 1) {
      if (!tree.allowed.bytes[this.node(child).choice]) continue;
      bytes.copyWithin(kept * size, child * size, (child + 1) * size);
      kept += 1;
    }
    const root = new DataView(bytes.buffer, bytes.byteOffset, size);
    root.setInt32(this.settings.node.fields.children.offset, kept - first, true);
  }

  /** Simulate until the budget is used up; `slack`: the room that a slice may take. */
  grow(slack) {
    const { tree, budget, settings } = this;
    const begun = performance.now();
    let [done, most, now] = [0, 1, begun];
    for (;;) {
      const isLate = budget.seconds && done > 0 && now - begun >= 1000 * budget.seconds;
      const simulations = isLate ? 0 : min(most, budget.simulations - done);
      if (simulations === 0) return;
      this.makeRoom(min(Number(tree.used.numbers[0]) + slack, settings.mostNodes));
      done += this.calls.simulate.run({ tree, simulations })[0];
      const before = now;
      now = performance.now();
      const isFast = 2 * (now - before) < 1000 * settings.sliceSeconds;
      most = isFast ? min(settings.slice, 2 * most) : max(1, most >> 1);
    }
  }

  makeRoom(count) {
    const { tree } = this;
    if (count <= tree.nodes.count) return;
    const wanted = max(count, 2 * tree.nodes.count);
    const { nodes } = this;
    if (nodes.count < wanted) {
      this.nodes = this.room(wanted);
      this.nodes.bytes.set(nodes.bytes);
      if (nodes.count > this.spare.count) this.spare = nodes;
    }
    tree.nodes = this.nodes.as(wanted);
  }

  node(index) {
    return this.tree.nodes.row(index).read(this.settings.node)[0];
  }

  children(index) {
    const { first, children } = this.node(index);
    return Array.from({ length: children }, (_, number) => ({
      index: first + number, ...this.node(first + number),
    }));
  }

  result(legal) {
    const { isMinimax } = this.settings;
    const { calibration } = this.game.description.values;
    const worth = ({ best, prior, total, visits }) =>
      isMinimax ? best : (total + prior) / (visits + 1);
    const children = this.children(0);
    const chosen = children.reduce((best, each) => isBetter(best, each) ? best : each);
    const candidates = children.map((child) => ({
      action: child.choice, visits: child.visits, value: calibrated(worth(child), calibration),
    }));
    const known = new Set(children.map(({ choice }) => choice));
    for (const action of legal) { // those that repeat a position are not searched
      if (!known.has(action)) candidates.push({ action, visits: 0, value: null });
    }
    candidates.sort((one, other) => other.visits - one.visits || other.value - one.value);
    return { action: chosen.choice, candidates };
  }

  expected(position) {
    const line = [];
    this.after ??= new Position(position.game);
    this.after.set(this.tree.state.bytes);
    for (let node = 0; !this.after.isChance;) {
      const children = this.children(node);
      if (!children.some(({ visits }) => visits)) break;
      const best = children.reduce((most, each) => each.visits > most.visits ? each : most);
      node = best.index;
      line.push(best.choice);
      this.after.play(best.choice);
    }
    return line;
  }
}

/** Whether a child of the root is chosen rather than another one that comes after it. */
function isBetter(one, other) {
  const difference = one.visits - other.visits || one.total - other.total || one.prior - other.prior;
  return difference > 0;
}

/** A value as the result that strong players get. */
function calibrated(value, calibration) {
  if (!calibration || !(Math.abs(value) < 1 - 1e-12)) return value;
  const [scale, power, most] = calibration.search;
  const size = most * Math.tanh(0.5 * scale * Math.abs(2 * Math.atanh(value)) ** power);
  return value > 0 ? size : -size;
}

const PLAYERS = { random: Random, greedy: Greedy, td: Td, search: Search };

/**
 * A player by its name in Python, such as `td:temperature=0.1`, `search:400` or `search:100ms`;
 * `network` is for those with learned values, `generator` the state of its generator, a BigInt.
 */
export function makePlayer(name, game, network, generator = randomBits()) {
  const [kind, ...settings] = name.split(":");
  const Made = PLAYERS[kind];
  if (!Made) throw new Error(`no player ${name}`);
  const options = { generator };
  for (const setting of settings) {
    const [, time, milli] = setting.match(/^([0-9.]+)(m?)s$/) ?? [];
    const [option, value] = setting.split("=");
    if (time) options.seconds = time / (milli ? 1000 : 1);
    else if (value) options[option] = Number(value);
    else options.simulations = Number(setting);
  }
  return Made.prototype instanceof Learned ? new Made(game, network, options)
    : new Made(game, options);
}
