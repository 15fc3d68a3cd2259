// The newest games of this server.
import { el } from "./dom.js";
import { server } from "./socket.js";

export class GamesView {
  constructor() {
    this.node = el("div", { class: "page" }, el("h1", {}, "Games"));
  }

  async open() {
    const { games } = await server.ask("games");
    const titles = Object.fromEntries(server.hello.variants.map(({ name, title }) => [name, title]));
    if (!games.length) this.node.append(el("p", {}, "No game has been played here yet."));
    else
      this.node.append(
        el(
          "div",
          { class: "table-scroll" },
          el(
            "table",
            {},
            el("thead", {}, el("tr", {}, ...["Game", "Players", "Actions", "When"].map((name) => el("th", { scope: "col" }, name)))),
            el(
              "tbody",
              {},
              games.map(({ game, variant, seats, plies, created, kind }) =>
                el(
                  "tr",
                  {},
                  el("td", {}, el("a", { href: `#/game/${game}` }, titles[variant])),
                  el("td", {}, seats.map(({ name, player }) => name || player || "?").join(" – ")),
                  el("td", {}, String(plies)),
                  el("td", {}, kind === "opened" ? "from a file" : new Date(created * 1000).toLocaleString()),
                ),
              ),
            ),
          ),
        ),
      );
  }

  close() {}
}
