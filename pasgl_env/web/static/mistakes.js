// Learn from your mistakes: the turns of a game that lost most by the analysis, to be tried again.
import { Graph } from "./analysis.js";
import { count, el, listed } from "./dom.js";
import { server } from "./socket.js";
import { TaskView } from "./tasks.js";
import { watched } from "./watched.js";

export function mistakesView(game, number) {
  const done = new Set();
  return new TaskView(
    {
      heading: "Learn from your mistakes",
      steps: (show, signal) => mistakes(game, show, signal),
      isDone: ({ title }) => done.has(title),
      keep: ({ title }) => done.add(title),
      address: (step) => `#/mistakes/${game}/${step}`,
      finish: () => [
        el("p", {}, "These were the turns that lost most."),
        el("div", { class: "buttons" }, el("a", { class: "button", href: `#/game/${game}` }, "Back to the game")),
      ],
    },
    number,
  );
}

// The worst turns of the user; of everybody, if nobody's.
async function mistakes(game, show, signal) {
  const { about, you, turns } = await watched(game, signal);
  const status = el("p", { role: "status" }, "Evaluating every turn …");
  const page = el("div", { class: "page" }, el("h1", {}, "Learn from your mistakes"), status);
  show(page);
  const graph = new Graph(game, about.teams, () => {});
  const lines = turns.map(([, end, seat]) => ({ end, seat }));
  try {
    await graph.start(lines, (known) => (status.textContent = `Evaluating every turn: ${known} of ${lines.length} …`));
    await graph.ended;
  } finally {
    graph.close();
  }
  const own = turns.filter(([, end, seat]) => graph.marked.has(end) && (!you.length || you.includes(seat)));
  if (!own.length) {
    const back = el("a", { href: `#/game/${game}` }, "Back to the game");
    page.replaceChildren(page.firstChild, el("p", {}, you.length ? "You made no serious mistakes in this game." : "There were no serious mistakes."), back);
  }
  return Promise.all(own.map((turn) => task(game, about, turns.indexOf(turn) + 1, turn, graph.losses.get(turn[1]))));
}

// The actions of a turn in words.
async function inWords(game, first, labels) {
  const before = await Promise.all(labels.map((_, played) => server.ask("position", { game, ply: first + played })));
  return listed(labels.flatMap((label, played) => before[played].legal.filter(([own]) => own === label).map(([, words]) => `“${words}”`)));
}

async function task(game, about, number, [first, , seat, labels, events], lost) {
  const fields = { game, ply: first };
  const tried = { ...fields }; // with what the hint was, so that another look does not refuse it
  let hint = null;
  const keep = (found) => {
    const other = found.line.findIndex((each) => each.seat !== seat);
    tried.hinted = found.line.slice(0, other < 0 ? found.line.length : other).map(({ label }) => label);
    return found;
  };
  const find = () => (hint ??= server.search("hint", fields).then(keep).catch((error) => Promise.reject((hint = null) ?? error)));
  return {
    variant: about.variant,
    options: about.changed_options,
    title: `Turn ${number}, ${about.seats[seat].seat}`,
    say: `${about.seats[seat].seat} played ${await inWords(game, first, labels)}. It lost ${count(Math.round(50 * lost), "percentage point")} of winning chances. ${events.join(" ")}`,
    signs: "",
    task: "Find a better turn.",
    done: "About as good as the best that the program finds.",
    help: async () => {
      const { piece, origin, line } = await find();
      return piece && origin ? `Look at the ${piece} on ${origin}.` : `${line[0].words}.`;
    },
    answer: async () => {
      await find();
      return tried.hinted;
    },
    flips: true,
    study: fields,
    fields: tried,
  };
}
