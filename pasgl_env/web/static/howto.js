// The aim of a game, and how to play it in a few words.
import { el, stored } from "./dom.js";
import { server } from "./socket.js";

const told = (variant) => server.hello.variants.find(({ name }) => name === variant).lesson;

// The aim in a line, with the way to the lesson; null for a game without lessons.
export function aim(variant) {
  const lesson = told(variant);
  return lesson && el("p", { class: "aim" }, `${lesson.aim} `, el("a", { href: `#/learn/${variant}` }, "Learn it on the board."));
}

// A card that is open until it is closed for the first time; null for a game without lessons.
export function howToPlay(variant, hasChangedRules = false) {
  const lesson = told(variant);
  if (!lesson) return null;
  const keep = ({ target }) => stored.write("how", target.open);
  return el(
    "details",
    { class: "panel", id: "how", open: stored.read("how", true), ontoggle: keep },
    el("summary", {}, "How to play"),
    hasChangedRules ? el("p", { class: "hint" }, "Without the changed rules of this game:") : null,
    el("dl", { class: "how" }, Object.entries(lesson.how).flatMap(([heading, text]) => [el("dt", {}, heading), el("dd", {}, text)])),
  );
}

// What stands beside every board: how to play, the pieces (a node), the signs and the way to the rules.
export function handbook(variant, pieces, signs, hasChangedRules = false) {
  return [
    howToPlay(variant, hasChangedRules),
    el("details", { class: "panel" }, el("summary", {}, "Pieces"), pieces),
    signs.node,
    el("p", { class: "hint" }, el("a", { href: `#/rules/${variant}` }, "The rules, with pictures"), ". Hover over a square, or hold it, to see what it is."),
  ].filter(Boolean);
}
