// Reads files of records in text, and prints their games, or what is wrong with them, and how they are written again.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2);
const { Rules } = await import(pathToFileURL(`${folder}/game.js`));
const { Game } = await import(pathToFileURL(`${folder}/glue.js`));
const { decoded, playedGame, settingsOf, textGames, textOf } = await import(pathToFileURL(`${folder}/text_records.js`));
const read = (name) => JSON.parse(readFileSync(`${folder}/${name}`));
const game = await Game.load(readFileSync(`${folder}/rules.wasm`), read("rules.json"));
const rules = new Rules(game, read("words.json"));
rules.turnLimit = game.description.options.values.turn_limit;
const { variant } = game.description;
const { known, usual, texts } = read(file.slice(folder.length + 1));

function told({ error, tags, words }) {
  try {
    if (error) throw error;
    const options = settingsOf(tags, known);
    const isOther = tags.get("Variant").value !== variant || JSON.stringify(options) !== JSON.stringify(usual);
    if (isOther) throw Object.assign(new Error("of other rules"), { line: tags.get("Variant").line });
    const { start, ...played } = playedGame(tags, words, rules);
    const line = rules.line("written");
    line.start(played.choices, 0n, start);
    const again = textOf(line, { ...played, variant, options, start: start && rules.textOf(start) });
    return { choices: played.choices, again };
  } catch ({ line, message }) {
    return { line: line ?? null, message };
  }
}

console.log(JSON.stringify(texts.map((text) => [...textGames(decoded(Buffer.from(text)))].map(told))));
