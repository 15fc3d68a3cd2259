// The dialog for a new game: variant, options and players.
import { dialog, el, notice, stored } from "./dom.js";
import { boardOf, server } from "./socket.js";

const PERSON_HERE = "person";
const PERSON_THERE = "link";

export async function openNewGame(given = {}) {
  await server.open();
  const { variants, levels } = server.hello;
  const last = stored.read("last", {});
  const form = el("form", { class: "new-game", method: "dialog" });
  const variant = el(
    "select",
    { name: "variant", id: "ng-variant" },
    variants.map(({ name, title }) => el("option", { value: name }, title)),
  );
  variant.value = given.variant ?? last.variant ?? variants[0].name;
  const summary = el("p", { class: "hint" });
  const seats = el("fieldset", { class: "seats" });
  const options = el("details", {}, el("summary", {}, "Change rules"), el("div", { class: "options" }));
  const start = el("input", { name: "start", id: "ng-start", value: given.text ?? "", placeholder: "the usual start" });

  const who = (seat, chosen) =>
    el(
      "select",
      { name: `seat${seat}`, id: `ng-seat${seat}` },
      el("option", { value: PERSON_HERE }, seat === 0 ? "You" : "A person at this screen"),
      el("option", { value: PERSON_THERE }, "Somebody else, through a link"),
      el("optgroup", { label: "The computer" }, levels.map(({ name, summary: text }) => el("option", { value: `level ${name}` }, `${name}: ${text}`))),
      el("optgroup", { label: "By name" }, server.hello.players.map((name) => el("option", { value: `player ${name}` }, name))),
      el("option", { value: "other" }, "Another player, by name …"),
      ...[chosen].filter((value) => value && value.startsWith("player ") && !server.hello.players.includes(value.slice(7))).map((value) => el("option", { value }, value.slice(7))),
    );

  async function showSeats() {
    const settings = given.from ? given.options ?? {} : readOptions();
    let names = ["White", "Black"];
    try {
      names = (await boardOf(variant.value, settings)).seats;
    } catch (error) {
      summary.textContent = error.message;
    }
    seats.replaceChildren(
      el("legend", {}, "Who plays"),
      ...names.map((name, seat) => {
        const select = who(seat, null);
        select.value = last[`seat${seat}`] ?? (seat === 0 ? PERSON_HERE : "level beginner");
        if (!select.value) select.value = "level beginner";
        select.addEventListener("change", () => {
          if (select.value !== "other") return;
          const typed = prompt("Its name, such as search:2s, mcts:400 or td:temperature=0.2", "search:1s");
          if (typed) select.append(el("option", { value: `player ${typed}`, selected: true }, typed));
          select.value = typed ? `player ${typed}` : "level beginner";
        });
        return el("label", { class: "row" }, el("span", {}, name), select);
      }),
      el("button", { type: "button", class: "quiet", onclick: swap }, "⇅ Change sides"),
    );
  }

  function swap() {
    const selects = [...seats.querySelectorAll("select")];
    const values = selects.map(({ value }) => value);
    selects.forEach((select, number) => (select.value = values[(number + 1) % values.length]));
  }

  function showOptions() {
    const { options: known, summary: text, note } = variants.find(({ name }) => name === variant.value);
    summary.textContent = `${text}.${note ? ` ${note[0].toUpperCase()}${note.slice(1)}.` : ""}`;
    options.lastChild.replaceChildren(
      ...known.map((option) => el("label", { class: "row", title: option.meaning }, el("span", {}, option.name.replaceAll("_", " ")), field(option, given.options))),
    );
    options.querySelectorAll("select, input").forEach((input) => input.addEventListener("change", showSeats));
    showSeats();
  }

  function readOptions() {
    const { options: known } = variants.find(({ name }) => name === variant.value);
    const changed = {};
    for (const option of known) {
      const value = options.querySelector(`[name="option-${option.name}"]`)?.value;
      if (value === undefined || value === "" || value === String(option.default)) continue;
      if (option.kind === "number") changed[option.name] = Number(value);
      else if (option.kind === "choice") changed[option.name] = option.values.find((each) => String(each) === value);
      else changed[option.name] = value;
    }
    return changed;
  }

  variant.addEventListener("change", showOptions);
  const begins = given.from ? [el("p", { class: "hint" }, "The game continues from the current position.")] : [
    options,
    el("details", { open: given.text ? true : null }, el("summary", {}, "Start from a position"), el("label", { class: "row" }, el("span", {}, "Text"), start)),
  ];
  variant.disabled = Boolean(given.from);
  form.append(
    el("label", { class: "row" }, el("span", {}, "Game"), variant),
    summary,
    seats,
    ...begins,
    el("button", { type: "submit", class: "primary" }, "Play"),
  );
  const shown = dialog("New game", form);
  showOptions();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const chosen = [...seats.querySelectorAll("select")].map(({ value }) => value);
    const choice = { variant: variant.value };
    chosen.forEach((value, seat) => (choice[`seat${seat}`] = value));
    try {
      const from = given.from ? { from: given.from, ply: given.ply } : {};
      const game = await begin(variant.value, readOptions(), chosen, given.from ? "" : start.value.trim(), from);
      stored.write("last", choice);
      // Closing the dialog means to stay.
      if (!shown.isConnected) return;
      shown.close();
      location.hash = `#/game/${game}`;
    } catch (error) {
      notice(error.message);
    }
  });
}

function field({ name, kind, low, high, values, default: usual }, given = {}) {
  const value = given[name] ?? usual;
  if (kind === "choice") {
    const select = el("select", { name: `option-${name}` }, values.map((each) => el("option", { value: String(each) }, String(each))));
    select.value = String(value);
    return select;
  }
  const range = kind === "number" ? { type: "number", min: low, max: high } : { type: "text" };
  return el("input", { name: `option-${name}`, value: String(value), ...range });
}

// Begin a game, and return its id. The secrets of the user's seats stay in this browser.
export async function begin(variant, options, chosen, start, more = {}) {
  const seats = chosen.map((value) => {
    if (value.startsWith("level ")) return { level: value.slice(6) };
    if (value.startsWith("player ")) return { player: value.slice(7) };
    return { player: "person" };
  });
  const fields = { variant, options, seats, ...more };
  if (start) fields.start = start;
  const { game, secrets } = await server.ask("new", fields);
  const kept = stored.read("secrets", {});
  const links = {};
  for (const [seat, secret] of Object.entries(secrets)) {
    if (chosen[seat] === PERSON_THERE) links[seat] = secret;
    else kept[game] = [...(kept[game] ?? []), secret];
  }
  stored.write("secrets", Object.fromEntries(Object.entries({ ...kept }).slice(-200)));
  if (Object.keys(links).length) stored.write("links", { ...stored.read("links", {}), [game]: links });
  stored.write("game", game);
  return game;
}
