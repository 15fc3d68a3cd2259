// Plays endings, and prints what a learner is told.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2);
const module = (name) => import(pathToFileURL(`${folder}/${name}`));
const [{ Rules }, { Game }, { playOut }] = await Promise.all(["game.js", "glue.js", "endings.js"].map(module));
const read = (name) => JSON.parse(readFileSync(`${folder}/${name}`));
const game = await Game.load(readFileSync(`${folder}/rules.wasm`), read("rules.json"));
const rules = new Rules(game, read("words.json"));
const { text, tries, ...known } = JSON.parse(readFileSync(file));
const told = tries.map((labels) => {
  const { positions, ...rest } = playOut(rules.line("look"), { ...known, bytes: rules.bytesOf(text) }, labels);
  return { ...rest, seen: positions.map((each) => [each.turn, each.labels, each.to_move]) };
});
console.log(JSON.stringify(told));
