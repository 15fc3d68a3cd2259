// Plays a game of pasgl_env with its rules compiled to WebAssembly: `pasgl wasm VARIANT --out FOLDER`
// writes them, with the description that says where everything is.

const PAGE = 65536;
const STACK = 1 << 18;
const SLOT = 8;
const ARRAYS = {
  int8: Int8Array, uint8: Uint8Array, bool: Uint8Array, int16: Int16Array, uint16: Uint16Array,
  int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array,
  float32: Float32Array, float64: Float64Array,
};
export const NOTHING = -1; // no action
const OVER = -2; // the winner of a game that is not over
export const IMPOSSIBLE = "not a possible position";

/** 64 random bits, for a generator. */
export const randomBits = () => crypto.getRandomValues(new BigUint64Array(1))[0];

/** A variant under the options of its description. */
export class Game {
  /** From the bytes of a module and its description, an object. */
  static async load(module, description) {
    const game = new Game(description);
    const { instance } = await WebAssembly.instantiate(module, game.imports);
    game.functions = instance.exports;
    return game;
  }

  constructor(description) {
    this.description = description;
    this.top = (description.dataEnd + STACK + 15) & ~15;
    this.memory = new WebAssembly.Memory({ initial: Math.ceil(this.top / PAGE) });
    const stack = new WebAssembly.Global({ value: "i32", mutable: true }, this.top);
    this.imports = {
      env: {
        __linear_memory: this.memory, __stack_pointer: stack,
        exp: Math.exp, log: Math.log, tanh: Math.tanh,
        sqrt: Math.sqrt, // an instruction of its own, but for older versions of LLVM
      },
    };
    const { options } = description;
    const content = Uint8Array.from(atob(options.content), (sign) => sign.charCodeAt(0));
    this.options = this.array("record", [1], options.size);
    this.options.bytes.set(content);
  }

  /** An array in the memory of the rules, of zeros. `size` is that of its records in bytes. */
  array(type, shape, size = 0) {
    const item = ARRAYS[type]?.BYTES_PER_ELEMENT ?? size;
    const array = new Shared(this.memory, this.top, type, shape, item);
    this.top = (this.top + item * array.count + 15) & ~15;
    const missing = this.top - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    return array;
  }

  /** An array of states. */
  states(count) {
    return this.array("record", [count], this.description.state.size);
  }

  /** Records that show a position: `action`, `event` or `sprite`. */
  records(kind, count) {
    return this.array("record", [count], this.description.records[kind].size);
  }

  /** The arrays of a tuple, by the names of its fields. */
  block({ size, fields }) {
    const { address } = this.array("uint8", [size]);
    return Object.fromEntries(Object.entries(fields).map(([name, { type, shape, offset, item }]) =>
      [name, new Shared(this.memory, address + offset, type, shape, item)]));
  }

  /** Whether the module has a function: some games have no events, for example. */
  has(name) {
    return name in this.description.functions;
  }

  /**
   * A function of the module with those of the arguments that it has: numbers, arrays, and objects
   * of them for tuples.
   */
  call(name, given = {}) {
    return new Call(this, name, given);
  }
}

/** An array in the memory of the rules: `numbers` and `bytes` show it. */
class Shared {
  constructor(memory, address, type, shape, item) {
    const count = shape.reduce((product, each) => product * each, 1);
    Object.assign(this, { memory, address, type, shape, item, count });
  }

  get bytes() {
    return new Uint8Array(this.memory.buffer, this.address, this.item * this.count);
  }

  get numbers() {
    return new ARRAYS[this.type](this.memory.buffer, this.address, this.count);
  }

  /** One row, such as a game's mask; it shares the memory. */
  row(index) {
    const shape = this.shape.length > 1 ? this.shape.slice(1) : [1];
    const address = this.address + index * this.item * this.count / this.shape[0];
    return new Shared(this.memory, address, this.type, shape, this.item);
  }

  /** The first items in another shape; they share the memory. */
  as(...shape) {
    return new Shared(this.memory, this.address, this.type, shape, this.item);
  }

  /** The memory as an array of bytes. */
  get asBytes() {
    return new Shared(this.memory, this.address, "uint8", [this.item * this.count], 1);
  }

  /** The first records as objects, whose fields `layout` describes. */
  read({ size, fields }, count = this.count) {
    const view = new DataView(this.memory.buffer, this.address, size * this.count);
    return Array.from({ length: count }, (_, row) =>
      Object.fromEntries(Object.entries(fields).map(([name, field]) =>
        [name, readField(view, size * row, field)])));
  }
}

const GETTERS = {
  int8: "getInt8", uint8: "getUint8", int16: "getInt16", uint16: "getUint16", int32: "getInt32",
  uint32: "getUint32", int64: "getBigInt64", uint64: "getBigUint64", float32: "getFloat32",
  float64: "getFloat64",
};

