// The newest games of this server.
import { el } from "./dom.js";
import { table } from "./feedback.js";
import { fileButton } from "./records.js";
import { server } from "./socket.js";

export class GamesView {
  title = "Games";

  constructor() {
    this.node = el("div", { class: "page" }, el("h1", {}, "Games"), fileButton());
  }

  async open() {
    const { games } = await server.ask("games");
    const titles = Object.fromEntries(server.hello.variants.map(({ name, title }) => [name, title]));
    if (!games.length) this.node.append(el("p", {}, "No games have been played here yet."));
    else
      this.node.append(
        table(
          ["Game", "Players", "Actions", "When"],
          games.map(({ game, variant, seats, plies, created, kind }) => [
            el("a", { href: `#/game/${game}` }, titles[variant]),
            seats.map(({ name, player }) => name || player || "?").join(" – "),
            plies,
            kind === "opened" ? "from a file" : new Date(created * 1000).toLocaleString(),
          ]),
        ),
      );
  }

  close() {}
}
