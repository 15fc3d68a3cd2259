// Record files, dropped on the page or chosen: opens each game in them.
import { dialog, el, notice } from "./dom.js";
import { server } from "./socket.js";

export async function openRecords(files) {
  const opened = [];
  for (const file of files) {
    const token = new URLSearchParams(location.search);
    token.set("name", file.name);
    const answer = await fetch(`records?${token}`, { method: "POST", body: file });
    const told = await answer.json();
    if (!answer.ok) {
      notice(`${file.name}: ${told.error.message}`);
      continue;
    }
    if (told.games[0].wrong) notice(told.games[0].wrong);
    opened.push(...told.games);
  }
  if (!opened.length) return;
  location.hash = `#/game/${opened[0].game}`;
  if (opened.length > 1) choose(opened);
}

function choose(games) {
  const titles = Object.fromEntries(server.hello.variants.map(({ name, title }) => [name, title]));
  const shown = dialog(
    `${games.length} games`,
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
  return el("div", { class: "served" }, el("button", { type: "button", onclick: () => input.click() }, "Open records (.pgr, .pgb) …"), input);
}
