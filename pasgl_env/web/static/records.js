// Record files, dropped on the page or chosen: opens each game in them. A page without a server reads and
// writes them here.
import { Place } from "./address.js";
import { count, dialog, el, notice } from "./dom.js";
import { server } from "./socket.js";

export async function openRecords(files) {
  const place = new Place();
  const opened = [];
  for (const file of files) {
    try {
      const { games } = await (window.engine ? server.ask("records", { name: file.name, file: URL.createObjectURL(file) }) : send(file));
      if (games[0].wrong) notice(games[0].wrong);
      opened.push(...games);
    } catch (error) {
      notice(`${file.name}: ${error.message}`);
    }
  }
  if (!opened.length) return;
  const isShown = place.goTo(opened[0].game);
  if (opened.length > 1 || !isShown) choose(opened);
}

async function send(file) {
  const token = new URLSearchParams(location.search);
  token.set("name", file.name);
  const answer = await fetch(`records?${token}`, { method: "POST", body: file });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error.message);
  return told;
}

// A link that saves the record of a game.
export function recordLink(game) {
  const link = el("a", { href: `games/${game}/record.pgr`, download: "" }, "record");
  if (window.engine) link.addEventListener("click", (event) => save(event, game).catch((error) => notice(error.message)));
  return link;
}

async function save(event, game) {
  event.preventDefault();
  const { content } = await server.ask("record", { game });
  el("a", { href: URL.createObjectURL(new Blob([content])), download: "game.pgr" }).click();
}

function choose(games) {
  const titles = Object.fromEntries(server.hello.variants.map(({ name, title }) => [name, title]));
  const shown = dialog(
    count(games.length, "game"),
    el(
      "ol",
      { class: "opened" },
      games.map(({ game, variant, seats }) => {
        const names = seats.map(({ name }) => name || "?").join(" – ");
        return el("li", {}, el("a", { href: `#/game/${game}`, onclick: () => shown.close() }, `${titles[variant]}: ${names}`));
      }),
    ),
  );
}

export function takeDrops() {
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length) openRecords(event.dataTransfer.files).catch((error) => notice(error.message));
  });
}

// A button that opens files, for people who cannot drag.
export function fileButton() {
  const input = el("input", { type: "file", multiple: true, accept: ".pgr,.gz,.pgb", class: "hidden", tabindex: "-1", "aria-label": "Files of records" });
  input.addEventListener("change", () => openRecords(input.files).catch((error) => notice(error.message)));
  return el(
    "div",
    {},
    el("button", { type: "button", onclick: () => input.click() }, "Open records (.pgr, .pgb) …"),
    input,
  );
}