/** A field of a record: a number, or an array of them. */
function readField(view, start, { type, shape, offset }) {
  const at = (index) =>
    Number(view[GETTERS[type]](start + offset + index * ARRAYS[type].BYTES_PER_ELEMENT, true));
  return shape.length ? Array.from({ length: shape[0] }, (_, index) => at(index)) : at(0);
}

/** Write a number of a field. */
function writeField(view, { type, offset }, index, number) {
  const setter = GETTERS[type].replace("get", "set");
  const value = setter.includes("Big") ? BigInt(number) : number;
  view[setter](offset + index * ARRAYS[type].BYTES_PER_ELEMENT, value, true);
}

/** A call of a function of the module, as often as wanted: its arguments stay in place. */
class Call {
  constructor(game, name, given) {
    const { parameters, slots, results } = game.description.functions[name];
    this.name = name;
    this.function = game.functions[name];
    this.memory = game.memory;
    this.frame = game.array("uint8", [SLOT * (slots + results.length)]).address;
    this.results = results;
    this.result = this.frame + SLOT * slots;
    this.slots = new Map();
    let slot = 0;
    for (const [path, type, dimensions] of parameters) {
      const [parameter, ...fields] = path.split(".");
      if (!this.slots.has(parameter)) this.slots.set(parameter, []);
      this.slots.get(parameter).push([this.frame + SLOT * slot, type, fields]);
      slot += dimensions === undefined ? 1 : 5 + 2 * dimensions;
    }
    for (const parameter of this.slots.keys()) {
      if (given[parameter] !== undefined) this.set(parameter, given[parameter]);
    }
  }

  set(parameter, value) {
    for (const [at, type, fields] of this.slots.get(parameter)) {
      this.write(at, type, fields.reduce((whole, field) => whole[field], value));
    }
  }

  write(at, type, value) {
    const view = new DataView(this.memory.buffer);
    if (!(value instanceof Shared)) {
      if (type === "float64") view.setFloat64(at, value, true);
      else view.setBigInt64(at, BigInt(value), true);
      return;
    }
    // Numba's array: two unused pointers, items, their size, the data, the shape and the strides.
    const strides = value.shape.map((_, axis) =>
      value.shape.slice(axis + 1).reduce((product, each) => product * each, value.item));
    [0, 0, value.count, value.item, value.address, ...value.shape, ...strides].forEach(
      (each, place) => view.setBigInt64(at + SLOT * place, BigInt(each), true));
  }

  /** Call the function, with some arguments anew; returns the numbers of its result. */
  run(given = {}) {
    for (const parameter in given) this.set(parameter, given[parameter]);
    const status = this.function(this.frame);
    if (status !== 0 && status !== -2) throw new Error(`${this.name} failed: ${status}`);
    const view = new DataView(this.memory.buffer);
    return this.results.map(([type, offset]) =>
      type === "bool" ? view.getUint8(this.result + offset)
        : Number(view.getBigInt64(this.result + offset, true)));
  }
}

/** A single game, like `pasgl_env.Position`: nothing happens unless it is called. */
export class Position {
  constructor(game) {
    const { actions, observation, outcomes, players, records } = game.description;
    this.game = game;
    const states = game.states(1);
    const options = game.options;
    this.state = states;
    this.actionMask = game.array("uint8", [actions]);
    this.observation = game.array("uint8", observation);
    this.dice = game.array("uint64", [1]);
    this.weights = game.array("int64", [outcomes]);
    this.before = game.states(1);
    const given = {
      states, options, action_mask: this.actionMask, observation: this.observation,
      weights: this.weights, dice: this.dice, before: this.before, after: states,
      actions: game.array("int64", [actions]), mask: game.array("uint8", [actions]),
    };
    const outs = {
      points: game.array("int64", [players]), describe: game.records("action", actions),
      events: records.event && game.records("event", records.event.most),
      scene: records.sprite && game.records("sprite", records.sprite.most),
    };
    this.given = { ...given, outs };
    const names = ["restart", "advance", "observe_one", "outcomes", "first_unplayable", "roll", "edit", "symbol_on"];
    this.calls = Object.fromEntries([...names, ...Object.keys(outs)].filter((name) => game.has(name))
      .map((name) => [name, game.call(name, { ...given, out: outs[name] })]));
    this.restart();
  }

  restart() {
    this.state.bytes.fill(0);
    this.calls.restart.run();
    this.begin();
  }

  begin() {
    this.path = { start: this.state.bytes.slice(), choices: [] };
    this.advance(NOTHING);
  }

  /** Play a legal action, or resolve an outcome of dice. */
  play(action) {
    this.advance(action);
    this.path.choices.push(action);
  }

  advance(action) {
    const [toMove, inTurn, winner, truncated, turns] = this.calls.advance.run({ action });
    Object.assign(this, { toMove, inTurn, truncated, turns, isOver: winner !== OVER });
    this.winner = this.isOver ? winner : null;
  }

