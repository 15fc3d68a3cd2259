// Tasks on the board, one after the other: the user acts, the server judges.
import { Place } from "./address.js";
import { announce, el, notice } from "./dom.js";
import { Board } from "./board.js";
import { Choosing, readAction } from "./choosing.js";
import { Explaining } from "./explaining.js";
import { lineOfPlay } from "./helping.js";
import { aim, handbook } from "./howto.js";
import { listenToKeys } from "./keys.js";
import { Legend, Signs } from "./legend.js";
import { boardOf, server } from "./socket.js";
import { studyAddress } from "./links.js";

const PAUSE = 700; // milliseconds between the user's action and a reply
const SLOW = 1000; // milliseconds after which the user is told that the board is set up

// What is done comes from a source:
//   heading      what the tasks are, for the title of the page
//   isLesson     whether they teach the aim of the game; otherwise it is told beside the board
//   steps(show, signal)  a promise of the tasks: { variant, options, title, say, signs, task, done, help, answer, fields };
//                fields name the task for the server; answer (labels) may be a function, and help one of the
//                labels played and the actions. If flips is true, the board is turned for Black; study, which
//                may be missing, names the position for the page of variations; isPlainPosition, where the
//                labels alone do not lead to the position shown
//   isDone(step), keep(step): whether a task has been done, and that it has
//   count(step, isSolved), optional: the first result of a task; help counts as a failure
//   address(number): of a task, from 1
//   finish()     nodes to show after the last task
export class TaskView {
  #source;
  #steps = [];
  #number;
  #labels = [];
  #shown = null; // the position shown
  #isOver = false; // whether the task is done or has failed
  #board = new Board();
  #choosing = new Choosing(this.#board);
  #explaining = null;
  #signs = new Signs(this.#board);
  #seats = []; // their names
  #variant = null; // whose aim and pieces are shown
  #parts = null;
  #isCounted = false; // whether the task has a first result
  #isSolved = false; // whether the answer was shown
  #turn = 0; // counts what is shown, of which the last counts
  #closed = new AbortController();
  #place = new Place();

  constructor(source, number) {
    this.#source = source;
    this.#number = number ? Number(number) - 1 : null;
    this.node = el("div", { class: "game lesson" });
  }

  get title() {
    return this.#source.heading;
  }

