// Links to a game: one to watch it, and one for each seat of somebody who is elsewhere.
import { dialog, el, listed, notice, refill, stored } from "./dom.js";
import { server } from "./socket.js";

const OWN_MACHINE = ["localhost", "127.0.0.1", "[::1]"];
const LONGEST_NAME = 40;
const LONGEST_ID = 40;
const MOST_SEATS = 4;

// The address of the variations of a position: { game, ply } or { variant, options, text }, with labels to
// be played from there.
export function studyAddress({ options, labels = [], ...fields }) {
  const query = new URLSearchParams(fields);
  if (options && Object.keys(options).length) query.set("options", JSON.stringify(options));
  if (labels.length) query.set("play", labels.join());
  return `#/study?${query}`;
}

export function openLinks(game, seats, you) {
  const links = Object.keys(linksOf(game)).map((seat) => linkRow(`To play ${seats[seat].seat}. Keep it private.`, linkTo(game, seat)));
  const name = you.length ? nameForm(game, seats[you[0]].name) : null;
  dialog("Links", ...links, ...openRows("To watch", linkTo(game)), name);
}

// The link to what a part of the address names.
export function openLink(text, part) {
  dialog("Links", ...openRows(text, address() + part));
}

// A link, and where the server allows it the text that shows its page in a frame.
function openRows(text, link) {
  const frame = el("iframe", { src: link, width: 400, height: 560, title: "A board of pasgl" }).outerHTML;
  return [linkRow(text, link), server.hello.embedding ? linkRow("To show it in a page of the site that the server allows", frame) : null];
}

// Above the board of a game with people elsewhere: who is awaited, with the links to send, and what is
// wrong with the user's own link.
export class Invitation {
  #game;
  #offered = null; // the secret of a link for somebody else, which the user has opened
  #answered;
  isWrong = false; // whether the link that the user came by opens no seat
  node = el("div", { class: "invitation" });

  // secret: that of the link that the user came by; answered(): called after a seat was taken or left.
  constructor(game, secret, answered) {
    this.#game = game;
    this.#answered = answered;
    if (secret && isForOthers(game, secret)) this.#offered = secret;
    else if (secret) takeSeat(game, secret);
  }

