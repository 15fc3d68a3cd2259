// The dialog for a new game: variant, options and players.
import { Place } from "./address.js";
import { inWords, TURN_TIMES } from "./clock.js";
import { dialog, el, listed, sentence, stored } from "./dom.js";
import { boardOf, server } from "./socket.js";

const PERSON_HERE = "person";
const PERSON_THERE = "link";
const ANYBODY = "open";
const PEOPLE = [PERSON_HERE, PERSON_THERE, ANYBODY];
const BEGINNER = "level beginner";
const OTHER = "other";

export async function openNewGame(given = {}) {
  await server.open();
  const { variants, levels } = server.hello;
  const last = stored.read("last", {});
  const chosen = [0, 1, 2, 3].map((seat) => last[`seat${seat}`] ?? (seat === 0 ? PERSON_HERE : BEGINNER));
  let [names, teams] = [["White", "Black"], [0, 1]];
  let asked = 0; // counts the requests for seats, of which the last one counts
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
  const wrong = el("p", { class: "error", role: "alert" });
  const start = el("input", { name: "start", id: "ng-start", value: given.text ?? "", placeholder: "the usual start" });

  const time = el(
    "select",
    { name: "turn-time", id: "ng-time" },
    el("option", { value: "" }, "as long as you like"),
    TURN_TIMES.map((seconds) => el("option", { value: seconds }, inWords(seconds))),
  );
  time.value = last.time ?? "";
  const timeRow = el("label", { class: "row" }, el("span", {}, "Time for a turn"), time);

  // Turns have a time if people play against each other who are not all here.
  function showTime() {
    const people = teams.flatMap((team, seat) => (PEOPLE.includes(chosen[seat]) ? [{ team, value: chosen[seat] }] : []));
    timeRow.hidden = new Set(people.map(({ team }) => team)).size < 2 || people.every(({ value }) => value === PERSON_HERE);
  }

  const who = (seat) => {
    const named = [...server.hello.players, ...[chosen[seat]].filter((value) => value.startsWith("player ")).map((value) => value.slice(7))];
    const select = el(
      "select",
      { name: `seat${seat}`, id: `ng-seat${seat}` },
      el("option", { value: PERSON_HERE }, seat === 0 ? "You" : "A person at this screen"),
      el("option", { value: PERSON_THERE, class: "served" }, "Somebody else, through a link"),
      el("option", { value: ANYBODY, class: "served" }, "Whoever comes first"),
      el("optgroup", { label: "The computer" }, levels.map(({ name, summary: text }) => el("option", { value: `level ${name}` }, `${name}: ${text}`))),
      el("optgroup", { label: "Programs, for those who know them" }, [...new Set(named)].map((name) => el("option", { value: `player ${name}` }, name))),
      el("option", { value: OTHER, class: "served" }, "Another player, by name …"),
    );
    select.value = chosen[seat];
    if (!select.value) select.value = chosen[seat] = BEGINNER;
    select.addEventListener("change", () => {
      if (select.value !== OTHER) {
        chosen[seat] = select.value;
        showTime();
        return;
      }
      const typed = prompt("Its name, such as search:2s, mcts:400 or td:temperature=0.2", "search:1s");
      chosen[seat] = typed ? `player ${typed}` : BEGINNER;
      const changed = who(seat);
      select.replaceWith(changed);
      changed.focus();
    });
    return select;
  };

  // The seats depend on the rules. Of numbers that are out of range the browser tells.
  async function showSeats() {
    const own = ++asked;
    if (!form.checkValidity()) return;
    try {
      const board = await boardOf(variant.value, given.from ? given.options : readOptions());
      if (own !== asked) return;
      wrong.textContent = "";
      if (board.seats.join() === names.join()) return;
      [names, teams] = [board.seats, board.teams];
      fillSeats();
    } catch (error) {
      if (own === asked) wrong.textContent = sentence(error.message);
    }
  }

  function fillSeats() {
    seats.replaceChildren(
      el("legend", {}, "Who plays"),
      ...names.map((name, seat) => el("label", { class: "row" }, el("span", {}, name), who(seat))),
      el("button", { type: "button", class: "quiet", onclick: swap }, "⇅ Change sides"),
    );
    showTime();
  }

  function swap() {
    const own = chosen.splice(0, names.length);
    chosen.unshift(...own.slice(1), own[0]);
    fillSeats();
    seats.querySelector("button").focus();
  }

  function showOptions() {
    const { options: known, summary: text, note } = variants.find(({ name }) => name === variant.value);
    summary.textContent = [text, note].filter(Boolean).map((line) => `${line[0].toUpperCase()}${line.slice(1)}.`).join(" ");
    options.lastChild.replaceChildren(
      ...known.map((option) => el("label", { class: option.needs_server ? "row served" : "row", title: option.meaning }, el("span", {}, option.name.replaceAll("_", " ")), field(option, given.options))),
      unserved(known.filter((option) => option.needs_server)),
    );
    options.querySelectorAll("select, input").forEach((input) => input.addEventListener("change", showSeats));
    showSeats();
  }

  function readOptions() {
    const { options: known } = variants.find(({ name }) => name === variant.value);
    const changed = {};
    for (const option of known) {
      const value = options.querySelector(`[name="option-${option.name}"]`)?.value;
      if (value === undefined || value === "" || value === String(usual(option))) continue;
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
  const play = el("button", { type: "submit", class: "primary" }, "Play");
  form.append(
    el("label", { class: "row" }, el("span", {}, "Game"), variant),
    summary,
    seats,
    timeRow,
    ...begins,
    wrong,
    play,
  );
  const shown = dialog("New game", form);
  fillSeats();
  showOptions();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (play.disabled) return; // Enter in a field submits as well
    const players = chosen.slice(0, names.length);
    wrong.textContent = "";
    play.disabled = true;
    const place = new Place();
    try {
      const [rules, text, from] = given.from ? [{}, "", { from: given.from, ply: given.ply }] : [readOptions(), start.value.trim(), {}];
      const timed = timeRow.hidden || !time.value ? {} : { turn_time: Number(time.value) };
      const game = await begin(variant.value, rules, players, text, { ...from, ...timed });
      stored.write("last", { variant: variant.value, time: time.value, ...Object.fromEntries(players.map((value, seat) => [`seat${seat}`, value])) });
      // Closing the dialog means to stay.
      if (!shown.isConnected) return;
      shown.close();
      place.goTo(game);
    } catch (error) {
      wrong.textContent = sentence(error.message);
      play.disabled = false;
    }
  });
}

// What a page without a server says of options that it does not offer.
function unserved(options) {
  if (!options.length) return "";
  const names = listed(options.map(({ name }) => name.replaceAll("_", " ")));
  return el("p", { class: "hint unserved" }, `To change ${names} needs a server: `, el("code", {}, "pip install 'pasgl-env[play]'"), ", then ", el("code", {}, "pasgl serve"), ". Boards, words and tables for all their values are not among the files of this page.");
}

// An option's value in a game without changed rules. The default is that of a position alone.
const usual = (option) => option.usual ?? option.default;

function field(option, given = {}) {
  const { name, kind, low, high, values } = option;
  const value = given[name] ?? usual(option);
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
  const own = chosen.some((value) => [PERSON_THERE, ANYBODY].includes(value)) ? chosen.indexOf(PERSON_HERE) : -1;
  const seats = chosen.map((value, seat) => {
    if (value.startsWith("level ")) return { level: value.slice(6) };
    if (value.startsWith("player ")) return { player: value.slice(7) };
    if (value === ANYBODY) return { open: true };
    return { player: "person", name: seat === own ? stored.read("name", "") : "" };
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
