// Help in a game: warnings of dangers before a move is made, and hints.
import { announce, el, stored } from "./dom.js";
import { server } from "./socket.js";

const PAUSE = 200; // milliseconds in a position before it is looked at, as others may follow

// Warnings, which can be turned off.
export class Warnings {
  #choosing;
  #fields = null; // the position warned of, for the server
  #key = "";

  constructor(choosing) {
    this.#choosing = choosing;
    const box = el("input", { type: "checkbox", id: "warn", checked: stored.read("warn", true), onchange: () => this.#turn(box.checked) });
    this.node = el("label", { class: "check" }, box, "Warn me of dangers");
  }

  #turn(on) {
    stored.write("warn", on);
    const fields = this.#fields;
    this.look(null);
    this.#fields = fields;
    if (on) this.look(fields);
  }

  // Look at what threatens in a position, in which the user is to act; null for none.
  async look(fields) {
    this.#fields = fields;
    const key = JSON.stringify(fields);
    if (key === this.#key) return;
    this.#key = key;
    this.#choosing.dangers = {};
    if (!fields || !stored.read("warn", true)) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (key !== this.#key) return;
    try {
      const { dangers } = await server.search("dangers", fields);
      if (key === this.#key) this.#choosing.dangers = dangers;
    } catch {
      // The game goes on without warnings, until the position is told again.
      if (key === this.#key) this.#key = "";
    }
  }
}

// A hint: one good action, then why.
export class Hint {
  #board;
  #seats;
  #key = "";

  constructor(board, seats) {
    this.#board = board;
    this.#seats = seats;
    this.node = el("div", { class: "hinted", role: "status" });
  }

  async show(fields) {
    const key = (this.#key = JSON.stringify(fields));
    this.node.replaceChildren(el("p", { class: "hint" }, "Thinking …"));
    this.#board.scroll.scrollIntoView({ block: "nearest" });
    try {
      const hint = await server.search("hint", fields);
      if (key === this.#key) this.#tell(hint);
    } catch (error) {
      if (key === this.#key) this.node.replaceChildren(el("p", { class: "hint" }, error.message));
    }
  }

  clear() {
    if (!this.#key) return;
    this.#key = "";
    this.node.replaceChildren();
    this.#board.arrows([]);
  }

  #tell({ origin, target, line }) {
    if (origin || target) this.#board.arrows([{ origin, target: target || origin, strength: 1 }]);
    const first = `Try this. ${line[0].words}.`;
    this.node.replaceChildren(el("p", {}, first), el("details", {}, el("summary", {}, "Why?"), lineOfPlay(line, this.#seats)));
    announce(first);
  }
}

// A line of play with what happens in it.
export function lineOfPlay(line, seats) {
  const told = line.some(({ events }) => events.length);
  return el(
    "div",
    {},
    el("p", { class: "hint" }, told ? "If both sides play well, this follows:" : "Nothing is lost and nothing won in the line that follows if both sides play well:"),
    el(
      "ol",
      { class: "line" },
      line.map(({ seat, words, events }) => el("li", {}, el("span", { class: `disc small ${seats[seat].toLowerCase()}` }), words, events.length ? el("p", { class: "events" }, events.join(" ")) : null)),
    ),
  );
}
