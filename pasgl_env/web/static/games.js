// The games of this server: those in which the user is awaited, those that anybody can join, the newest.
import { Place } from "./address.js";
import { inWords } from "./clock.js";
import { busy, el, refill, stored } from "./dom.js";
import { table } from "./feedback.js";
import { secretsOf, takeSeat } from "./links.js";
import { fileButton } from "./records.js";
import { server } from "./socket.js";

const AGAIN = 5000; // milliseconds until the lists are asked for again
const MOST_OWN = 200; // games of the user that are asked about

export class GamesView {
  title = "Games";
  #lists = el("div", { class: "lists" });
  #again = null;
  #isClosed = false;

  constructor() {
    this.node = el("div", { class: "page" }, el("h1", {}, "Games"), fileButton(), this.#lists);
  }

  async open() {
    const own = Object.entries(stored.read("secrets", {})).slice(-MOST_OWN).map(([game, secrets]) => ({ game, secrets }));
    const found = await server.ask("games", { own }).finally(() => this.#askAgain());
    if (this.#isClosed) return;
    const running = found.own.map((row) => ({ ...row, time_left: inWords(Math.round(row.time_left)) }));
    refill(this.#lists, [{ running }, { open: found.open }, { games: found.games }], (list) => el("section", { class: list.open ? "served" : null }, ...contents(list)));
  }

  // After an error as well, such as a lost connection.
  #askAgain() {
    if (this.#isClosed) return;
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.open().catch(() => {}), AGAIN);
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#again);
  }
}

function contents({ running, open, games }) {
  if (running) return running.length ? ownGames(running) : [];
  return open ? openGames(open) : newestGames(games);
}

// The user's games with a time for turns, first those in which it is the user's turn.
function ownGames(games) {
  const first = games.toSorted((one, other) => other.is_your_turn - one.is_your_turn);
  return [
    el("h2", {}, "Your games"),
    table(
      ["Game", "Players", "Whose turn", "Time left"],
      first.map(({ game, variant, seats, is_your_turn: isMine, time_left: left }) => [
        link(game, variant),
        players(seats),
        el(isMine ? "strong" : "span", {}, isMine ? "Yours" : "Theirs"),
        left,
      ]),
    ),
  ];
}

function openGames(games) {
  const heading = el("h2", {}, "Open games");
  if (!games.length) return [heading, el("p", { class: "hint" }, "Nobody is waiting. To wait for others, choose “Whoever comes first” in a new game.")];
  const own = stored.read("secrets", {});
  return [
    heading,
    table(
      ["Game", "Seat", "Who waits", "Time for a turn", "Since"],
      games.map(({ game, variant, changed_options: changed, is_begun: isBegun, seats, turn_time: time, created }) => [
        el("span", {}, link(game, variant), el("p", { class: "hint" }, unusual(changed, isBegun))),
        own[game] ? "You wait" : el("button", { type: "button", class: "primary", onclick: (event) => busy(event, "Joining …", () => join(game)) }, "Join"),
        seats.filter(({ open }) => !open).map(({ player, name }) => name || (player === "person" ? "somebody" : player)).join(", ") || "nobody",
        time ? inWords(time) : "as long as you like",
        new Date(created * 1000).toLocaleString(),
      ]),
    ),
  ];
}

function newestGames(games) {
  const heading = el("h2", {}, "Newest games");
  if (!games.length) return [heading, el("p", { class: "hint" }, "No games have been played here yet.")];
  return [
    heading,
    table(
      ["Game", "Players", "Actions", "When"],
      games.map(({ game, variant, seats, plies, created, kind }) => [
        link(game, variant),
        players(seats),
        plies,
        kind === "opened" ? "from a file" : new Date(created * 1000).toLocaleString(),
      ]),
    ),
  ];
}

const link = (game, variant) => el("a", { href: `#/game/${game}` }, server.hello.variants.find(({ name }) => name === variant).title);

const players = (seats) => seats.map(({ name, player }) => name || player || "?").join(" – ");

// The changed rules of an open game, and whether it has begun.
function unusual(changed, isBegun) {
  const options = Object.entries(changed).map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`.slice(0, 60));
  return [...options, ...(isBegun ? ["from a position other than the usual start"] : [])].join(", ");
}

async function join(game) {
  const place = new Place();
  const secrets = secretsOf(game); // of a seat taken in another tab
  const { secret } = await server.ask("join", { game, secrets, name: stored.read("name", "") });
  takeSeat(game, secret);
  place.goTo(game);
}
