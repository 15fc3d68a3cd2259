// Plays the choices of games, and prints where what is seen differs from what is expected.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2);
const { Line, Rules } = await import(pathToFileURL(`${folder}/game.js`));
const { Game } = await import(pathToFileURL(`${folder}/glue.js`));
const read = (name) => JSON.parse(readFileSync(`${folder}/${name}`));
const game = await Game.load(readFileSync(`${folder}/rules.wasm`), read("rules.json"));
const rules = new Rules(game, read("words.json"));
const line = new Line(rules);

// Plain and in order, as JSON.
const plain = (value) => JSON.stringify(value, (_, each) =>
  each && !Array.isArray(each) && typeof each === "object" ? Object.fromEntries(Object.entries(each).sort()) : each);
const seen = (ply) => {
  const all = line.see(ply);
  const text = rules.textOf(line.moments[ply ?? line.choices.length].bytes);
  all.text = text.includes(" ") ? text : null;
  const { drawing } = all;
  for (const name of ["last", "targets"]) drawing[name] = [...new Set(drawing[name])].sort();
  return all;
};

let [count, wrong] = [0, []];
const edited = (changes) => {
  try {
    const bytes = rules.edited(line.last.bytes, changes);
    line.start([], 0n, bytes);
    return { ...seen(), fields: rules.fields(bytes) };
  } catch {
    return null;
  }
};
const readText = (text) => {
  try {
    return [...rules.bytesOf(text)];
  } catch {
    return null;
  }
};

for (const { choices, expected, edits, dangers, texts } of JSON.parse(readFileSync(file))) {
  for (const [changes, whole] of edits) {
    count += 1;
    line.start(choices);
    const made = edited(changes);
    const names = made && whole ? Object.keys(whole) : [];
    if (!made !== !whole) wrong.push(["edit", changes, made, whole]);
    for (const name of names) if (plain(made[name]) !== plain(whole[name])) wrong.push(["edit", changes, name, made[name], whole[name]]);
  }
  for (const [text, bytes] of texts) {
    count += 1;
    const own = readText(text);
    if (plain(own) !== plain(bytes)) wrong.push(["text", text, own && "read", bytes && "read"]);
  }
  line.start(choices.slice(0, -1));
  const warned = await (await rules.dangers()).find(line);
  if (plain(warned) !== plain(dangers)) wrong.push(["dangers", warned, dangers]);
  line.start(choices);
  expected.forEach((whole, ply) => {
    count += 1;
    const [made, given] = [seen(ply), whole];
    for (const name in given) if (plain(made[name]) !== plain(given[name])) wrong.push([ply, name, made[name], given[name]]);
  });
  const whole = plain(line.moments.map(({ bytes }) => [...bytes]));
  line.cut(choices.length >> 1);
  choices.slice(choices.length >> 1).forEach((choice) => line.step(choice));
  if (plain(line.moments.map(({ bytes }) => [...bytes])) !== whole) wrong.push(["cut"]);
}
console.log(JSON.stringify({ count, wrong: wrong.slice(0, 3) }));
