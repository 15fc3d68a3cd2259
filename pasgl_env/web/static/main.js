// Routes by the address: #/game/ID, #/games ... Without one, a game to play at once.
import { Place } from "./address.js";
import { announce, el, notice, sentence, stored } from "./dom.js";
import { GameView } from "./play.js";
import { begin, openNewGame } from "./newgame.js";
import { takeDrops } from "./records.js";
import { boardOf, server } from "./socket.js";
import { sound } from "./sound.js";

const content = document.getElementById("content");
let view = null;
let asked = 0; // counts the pages that were asked for, of which the last counts

// A page that is loaded when it is asked for.
const later = (file, make) => async (...parts) => make(await import(file), ...parts);

const PAGES = {
  "": () => new StartView(),
  new: (variant) => new StartView(true, variant),
  from: (variant, choices, options = "{}", start = "") => new StartView(true, variant, { choices, start }, JSON.parse(options)), // a link of a page without a server
  game: (id, secret) => {
    if (!id) return null;
    if (secret) new Place().rename(`#/game/${id}`);
    stored.write("game", id);
    return new GameView(id, secret);
  },
  learn: later("./learn.js", ({ lessonView, LessonsView }, variant, step) => (variant ? lessonView(variant, step) : new LessonsView())),
  mistakes: later("./mistakes.js", ({ mistakesView }, game, step) => game && mistakesView(game, step)),
  puzzles: later("./puzzles.js", ({ puzzleView, PuzzlesView }, which, step) => (which ? puzzleView(which, step) : new PuzzlesView())),
  endings: later("./puzzles.js", ({ endingView }, number) => endingView(number)),
  study: later("./study.js", ({ StudyView }) => new StudyView()),
  games: later("./games.js", ({ GamesView }) => new GamesView()),
  feedback: later("./feedback.js", ({ FeedbackView }) => new FeedbackView()),
  playtests: later("./playtests.js", ({ PlaytestsView }) => new PlaytestsView()),
  editor: later("./editor.js", ({ EditorView }, variant) => new EditorView(variant)),
  rules: later("./rules.js", ({ RulesView }, variant, section) => new RulesView(variant, section)),
};

const OF_VARIANTS = ["new", "from", "learn", "puzzles", "editor", "rules"]; // whose addresses name a game

// A part of the address; as it is, if it is not encoded well.
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// The game that an address names; null if it names none.
function variantIn(page, first) {
  if (page === "study") return new URLSearchParams(location.hash.split("?")[1]).get("variant");
  return OF_VARIANTS.includes(page) && first !== "daily" ? (first ?? null) : null;
}

async function checkVariant(variant) {
  if (variant === null) return;
  await server.open();
  if (!server.hello.variants.some(({ name }) => name === variant)) throw new Error(`There is no game “${variant}” here`);
}

async function show() {
  const [, page = "", ...rest] = location.hash.split("?")[0].split("/").map(decoded);
  const number = ++asked;
  view?.close();
  view = null;
  announce("");
  let opened = null;
  try {
    await checkVariant(variantIn(page, rest[0]));
    opened = await PAGES[page]?.(...rest);
    if (number !== asked) return;
    if (!opened) throw new Error("This page does not exist");
    view = opened;
    content.replaceChildren(opened.node);
    await opened.open();
    // What is loaded is kept, but only once it does not hold up the first page; absent without HTTPS.
    if (document.documentElement.dataset.engine) navigator.serviceWorker?.register("offline.js");
    if (view === opened) document.title = `${opened.title} · pasgl`;
  } catch (error) {
    if (number !== asked) return;
    if (error.code === "lost") {
      server.addEventListener("open", () => view === opened && show(), { once: true });
      return;
    }
    document.title = "pasgl";
    content.replaceChildren(el("p", { class: "empty" }, `${sentence(error.message)} `, el("a", { href: "#/new" }, "Play a game.")));
    if (["unknown", "field"].includes(error.code)) stored.write("game", null);
  }
}

// A new visitor gets a game at once; a returning one continues theirs, but not where a new one is asked for.
class StartView {
  title = "New game";
  #isNew;
  #variant;
  #more;
  #options;

  constructor(isNew = false, variant = null, more = {}, options = {}) {
    this.#isNew = isNew;
    this.#variant = variant;
    this.#more = more;
    this.#options = options;
    this.node = el("p", { class: "empty" }, "Setting up the board …");
  }

  async open() {
    const last = this.#isNew ? null : stored.read("game", null);
    if (last) {
      location.replace(`#/game/${last}`);
      return;
    }
    const place = new Place();
    await server.open();
    const variant = this.#variant ?? server.hello.variants[0].name;
    boardOf(variant, this.#options).catch(() => {}); // on the way while the game begins, which needs it and tells what is wrong
    const game = await begin(variant, this.#options, ["person", "level beginner"], "", this.#more);
    place.goTo(game, { isReplacing: true });
  }

  close() {}
}

function setUpTools() {
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address names the page
    content.focus();
  });
  if (window !== window.top) {
    const brand = document.querySelector(".brand");
    brand.target = "_blank";
    brand.addEventListener("click", () => (brand.href = location.href));
  }
  document.getElementById("new-game").addEventListener("click", () => openNewGame());
  const soundButton = document.getElementById("sound");
  soundButton.setAttribute("aria-pressed", sound.isOn);
  soundButton.addEventListener("click", () => {
    sound.isOn = !sound.isOn;
    soundButton.setAttribute("aria-pressed", sound.isOn);
  });
  document.getElementById("theme").addEventListener("click", async () => {
    const root = document.documentElement.dataset;
    root.theme = root.theme === "dark" ? "light" : "dark";
    stored.write("theme", root.theme);
    try {
      // What has been typed on a page stays, if the page can be drawn anew.
      await (view?.repaint ? view.repaint() : show());
    } catch (error) {
      notice(error.message);
    }
  });
}

const connection = document.getElementById("connection");
server.addEventListener("lost", () => (connection.hidden = false));
const compiling = document.getElementById("compiling");
server.addEventListener("compiling", ({ detail: { message } }) => {
  compiling.textContent = message;
  compiling.hidden = !message;
});
server.addEventListener("refused", () => (connection.textContent = "This link is not valid any more: ask for the new one."));
server.addEventListener("broken", () => {
  connection.textContent = "A part of this page could not be loaded: reload it.";
  connection.hidden = false;
});
server.addEventListener("open", () => (connection.hidden = true));
window.addEventListener("hashchange", show);
setUpTools();
takeDrops();
server.open();
show();
