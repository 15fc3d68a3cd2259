// Keys, while the board does not have the focus, and their list.
import { dialog, el } from "./dom.js";

const STEPS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
const KEYS = [
  ["Tab, arrow keys", "move to the board, and between squares"],
  ["Enter", "choose a square"],
  ["Escape", "cancel"],
  ["? on a square", "what is there, and what it can do"],
  ["f", "flip the board"],
];
const STEP_KEYS = ["Left, Right, Home, End", "step through the game, when the board does not have the focus"];

let keys = null; // what they do on the page shown; null without a board

// Have keys flip the board and, where there is something to step through, step.
export function listenToKeys({ flip, step, signal }) {
  const own = (keys = { flip, step });
  signal.addEventListener("abort", () => keys === own && (keys = null));
}

function list() {
  const known = keys && !keys.step ? KEYS : [...KEYS, STEP_KEYS];
  const where = keys ? null : el("p", {}, "On a page with a board:");
  dialog("Keys", where, el("dl", { class: "how" }, known.flatMap(([key, does]) => [el("dt", {}, key), el("dd", {}, does)])));
}

document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea, .hit") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog")) return;
  if (event.key === "?") list();
  else if (keys && event.key === "f") keys.flip();
  else if (keys?.step && STEPS[event.key]) keys.step(STEPS[event.key]);
  else return;
  event.preventDefault();
});
