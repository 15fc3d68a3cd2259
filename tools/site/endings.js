// Endings that are played out against the best replies, of what is kept of all that can follow. As in
// pasgl_env/puzzles/endings.py.
import { filled } from "./words.js";

const LONGEST_LINE = 200;
const NO_TURNS = -1; // to go, in games with dice
const DRAW = -1; // these stand for the number of a node
const LOSS = -2;

/** Judge a learner's actions from the start, a state's bytes, on; the line of play then goes on to its end. */
export function playOut(line, { bytes, dice, words, turns, best, after }, labels) {
  line.start([], BigInt(dice), bytes);
  const learner = line.last.toMove;
  const isMine = () => !line.last.isChance && line.last.toMove === learner;
  const legal = () => (line.last.isChance ? line.outcomes().map(([outcome]) => outcome) : line.position.legalActions);
  let [at, before, shown, happened] = [0, turns[0], [0], []];
  const follow = (make) => {
    const choices = line.last.isChance || isMine() ? legal() : null;
    make();
    at = after[at][choices ? choices.indexOf(line.last.choice) : 0];
  };
  const reply = () => line.step(line.last.isChance ? null : legal()[best[at]]);
  const act = (make) => {
    follow(make);
    happened.push(...line.rules.words.told(line.last.events, [learner]));
    shown.push(line.choices.length);
  };
  for (const label of labels) {
    if (at < 0) break;
    const turn = line.last.turns;
    [shown, happened] = [[], []];
    act(() => line.play(label));
    if (at < 0) happened.push(lost(at, words));
    else if (line.last.turns !== turn || line.last.isOver) happened.push(judged(before, turns[at], words));
    while (at >= 0 && !line.last.isOver && !isMine()) act(reply);
    if (line.last.turns !== turn) before = turns[at];
  }
  const verdict = at < 0 ? "wrong" : line.last.isOver ? "done" : "open";
  const positions = shown.map((ply) => line.see(ply));
  const bestLine = [];
  for (let number = 0; number < LONGEST_LINE && at >= 0 && !line.last.isOver; number++) {
    const own = isMine();
    follow(reply);
    if (own) bestLine.push(line.last.label);
  }
  return { verdict, happened, positions, line: bestLine };
}

function lost(number, words) {
  const word = { [DRAW]: "draw", [LOSS]: "loss" }[number] ?? "chance";
  return filled(words[word], { percent: LOSS - 1 - number });
}

function judged(before, after, words) {
  if (before === NO_TURNS) return words.certain;
  const best = before - 1;
  const word = after === best ? (after ? "good" : "best") : best ? "slower" : "missed";
  return filled(words[word], { turns: `${after} turn${after === 1 ? "" : "s"}`, best });
}
