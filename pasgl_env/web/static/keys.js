// Keys of a page with a board, while the board does not have the focus.
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

// Have keys flip the board, list themselves and, where there is something to step through, step.
export function listenToKeys({ flip, step, signal }) {
  const list = () => {
    const known = step ? [...KEYS, STEP_KEYS] : KEYS;
    dialog("Keys", el("dl", { class: "how" }, known.flatMap(([key, does]) => [el("dt", {}, key), el("dd", {}, does)])));
  };
  const press = (event) => {
    if (event.target.matches("input, select, textarea, .hit") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog")) return;
    if (step && STEPS[event.key]) step(STEPS[event.key]);
    else if (event.key === "f") flip();
    else if (event.key === "?") list();
    else return;
    event.preventDefault();
  };
  document.addEventListener("keydown", press, { signal });
}
