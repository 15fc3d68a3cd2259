// The rules of each game, with pictures.
import { Board } from "./board.js";
import { announce, el, notice } from "./dom.js";
import { aim, howToPlay } from "./howto.js";
import { Legend } from "./legend.js";
import { boardOf, server } from "./socket.js";

const PAUSE = 900; // milliseconds between the actions of an example

export class RulesView {
  #variant;
  #section;
  #isClosed = false;

  constructor(variant, section) {
    this.#variant = variant;
    this.#section = section;
    this.node = el("div", { class: "page rules" });
  }

  async open() {
    await server.open();
    this.#variant ??= server.hello.variants[0].name;
    const { theme } = document.documentElement.dataset;
    const answer = await fetch(`rules/${encodeURIComponent(this.#variant)}.${theme}.html`);
    const text = await answer.text();
    if (!answer.ok) throw new Error(JSON.parse(text).error.message);
    this.title = `Rules of ${server.hello.variants.find(({ name }) => name === this.#variant).title}`;
    const links = server.hello.variants.map(({ name, title }) =>
      el("a", { href: `#/rules/${name}`, "aria-current": name === this.#variant ? "page" : null }, title),
    );
    const body = el("article");
    body.append(...new DOMParser().parseFromString(text, "text/html").body.children);
    body.querySelector("h1").after(...[aim(this.#variant), howToPlay(this.#variant)].filter(Boolean));
    body.querySelectorAll("pre, .pieces").forEach((node) => node.setAttribute("tabindex", "0"));
    body.querySelectorAll("figure[data-labels]").forEach((figure) => this.#movable(figure));
    this.node.replaceChildren(el("nav", { class: "tabs", "aria-label": "Games" }, links), body);
    if (this.#section) body.querySelector(`#rules-${CSS.escape(this.#section)}`)?.scrollIntoView();
  }

  close() {
    this.#isClosed = true;
  }

  // Give an example a button that plays it.
  #movable(figure) {
    const words = el("figcaption", {}, "");
    const play = el("button", { type: "button", class: "served" }, "Play this example");
    play.addEventListener("click", () => {
      play.disabled = true;
      this.#play(figure, words)
        .catch((error) => notice(error.message))
        .finally(() => (play.disabled = false));
    });
    figure.append(words, play);
  }

  async #play(figure, words) {
    const { text, options, labels } = figure.dataset;
    const position = { variant: this.#variant, options: JSON.parse(options), text };
    const legend = new Legend(await boardOf(position.variant, position.options));
    const board = new Board();
    board.shape(legend);
    const all = labels.split(",");
    for (const [number, label] of [null, ...all].entries()) {
      const seen = await server.ask("look", { ...position, labels: all.slice(0, number) });
      if (this.#isClosed) return;
      if (!number) figure.firstElementChild.replaceWith(board.node);
      words.textContent = label === null ? "" : [`${label}.`, ...seen.events].join(" ");
      announce(words.textContent);
      await board.show(seen.drawing, number > 0);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}
