// Routes by the address: #/game/ID, #/games ... Without one, a game to play at once.
import { announce, el, notice, stored } from "./dom.js";
import { GameView } from "./play.js";
import { EditorView } from "./editor.js";
import { FeedbackView } from "./feedback.js";
import { begin, openNewGame } from "./newgame.js";
import { GamesView } from "./games.js";
import { PlaytestsView } from "./playtests.js";
import { takeDrops } from "./records.js";
import { LessonsView, lessonView } from "./learn.js";
import { mistakesView } from "./mistakes.js";
import { puzzleView, PuzzlesView } from "./puzzles.js";
import { RulesView } from "./rules.js";
import { StudyView } from "./study.js";
import { server } from "./socket.js";
import { sound } from "./sound.js";

const content = document.getElementById("content");
let view = null;

const PAGES = {
  "": () => new StartView(),
  game: (id, secret) => {
    if (!id) return null;
    if (secret) history.replaceState(null, "", `#/game/${id}`);
    stored.write("game", id);
    return new GameView(id, secret);
  },
  learn: (variant, step) => (variant ? lessonView(variant, step) : new LessonsView()),
  mistakes: (game, step) => game && mistakesView(game, step),
  puzzles: (which, step) => (which ? puzzleView(which, step) : new PuzzlesView()),
  study: () => new StudyView(),
  games: () => new GamesView(),
  feedback: () => new FeedbackView(),
  playtests: () => new PlaytestsView(),
  editor: (variant) => new EditorView(variant),
  rules: (variant, section) => new RulesView(variant, section),
};

// A part of the address; as it is, if it is not encoded well.
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function show() {
  const [, page = "", ...rest] = location.hash.split("?")[0].split("/").map(decoded);
  view?.close();
  view = null;
  announce("");
  const opened = PAGES[page]?.(...rest);
  if (!opened) {
    document.title = "pasgl";
    content.replaceChildren(el("p", { class: "empty" }, "This page does not exist. ", el("a", { href: "#/" }, "Play a game.")));
    return;
  }
  view = opened;
  content.replaceChildren(opened.node);
  try {
    await opened.open();
    if (view === opened) document.title = `${opened.title} · pasgl`;
  } catch (error) {
    if (view !== opened) return;
    if (error.code === "lost") {
      server.addEventListener("open", () => view === opened && show(), { once: true });
      return;
    }
    document.title = "pasgl";
    content.replaceChildren(el("p", { class: "empty" }, `${error.message}. `, el("a", { href: "#/new" }, "Play a game.")));
    if (error.code === "unknown") stored.write("game", null);
  }
}

// A new visitor gets a game at once; a returning one continues theirs.
class StartView {
  title = "New game";
  #isClosed = false;

  constructor() {
    this.node = el("p", { class: "empty" }, "Setting up the board …");
  }

  async open() {
    const last = stored.read("game", null);
    if (last) {
      location.replace(`#/game/${last}`);
      return;
    }
    await server.open();
    const game = await begin(server.hello.variants[0].name, {}, ["person", "level beginner"], "");
    if (!this.#isClosed) location.replace(`#/game/${game}`);
  }

  close() {
    this.#isClosed = true;
  }
}

PAGES.new = () => {
  stored.write("game", null);
  location.replace("#/");
  return { title: "New game", node: el("div"), open: async () => {}, close() {} };
};

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
server.addEventListener("open", () => (connection.hidden = true));
window.addEventListener("hashchange", show);
setUpTools();
takeDrops();
server.open();
show();