  /** Replace the state by the bytes of another one. */
  read(bytes) {
    const before = this.state.bytes.slice();
    this.state.bytes.set(bytes);
    const [fault, isPosition] = this.calls.first_unplayable.run();
    if (fault !== -1 && !isPosition) {
      this.state.bytes.set(before);
      throw new Error(IMPOSSIBLE);
    }
    this.begin();
  }

  /** The same for a state that is known to be possible. */
  set(bytes) {
    this.state.bytes.set(bytes);
    this.begin();
  }

  /** Become another position, by its `path`: the bytes of a state and the choices since. */
  replay({ start, choices }) {
    this.read(start);
    choices.forEach((choice) => this.play(choice));
  }

  /** The legal actions; none at a chance node. */
  get legalActions() {
    const legal = [];
    this.actionMask.bytes.forEach((is, action) => { if (is) legal.push(action); });
    return legal;
  }

  get isChance() {
    return this.calls.outcomes.run()[0] > 0;
  }

  /** Draw an outcome at a chance node, with the generator in `dice`, and resolve it. */
  roll() {
    const [outcome] = this.calls.roll.run();
    this.play(outcome);
    return outcome;
  }

  /** A player's view, of the shape of the description's `observation`. */
  observe(player) {
    this.calls.observe_one.run({ player });
    return this.observation.numbers;
  }

  /** Each player's points. */
  get points() {
    this.calls.points.run();
    return Array.from(this.given.outs.points.numbers, Number);
  }

  /** Legal actions as records `action`: what each does. */
  describe(actions = this.legalActions) {
    const out = this.given.outs.describe;
    out.bytes.fill(255);
    const asked = this.given.actions.as(actions.length);
    asked.numbers.set(actions.map(BigInt));
    this.calls.describe.run({ actions: asked });
    return out.read(this.game.description.records.action, actions.length);
  }

  /** What an action in the state `before`, its bytes, has done to become this one: records `event`. */
  events(before, action) {
    this.before.bytes.set(before);
    const [count] = this.calls.events.run({ action });
    return this.given.outs.events.read(this.game.description.records.event, count);
  }

  /** The numbers at the places of a field that people edit. */
  fieldNumbers({ places }) {
    const [state] = this.state.read(this.game.description.state);
    return places.map(([name, index]) => [state[name]].flat()[index]);
  }

  /** Set them. */
  setField({ places }, numbers) {
    const { bytes } = this.state;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const { fields } = this.game.description.state;
    places.forEach(([name, index], at) => writeField(view, fields[name], index, numbers[at]));
    this.put(NOTHING, NOTHING);
  }

  /**
   * Put a piece on a square, or with `NOTHING` for it empty the square; whether that can be done.
   * The position may be an impossible one then.
   */
  put(square, piece) {
    return Boolean(this.calls.edit.run({ square, piece })[0]);
  }

  /** The pieces on a square as symbols, in the order of position texts. */
  piecesOn(square) {
    const found = [];
    for (let symbol; symbol !== NOTHING; found.push(symbol)) {
      [symbol] = this.calls.symbol_on.run({ square, number: found.length });
    }
    return found.slice(0, -1);
  }

  /** The records `sprite` of a drawing; `rolled`: the last outcome of dice in this turn, or -1. */
  scene(rolled = NOTHING) {
    const [count] = this.calls.scene.run({ rolled });
    return this.given.outs.scene.read(this.game.description.records.sprite, count);
  }
}

/** Many games in lockstep, with automatic reset and dice, like `pasgl_env.Batch`. */
export class Batch {
  /** `generators` and `dice`: for each game the state of a generator, a BigInt. */
  constructor(game, generators, dice) {
    const games = generators.length;
    const { buffers, state } = game.description;
    for (const [name, [type, ...shape]] of Object.entries(buffers)) {
      this[name] = game.array(type in ARRAYS ? type : "record", [games, ...shape], state.size);
    }
    this.options = game.options;
    this.action_bits = game.array("uint8", [0, ...buffers.action_bits.slice(1)]);
    this.stepped = game.array("int64", [1 + games]);
    this.truncates_for.numbers.fill(-1);
    this.drawn.numbers.fill(-1n);
    this.games = game.array("int64", [games]);
    this.games.numbers.forEach((_, each, all) => { all[each] = BigInt(each); });
    this.actions = game.array("int64", [games]);
    const all = { arrays: this, games: this.games, first: 0, last: games };
    this.calls = {
      step: game.call("step", { ...all, actions: this.actions, by_points: 0 }),
      sample: game.call("sample", { ...this, first: 0, last: games }),
    };
    const records = game.states(1);
    game.call("restart", { states: records, options: game.options }).run();
    const seeds = { dice: game.array("uint64", [games]), generators: game.array("uint64", [games]) };
    seeds.dice.numbers.set(dice);
    seeds.generators.numbers.set(generators);
    game.call("place", { ...all, ...seeds, records }).run();
  }

  /** Draw a legal action for each game, into `actions`. */
  sample() {
    this.calls.sample.run();
  }

  /** Play the `actions`, which must be legal. */
  step() {
    this.calls.step.run();
  }
}
