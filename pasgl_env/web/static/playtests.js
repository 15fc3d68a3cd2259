// Playtests: begun here, with their progress and reports.
import { el, notice, refill } from "./dom.js";
import { row, table } from "./feedback.js";
import { server } from "./socket.js";

const REFRESH = 2000;

export class PlaytestsView {
  title = "Playtests";
  #none = el("p", { hidden: true }, "None yet.");
  #table = table(["Playtest", "State", "Report"], []);
  #timer = null;
  #isClosed = false;

  constructor() {
    this.node = el("div", { class: "page" }, el("h1", {}, "Playtests"), el("p", { class: "hint" }, "Programs play many games, and a report says whether the game is balanced, how long it takes and what happens in it. A sweep does so for several values of a rule."));
  }

  async open() {
    await server.open();
    this.node.append(this.#form());
    await this.#refresh();
    this.node.append(this.#none, this.#table);
    if (!this.#isClosed) this.#timer = setInterval(() => this.#refresh().catch(() => {}), REFRESH);
  }

  close() {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  // Nothing here is drawn, and the form keeps what was typed.
  repaint() {}

  #form() {
    const { variants, players } = server.hello;
    const who = (name) => el("select", { name }, players.map((each) => el("option", { value: each }, each)));
    const form = el(
      "form",
      { class: "new-game" },
      el("label", { class: "row" }, el("span", {}, "Game"), el("select", { name: "variant" }, variants.map(({ name, title }) => el("option", { value: name }, title)))),
      el("label", { class: "row" }, el("span", {}, "First player"), who("first")),
      el("label", { class: "row" }, el("span", {}, "Second player"), who("second")),
      el("label", { class: "row" }, el("span", {}, "Games"), el("input", { name: "games", type: "number", min: "2", max: "100000", step: "2", value: "200" })),
      el("label", { class: "row" }, el("span", {}, "Sweep"), el("input", { name: "sweep", placeholder: "such as hunter_range=1..4; empty for none" })),
      el("div", { class: "buttons" }, el("button", { type: "submit", class: "primary" }, "Begin"), el("button", { type: "button", onclick: () => this.#ask("stop_playtest") }, "Stop")),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { variant, first, second, games, sweep } = Object.fromEntries(new FormData(form));
      this.#ask("playtest", { variant, players: [first, second], games: Number(games), sweep });
    });
    return form;
  }

  async #ask(command, fields = {}) {
    try {
      await server.ask(command, fields);
      await this.#refresh();
    } catch (error) {
      notice(error.message);
    }
  }

  async #refresh() {
    const { playtests } = await server.ask("playtests");
    this.#none.hidden = playtests.length > 0;
    this.#table.hidden = playtests.length === 0;
    refill(this.#table.querySelector("tbody"), playtests, ({ name, command, state, said, reports }) =>
      row([
        el("span", {}, el("strong", {}, name), el("br"), el("code", {}, `pasgl ${command.join(" ")}`)),
        state === "done" ? "done" : `${state}: ${said}`,
        el("span", {}, reports.map((file) => el("a", { href: `playtests/${name}/${file}`, target: "_blank", rel: "noopener" }, file, " "))),
      ]),
    );
  }
}
