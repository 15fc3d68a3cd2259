// What a module does, for comparison with Python: a copy beside it runs in Node and in browsers.
import { Batch, Game, Position } from "./glue.js";
import { makePlayer, readNetwork } from "./players.js";

const { process } = globalThis;
const SHOWN = ["states", "action_mask", "observation", "to_move", "reward", "terminated", "truncated", "dice"];

async function read(name) {
  const url = new URL(name, import.meta.url);
  const content = process ? await (await import("node:fs/promises")).readFile(url)
    : await (await fetch(url)).arrayBuffer();
  return new Uint8Array(content);
}

async function load(variant) {
  const description = JSON.parse(new TextDecoder().decode(await read(`${variant}.json`)));
  return Game.load(await read(description.module), description);
}

/** The SHA-256 of an earlier one and what follows. */
async function hashed(before, ...parts) {
  const bytes = await new Blob([before, ...parts]).arrayBuffer();
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

const hex = (bytes) => Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");

/** Random actions in a batch. */
async function playBatch(game, steps, generators, dice) {
  const batch = new Batch(game, generators.split(",").map(BigInt), dice.split(",").map(BigInt));
  let digest = new Uint8Array();
  for (let step = 0; step < Number(steps); step += 1) {
    digest = await hashed(digest, ...SHOWN.map((name) => batch[name].bytes));
    batch.sample();
    batch.step();
  }
  return hex(digest);
}

/** The last legal action each time, in a single game. */
async function playOne(game, dice) {
  const position = new Position(game);
  position.dice.numbers[0] = BigInt(dice);
  let digest = new Uint8Array();
  for (let number = 0; number < 200 && !position.isOver; number += 1) {
    const shown = [];
    if (position.isChance) position.roll();
    else {
      const before = position.state.bytes.slice();
      const action = position.legalActions.at(-1);
      if (game.has("describe")) shown.push(position.describe());
      position.play(action);
      if (game.has("events")) shown.push(position.events(before, action));
    }
    if (game.has("scene")) shown.push(position.scene());
    const { isOver, toMove, points } = position;
    const about = JSON.stringify([isOver ? null : toMove, points, ...shown]);
    digest = await hashed(digest, position.state.bytes, position.actionMask.bytes, position.observe(0), about);
  }
  return [hex(digest), position];
}

export async function play(variant, steps, generators, dice) {
  const game = await load(variant);
  const batch = await playBatch(game, steps, generators, dice);
  const [one, position] = await playOne(game, dice.split(",")[0]);
  const again = new Position(game);
  again.replay(position.path);
  const isReplayed = `${again.state.bytes}` === `${position.state.bytes}`;
  let message = "";
  try {
    position.read(new Uint8Array(game.description.state.size).fill(255));
  } catch (error) { message = error.message; }
  return { batch, position: one, isReplayed, message };
}

/** What a player finds in each of the states of a file. */
export async function choose(variant, name, generator, file) {
  const game = await load(variant);
  const { state, values } = game.description;
  const network = values && readNetwork(game, (await read(values.file)).buffer);
  const player = makePlayer(name, game, network, BigInt(generator));
  const position = new Position(game);
  const states = await read(file);
  return Array.from({ length: states.length / state.size }, (_, number) => {
    position.read(states.subarray(number * state.size, (number + 1) * state.size));
    return player.choose(position);
  });
}

if (process) {
  const [name, ...given] = process.argv.slice(2);
  console.log(JSON.stringify(await { play, choose }[name](...given)));
}