  show({ seats, turn_time: turnTime }, { you, over }, turns, present) {
    const played = new Set(turns.map(([, , seat]) => seat));
    const open = seats.flatMap(({ seat, open }) => (open && you.length && !over ? [seat] : []));
    const awaited = Object.keys(linksOf(this.#game)).filter((seat) => !over && !present.includes(Number(seat)) && !played.has(Number(seat)));
    const mayLose = !over && !turnTime && seats.some(({ joined }, seat) => joined && you.includes(seat) && !played.has(seat));
    const nameless = isNameless(seats, { you, over }) && you.every((seat) => !played.has(seat));
    // The form is first, though shown last: what is being typed stays when somebody comes.
    const items = [
      ...(nameless ? [{ nameless: true }] : []),
      ...(this.isWrong ? [{ wrong: true }] : []),
      ...(this.#offered && !over ? [{ offered: true }] : []),
      ...(awaited.length || open.length ? [{ awaited: [...open, ...awaited.map((seat) => seats[seat].seat)] }] : []),
      ...(open.length ? [{ open }] : []),
      ...(mayLose ? [{ mayLose }] : []),
      ...awaited.map((seat) => ({ seat, name: seats[seat].seat })),
    ];
    this.node.hidden = !items.length;
    refill(this.node, items, (item) => this.#make(item));
  }

  #make({ wrong, offered, awaited, open, mayLose, seat, name }) {
    if (offered) return this.#question();
    if (wrong) return el("p", { class: "error" }, "This link opens no seat of the game: part of it may be missing, or somebody else took the seat while you were away. You can watch; to play, ask for the link again.");
    if (awaited) return el("h2", {}, `Waiting for ${listed(awaited)}`);
    if (open) return el("p", {}, `Whoever comes first plays ${listed(open)}: the others find this game under `, el("a", { href: "#/games" }, "Games"), ". Who leaves without a move has ten minutes to come back. Keep this page open, it tells you.");
    if (mayLose) return el("p", { class: "hint" }, "If you leave before your first move, come back within ten minutes: then others may take your seat.");
    if (seat) return linkRow(`Send this link to the person who plays ${name}. It is for that person alone.`, linkTo(this.#game, seat));
    return nameForm(this.#game);
  }

  #question() {
    const answer = (isTaken) => {
      if (!this.#offered) return; // a second press
      if (isTaken) takeSeat(this.#game, this.#offered);
      this.#offered = null;
      this.#answered();
    };
    return el(
      "div",
      { role: "alert" },
      el("p", {}, "This link is for the other person. Take this seat, too? You would play both sides at this screen."),
      el("div", { class: "buttons" }, el("button", { type: "button", onclick: () => answer(false) }, "Leave it"), el("button", { type: "button", onclick: () => answer(true) }, "Take it")),
    );
  }
}

// The secrets of the user's seats in a game.
export const secretsOf = (game) => stored.read("secrets", {})[game] ?? [];

// Whether a link's seat is somebody else's: the user has another one, or has got the link to pass it on.
function isForOthers(game, secret) {
  const own = secretsOf(game);
  return !own.includes(secret) && (own.length > 0 || Object.values(linksOf(game)).includes(secret));
}

export function takeSeat(game, secret) {
  const kept = stored.read("secrets", {});
  // The server takes no others: a wrong link must not spoil what is kept.
  if (game.length > LONGEST_ID || (kept[game]?.length ?? 0) >= MOST_SEATS) return;
  stored.write("secrets", { ...kept, [game]: [...new Set([...(kept[game] ?? []), secret])] });
}

// Whether people play who are not at this screen.
export const hasOthers = (seats, you) => seats.some(({ player }, seat) => player === "person" && !you.includes(seat));

// Whether the user plays with people elsewhere, who have not been told a name.
export const isNameless = (seats, { you, over }) => hasOthers(seats, you) && !over && you.length > 0 && you.every((seat) => !seats[seat].name);

const linksOf = (game) => stored.read("links", {})[game] ?? {};

function linkTo(game, seat) {
  return [`${address()}#/game/${game}`, ...(seat ? [linksOf(game)[seat]] : [])].join("/");
}

function linkRow(text, link) {
  const input = el("input", { value: link, readonly: true, "aria-label": text });
  const button = el("button", { type: "button", class: "primary" }, "Copy");
  const said = el("p", { class: "hint", role: "status" });
  button.addEventListener("click", async () => {
    said.textContent = (await copied(input)) ? "Copied." : "This browser does not let the page copy: copy the marked link yourself.";
  });
  return el("div", { class: "link-row" }, el("p", {}, text), input, button, said);
}

// The name stays in this browser, for later games, too.
function nameForm(game, name = "") {
  const input = el("input", { value: name || stored.read("name", ""), maxlength: LONGEST_NAME, autocomplete: "nickname", "aria-label": "Your name" });
  const form = el("form", { class: "link-row" }, el("p", {}, "Your name, which the others see"), input, el("button", { type: "submit" }, "Save"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    stored.write("name", input.value.trim());
    giveName(game).catch((error) => notice(error.message));
  });
  return form;
}

// Tell the others in a game the user's name.
export const giveName = (game) => server.ask("name", { game, name: stored.read("name", "") });

// The address at which others reach this page: the one that the user has, which may be that of a proxy.
// On the server's own machine it is of no use to others, and the server's word counts.
function address() {
  const told = new URL(server.hello.link);
  return OWN_MACHINE.includes(location.hostname) ? told.href : location.origin + location.pathname + told.search;
}

// Copy the text of a field, which is marked; whether it was done.
async function copied(input) {
  input.focus();
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    // Without HTTPS there is no clipboard, but the older command works.
    return document.execCommand("copy");
  }
}
