// Draws cases of a file, [layout, drawing, expected SVG] each, and prints the first that differs.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [module, file] = process.argv.slice(2);
const { Layout } = await import(pathToFileURL(module));
const { layouts, drawings, icons } = JSON.parse(readFileSync(file));
const made = layouts.map((layout) => new Layout(layout));
const drawn = [
  ...drawings.map(([layout, drawing, expected]) => [made[layout].draw(drawing), expected]),
  ...icons.map(([layout, symbol, expected]) => [made[layout].icon(symbol), expected]),
];
console.log(JSON.stringify(drawn.find(([svg, expected]) => svg !== expected) ?? []));
