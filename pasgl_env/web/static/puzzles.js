// Puzzles: one action wins. Endings: all that follows is played out, too. What is solved, and the rating by
// puzzles, is kept in the browser.
import { count, el, stored } from "./dom.js";
import { server } from "./socket.js";
import { TaskView } from "./tasks.js";

const FIRST_RATING = 1000;
const RATINGS = [800, 1100, 1400, 1700, 2000]; // of puzzles, by their difficulty
const STEP = 32; // the most that a puzzle changes the rating
const SET = 10; // puzzles in a row
const MOST_KEPT = 3000;
const PROOFS = { table: "Proved: all that can follow is solved.", search: "By a search that agrees with one ten times as long." };

const titleOf = (variant) => server.hello.variants.find(({ name }) => name === variant)?.title ?? variant;

// What the user has done: the rating, and by a puzzle's key whether it was solved at once.
const known = () => stored.read("puzzles", { rating: FIRST_RATING, solved: {} });

function countResult({ key, rating }, isSolved) {
  const { rating: own, solved } = known();
  if (key in solved) return;
  const expected = 1 / (1 + 10 ** ((rating - own) / 400));
  const kept = Object.fromEntries([...Object.entries(solved), [key, isSolved]].slice(-MOST_KEPT));
  stored.write("puzzles", { rating: Math.round(own + STEP * (isSolved - expected)), solved: kept });
}

async function allPuzzles() {
  await server.open();
  const { puzzles } = await server.lasting("puzzles");
  return puzzles.map(([variant, text, solution, difficulty, proof]) => ({ variant, text, solution, difficulty, proof, rating: RATINGS[difficulty], key: `${hash(variant + text)}` }));
}

// The puzzle of a day, the same for everybody, and when others are added for nearly everybody.
function daily(puzzles, day = new Date().toLocaleDateString("sv")) {
  const drawn = (puzzle) => hash(day + puzzle.key);
  return puzzles.reduce((best, puzzle) => (drawn(puzzle) < drawn(best) ? puzzle : best));
}

// Puzzles near the user's rating that are new, or were not solved.
function chosen(puzzles) {
  const { rating, solved } = known();
  const distance = (puzzle) => Math.abs(puzzle.rating - rating) + (solved[puzzle.key] ? 10000 : 0) + (hash(puzzle.key) % 100);
  return puzzles.toSorted((one, other) => distance(one) - distance(other)).slice(0, SET);
}

// The list of what there is to solve.
export class PuzzlesView {
  title = "Puzzles";

  constructor() {
    this.node = el("div", { class: "page lessons" }, el("h1", {}, "Puzzles"));
  }

  async open() {
    const puzzles = await allPuzzles();
    if (!puzzles.length) {
      this.node.append(el("p", {}, "There are no puzzles here."));
      return;
    }
    const { rating, solved } = known();
    const [right, tries] = [Object.values(solved).filter(Boolean).length, Object.keys(solved).length];
    const today = daily(puzzles);
    const tried = solved[today.key] === undefined ? "" : solved[today.key] ? " You have solved it." : " You have tried it.";
    const variants = Object.entries(Object.groupBy(puzzles, ({ variant }) => variant));
    this.node.append(
      el("p", {}, "In each position exactly one action wins. Puzzles come from games of programs; they are harder the more programs miss them."),
      el("p", {}, `Your rating is ${rating}.${tries ? ` You have solved ${right} of ${count(tries, "puzzle")} at once.` : ""}`),
      el(
        "ul",
        {},
        card("Puzzle of the day", `${titleOf(today.variant)}.${tried}`, "Solve today's puzzle", "#/puzzles/daily"),
        card("Endings", "A few pieces, won for certain: play them out, and be judged turn by turn.", "Play endings", "#/endings"),
        ...variants.map(([variant, own]) => card(titleOf(variant), `${own.filter(({ key }) => solved[key]).length} of ${own.length} solved at once.`, `Solve puzzles of ${titleOf(variant)}`, `#/puzzles/${variant}`)),
      ),
    );
  }

  close() {}
}