  get #step() {
    return this.#steps[this.#number];
  }

  async open() {
    await server.open();
    if (this.#closed.signal.aborted) return;
    this.#steps = await this.#source.steps((node) => this.node.replaceChildren(node), this.#closed.signal);
    if (this.#closed.signal.aborted || !this.#steps.length) return;
    if (!this.#steps[this.#number]) this.#number = Math.max(0, this.#steps.findIndex((step) => !this.#source.isDone(step)));
    this.#explaining = new Explaining(this.#board, () => this.#position, () => !this.#isOver && !this.#choosing.selected);
    const flip = () => (this.#board.flipped = !this.#board.flipped);
    this.#board.addEventListener("flip", flip);
    listenToKeys({ flip, signal: this.#closed.signal });
    this.#choosing.addEventListener("refused", ({ detail }) => this.#explaining.refuse(detail));
    this.#choosing.addEventListener("play", ({ detail }) => this.#play(detail));
    this.#parts = this.#layOut();
    this.node.replaceChildren(...this.#parts.all);
    await this.#begin();
  }

  close() {
    this.#closed.abort();
    this.#choosing.close();
    this.#explaining?.close();
  }

  // Draw everything again, in the other theme.
  async repaint() {
    if (this.#parts) await this.#begin(this.#labels);
  }

  #layOut() {
    const button = (text, id, action) => el("button", { type: "button", id, onclick: action }, text);
    const parts = {
      list: el("ol", { class: "lesson-steps", "aria-label": "Steps" }),
      heading: el("h1", { tabindex: "-1" }),
      say: el("p", { class: "say" }),
      signs: el("p", { class: "hint say" }),
      task: el("p", { class: "task" }),
      verdict: el("div", { class: "verdict", role: "status" }),
      next: button("Next", "next", () => this.#go(this.#number + 1)),
      again: button("Try again", "again", () => this.#begin()),
      hint: button("Hint", "hint", () => this.#help()),
      solve: button("Show me", "solve", () => this.#solve()),
      study: el("a", { class: "button", hidden: true }, "Variations"),
      why: el("details", { hidden: true, ontoggle: () => this.#explain() }, el("summary", {}, "Why?"), el("div")),
      pieces: el("div", {}),
      more: el("section", { class: "side more", "aria-label": "The game" }),
    };
    parts.next.classList.add("primary");
    // Text that is filled in moves them, and a click that they move away from would be lost.
    for (const each of [parts.again, parts.hint, parts.solve]) each.hidden = true;
    const side = el(
      "section",
      { class: "side", "aria-label": "The task" },
      el("p", { class: "hint what" }, this.#source.heading),
      parts.list,
      parts.heading,
      parts.say,
      parts.signs,
      parts.task,
      parts.verdict,
      parts.why,
      el("div", { class: "buttons" }, parts.next, parts.again, parts.hint, parts.solve, parts.study),
    );
    parts.all = [el("section", { class: "table", "aria-label": "The board" }, this.#board.scroll, this.#choosing.chips), side, parts.more];
    return parts;
  }

  // What names the position shown, for the server.
  #fields() {
    return { ...this.#step.fields, labels: this.#labels };
  }

  // What names it where the server explains squares, which is its text if others have acted as well.
  get #position() {
    const { isPlainPosition, variant, options } = this.#step;
    return isPlainPosition ? { variant, options, text: this.#shown.text } : this.#fields();
  }

  async #go(number) {
    if (number === this.#steps.length) {
      this.#finish();
      return;
    }
    this.#number = number;
    this.#isCounted = false;
    await this.#begin();
    this.#parts.heading.focus({ preventScroll: true });
    this.#parts.heading.scrollIntoView({ block: "nearest" });
  }

  // Set up a step, with the actions of the learner so far.
  async #begin(labels = []) {
    const turn = ++this.#turn;
    const { variant, options, title, say, signs, task } = this.#step;
    this.#place.rename(this.#source.address(this.#number + 1));
    this.#labels = labels;
    this.#isSolved = false;
    this.#choosing.actions = [];
    this.#parts.next.hidden = true;
    const told = setTimeout(() => turn === this.#turn && this.#tell("", ["Setting up the board …"]), SLOW);
    try {
      const board = await boardOf(variant, options);
      const { verdict, happened, positions } = await server.ask("attempt", this.#fields());
      if (turn !== this.#turn || this.#closed.signal.aborted) return;
      if (!labels.length) this.#board.flipped = Boolean(this.#step.flips) && positions[0].to_move === 1 && board.seats.length === 2;
      this.#seats = board.seats;
      const legend = new Legend(board);
      this.#choosing.legend = legend;
      this.#board.shape(legend);
      const parts = this.#parts;
      this.#introduce(variant);
      parts.pieces.replaceChildren(legend.list());
      this.#signs.meanings = board.board_signs;
      parts.heading.textContent = title;
      parts.say.textContent = say;
      parts.signs.textContent = signs;
      parts.task.textContent = task;
      this.#list();
      await this.#show({ verdict, happened, positions: positions.slice(-1) }, turn, false);
      if (!labels.length) announce(`${title}. ${say} ${task}`);
    } catch (error) {
      if (turn !== this.#turn || this.#closed.signal.aborted) return;
      this.#tell("", []);
      this.#parts.again.hidden = false;
      notice(error.message);
    } finally {
      clearTimeout(told);
    }
  }

  // Show what there is to know of a game, which may change from task to task.
  #introduce(variant) {
    if (variant === this.#variant) return;
    this.#variant = variant;
    const known = this.#source.isLesson ? null : aim(variant);
    this.#parts.more.replaceChildren(...[known, ...handbook(variant, this.#parts.pieces, this.#signs)].filter(Boolean));
  }

  #list() {
    this.#parts.list.replaceChildren(
      ...this.#steps.map((step, number) =>
        el(
          "li",
          {},
          el(
            "button",
            {
              type: "button",
              class: this.#source.isDone(step) ? "done" : "",
              title: step.title,
              "aria-label": `Step ${number + 1}: ${step.title}${this.#source.isDone(step) ? ", done" : ""}`,
              "aria-current": number === this.#number ? "step" : null,
              onclick: () => this.#go(number),
            },
            `${number + 1}`,
          ),
        ),
      ),
    );
  }

  async #play(label) {
    const turn = ++this.#turn;
    this.#choosing.actions = [];
    this.#labels = [...this.#labels, label];
    try {
      const attempt = await server.ask("attempt", this.#fields());
      if (turn === this.#turn && !this.#closed.signal.aborted) await this.#show(attempt, turn);
    } catch (error) {
      if (turn !== this.#turn || this.#closed.signal.aborted) return;
      notice(error.message);
      await this.#begin();
    }
  }

  // Show positions one after the other, and then the verdict.
  async #show({ verdict, happened, positions }, turn, animated = true) {
    for (const [number, position] of positions.entries()) {
      if (number) await new Promise((resolve) => setTimeout(resolve, PAUSE));
      if (turn !== this.#turn || this.#closed.signal.aborted) return;
      this.#shown = position;
      await this.#board.show(position.drawing, animated);
    }
    if (turn !== this.#turn || this.#closed.signal.aborted) return;
    this.node.dataset.shown = `${this.#number} ${this.#labels.length}`;
    this.#judge(verdict, happened);
  }

  #judge(verdict, happened) {
    const { next, again, hint, solve, study, why } = this.#parts;
    this.#isOver = verdict !== "open";
    if (verdict === "done" && !this.#isSolved) this.#source.keep(this.#step);
    if (this.#isOver) this.#count(verdict === "done");
    this.#list();
    if (verdict === "done") this.#tell("done", [...happened, this.#step.done]);
    else if (verdict === "wrong") this.#tell("wrong", [...happened, `Not quite. ${textOf(this.#step.help)}`]);
    else this.#tell("", [...happened, this.#shown.question ? `Go on: ${this.#shown.question}` : ""]);
    this.#choosing.actions = this.#isOver ? [] : this.#shown.legal.map(readAction);
    const isLast = this.#number === this.#steps.length - 1;
    next.textContent = isLast ? "Finish" : "Next";
    next.hidden = verdict !== "done";
    again.hidden = !this.#labels.length;
    again.classList.toggle("primary", verdict === "wrong");
    hint.hidden = this.#isOver;
    solve.hidden = verdict === "done";
    study.hidden = !this.#isOver || !this.#step.study;
    if (!study.hidden) study.href = studyAddress({ ...this.#step.study, labels: this.#labels });
    why.hidden = study.hidden || this.#shown.over || this.#shown.rolls.length > 0;
    why.open = false;
    if (this.#isOver) (next.hidden ? again : next).focus({ preventScroll: true });
  }

  // What follows after the user's turn, if both sides play well.
  async #explain() {
    const { why } = this.#parts;
    if (!why.open) return;
    const [turn, { fields, study }] = [this.#turn, this.#step];
    why.lastChild.replaceChildren(el("p", { class: "hint" }, "Thinking …"));
    const found = server.search("hint", { ...fields, ...study, labels: this.#labels });
    const told = await found.then(({ line }) => lineOfPlay(line, this.#seats), ({ message }) => el("p", { class: "hint" }, message));
    if (turn === this.#turn) why.lastChild.replaceChildren(told);
  }

  // Only the first result counts.
  #count(isSolved) {
    if (!this.#isCounted) this.#source.count?.(this.#step, isSolved);
    this.#isCounted = true;
  }

  async #help() {
    this.#count(false);
    const { help } = this.#step;
    const turn = this.#turn;
    const text = typeof help === "function" ? await help(this.#labels, this.#shown.legal.map(readAction)) : help;
    if (turn === this.#turn) this.#tell("", [text]);
  }

  #tell(kind, lines) {
    const { verdict } = this.#parts;
    verdict.className = `verdict ${kind}`;
    verdict.replaceChildren(...lines.filter(Boolean).map((line) => el("p", {}, line)));
    if (kind) verdict.scrollIntoView({ block: "nearest" });
  }

  // Play the answer.
  async #solve() {
    this.#count(false);
    const { answer } = this.#step;
    const begun = this.#begin();
    let turn = this.#turn;
    await begun;
    if (turn !== this.#turn) return;
    this.#isSolved = true;
    for (const label of typeof answer === "function" ? await answer() : answer) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      if (turn !== this.#turn || this.#closed.signal.aborted) return;
      const played = this.#play(label);
      turn = this.#turn;
      await played;
    }
  }

  #finish() {
    this.#tell("done", []);
    this.#parts.verdict.append(...this.#source.finish());
    this.#parts.next.hidden = true;
    this.#parts.verdict.querySelector("button, a")?.focus();
  }
}

// Of what is only found when asked for, nothing.
const textOf = (help) => (typeof help === "function" ? "" : help);
