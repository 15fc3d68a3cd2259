// Plays random actions in the batch of a module, and prints what a Batch of Python is to equal.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, variant, steps, generators, dice] = process.argv.slice(2);
const { Batch, Game, Position } = await import(pathToFileURL(`${folder}/glue.js`));
const description = JSON.parse(readFileSync(`${folder}/${variant}.json`));
const game = await Game.load(readFileSync(`${folder}/${description.module}`), description);
const batch = new Batch(game, generators.split(",").map(BigInt), dice.split(",").map(BigInt));
const shown = ["states", "action_mask", "observation", "to_move", "reward", "terminated", "truncated", "dice"];
const digest = createHash("sha256");
let seconds = 0;
for (let step = 0; step < Number(steps); step += 1) {
  for (const name of shown) digest.update(batch[name].bytes);
  const begun = performance.now();
  batch.sample();
  batch.step();
  seconds += (performance.now() - begun) / 1000;
}
const single = new Position(game);
single.dice.numbers[0] = BigInt(dice.split(",")[0]);
const one = createHash("sha256");
for (let action = 0; action < 200 && !single.isOver; action += 1) {
  const shown = [];
  if (single.isChance) single.roll();
  else {
    const before = single.state.bytes.slice();
    const action = single.legalActions.at(-1);
    if (game.has("describe")) shown.push(single.describe());
    single.play(action);
    if (game.has("events")) shown.push(single.events(before, action));
  }
  if (game.has("scene")) shown.push(single.scene());
  for (const part of [single.state, single.actionMask]) one.update(part.bytes);
  one.update(single.observe(0));
  one.update(JSON.stringify([single.isOver ? null : single.toMove, single.points, ...shown]));
}
const again = new Position(game);
again.replay(single.path);
const isReplayed = Buffer.compare(again.state.bytes, single.state.bytes) === 0;
const faulty = new Uint8Array(description.state.size).fill(255);
let message = "";
try { single.read(faulty); } catch (error) { message = error.message; }
console.log(JSON.stringify({
  batch: digest.digest("hex"), position: one.digest("hex"), isReplayed, message, seconds,
}));
