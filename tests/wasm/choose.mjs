// Asks a player for an action in each of the states of a file, and prints what it found.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, variant, name, generator, file] = process.argv.slice(2);
const { Game, Position } = await import(pathToFileURL(`${folder}/glue.js`));
const { makePlayer, readNetwork } = await import(pathToFileURL(`${folder}/players.js`));
const description = JSON.parse(readFileSync(`${folder}/${variant}.json`));
const game = await Game.load(readFileSync(`${folder}/${description.module}`), description);
const read = (path) => new Uint8Array(readFileSync(path));
const { values, state } = description;
const network = values && readNetwork(game, read(`${folder}/${values.file}`).buffer);
const player = makePlayer(name, game, network, BigInt(generator));
const position = new Position(game);
const states = read(file);
const found = [];
for (let at = 0; at < states.length; at += state.size) {
  position.read(states.subarray(at, at + state.size));
  found.push(player.choose(position));
}
console.log(JSON.stringify(found));
