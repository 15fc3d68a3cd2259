// Lessons: tasks that teach a game. Which are done is kept in the browser.
import { Place } from "./address.js";
import { busy, el, stored } from "./dom.js";
import { begin, openNewGame } from "./newgame.js";
import { server } from "./socket.js";
import { TaskView } from "./tasks.js";

const isDone = ({ variant, title }) => (stored.read("learned", {})[variant] ?? []).includes(title);

function keep({ variant, title }) {
  const all = stored.read("learned", {});
  stored.write("learned", { ...all, [variant]: [...new Set([...(all[variant] ?? []), title])] });
}

// The list of lessons.
export class LessonsView {
  title = "Learn";

  constructor() {
    this.node = el("div", { class: "page lessons" }, el("h1", {}, "Learn a game"));
  }

  async open() {
    await server.open();
    const taught = server.hello.variants.filter(({ lesson }) => lesson);
    this.node.append(
      el("p", {}, "Small tasks on the board, one for each rule. A lesson takes about ten minutes."),
      el("ul", {}, taught.map((variant) => this.#card(variant))),
    );
  }

  #card({ name, title, lesson }) {
    const done = lesson.steps.filter(([variant, step]) => isDone({ variant, title: step })).length;
    const isWhole = done === lesson.steps.length;
    const state = done ? `${done} of ${lesson.steps.length} steps done` : `${lesson.steps.length} steps`;
    return el(
      "li",
      {},
      el("h2", {}, title),
      el("p", {}, lesson.aim),
      el("p", { class: "hint" }, state),
      el("a", { class: "button", href: `#/learn/${name}` }, `${isWhole ? "Repeat" : done ? "Go on with" : "Learn"} ${title}`),
    );
  }

  close() {}
}

// A lesson.
export function lessonView(variant, number) {
  const about = () => server.hello.variants.find(({ name }) => name === variant);
  return new TaskView(
    {
      get heading() {
        return `Learn ${about().title}`;
      },
      async steps() {
        const { steps } = await server.lasting("lesson", { variant });
        return steps.map((step, own) => ({ ...step, fields: { variant, step: own } }));
      },
      isLesson: true,
      isDone,
      keep: (step, alone, isFailure = false) => isFailure || keep(step),
      address: (step) => `#/learn/${variant}/${step}`,
      finish: () => [el("p", {}, `That was the last step. You know what makes ${about().title} the game that it is. How each piece moves stands beside the board, under “Pieces”.`), whatNext(variant)],
    },
    number,
  );
}

function whatNext(variant) {
  const play = (event) =>
    busy(event, "Setting up the board …", async () => {
      const place = new Place();
      place.goTo(await begin(variant, {}, ["person", "level beginner"], ""));
    });
  return el(
    "div",
    { class: "buttons" },
    el("button", { type: "button", class: "primary", onclick: play }, "Play against a beginner"),
    el("button", { type: "button", onclick: () => openNewGame({ variant }) }, "Other opponents"),
    el("a", { class: "button", href: "#/learn" }, "Another lesson"),
  );
}