const card = (title, text, button, href) => el("li", {}, el("h2", {}, title), el("p", { class: "hint" }, text), el("a", { class: "button", href }, button));

// Puzzles of a variant, or that of the day.
export function puzzleView(which, number) {
  const done = new Set();
  const isDaily = which === "daily";
  return new TaskView(
    {
      get heading() {
        return isDaily ? "Puzzle of the day" : `Puzzles of ${titleOf(which)}`;
      },
      async steps(show) {
        const puzzles = await allPuzzles();
        const own = isDaily ? puzzles.slice(0, 1).map(() => daily(puzzles)) : chosen(puzzles.filter(({ variant }) => variant === which));
        if (!own.length) show(el("p", { class: "empty" }, "There are no puzzles of this game. ", el("a", { href: "#/puzzles" }, "All puzzles")));
        return own.map(task);
      },
      isDone: ({ puzzle }) => done.has(puzzle.key),
      keep: ({ puzzle }) => done.add(puzzle.key),
      count: ({ puzzle }, isSolved) => countResult(puzzle, isSolved),
      address: (step) => `#/puzzles/${which}/${step}`,
      finish: () => [
        el("p", {}, `Your rating is ${known().rating}.`),
        el(
          "div",
          { class: "buttons" },
          isDaily ? null : el("button", { type: "button", class: "primary", onclick: () => dispatchEvent(new HashChangeEvent("hashchange")) }, "More puzzles"),
          el("a", { class: "button", href: "#/puzzles" }, "All puzzles"),
        ),
      ],
    },
    isDaily ? number : null,
  );
}

function task(puzzle) {
  const { variant, text, solution, difficulty, proof } = puzzle;
  return {
    puzzle,
    variant,
    options: {},
    title: titleOf(variant),
    say: `Difficulty ${difficulty + 1} of ${RATINGS.length}. ${PROOFS[proof]}`,
    signs: "",
    task: "Find the only action that wins.",
    get done() {
      return `That is the answer. Your rating is ${known().rating}.`;
    },
    help: (labels, actions) => {
      const next = actions.find(({ label }) => label === solution[labels.length]);
      return next?.origin ? `Look at what is on ${next.origin}.` : `Look for this: ${next?.kind}.`;
    },
    answer: solution,
    flips: true,
    study: { variant, text },
    fields: { variant, puzzle: text },
  };
}

// Endings, which are won against perfect replies. Which are done is kept in the browser.
export function endingView(number) {
  const won = () => stored.read("endings", []);
  let about = ""; // why other games have none
  return new TaskView(
    {
      heading: "Endings",
      async steps(show) {
        const { endings, say, others } = await server.ask("endings");
        about = others;
        if (!endings.length) show(el("p", { class: "empty" }, `There are no endings here. ${about}`));
        return endings.map((each, index) => ending({ ...each, say }, index));
      },
      isDone: ({ text }) => won().includes(text),
      keep: ({ text }) => stored.write("endings", [...new Set([...won(), text])]),
      address: (step) => `#/endings/${step}`,
      finish: () => [el("p", {}, `These were all endings. ${about}`), el("div", { class: "buttons" }, el("a", { class: "button", href: "#/puzzles" }, "Puzzles"))],
    },
    number,
  );
}

function ending({ variant, options, title, text, say }, number) {
  const fields = { ending: number };
  const line = async (labels) => (await server.ask("attempt", { ...fields, labels })).line;
  return {
    variant,
    options,
    text,
    title: `${titleOf(variant)}: ${title}`,
    say,
    signs: "",
    task: "Win.",
    done: "You have won.",
    help: async (labels, actions) => {
      const [next] = await line(labels);
      return `${actions.find(({ label }) => label === next).words}.`;
    },
    answer: () => line([]),
    flips: true,
    isPlainPosition: true,
    fields,
  };
}

// A number for a text, the same everywhere.
function hash(text) {
  let value = 2166136261;
  for (const letter of text) value = Math.imul(value ^ letter.codePointAt(0), 16777619) >>> 0;
  value = Math.imul(value ^ (value >>> 15), 2246822519) >>> 0;
  return (value ^ (value >>> 13)) >>> 0;
}
