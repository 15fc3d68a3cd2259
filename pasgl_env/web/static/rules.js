// The rules of each game, with pictures.
import { el } from "./dom.js";
import { aim, howToPlay } from "./howto.js";
import { server } from "./socket.js";

export class RulesView {
  #variant;
  #section;

  constructor(variant, section) {
    this.#variant = variant;
    this.#section = section;
    this.node = el("div", { class: "page rules" });
  }

  async open() {
    await server.open();
    this.#variant ??= server.hello.variants[0].name;
    const query = new URLSearchParams({ theme: document.documentElement.dataset.theme });
    const answer = await fetch(`rules/${encodeURIComponent(this.#variant)}?${query}`);
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
    this.node.replaceChildren(el("nav", { class: "tabs", "aria-label": "Games" }, links), body);
    if (this.#section) body.querySelector(`#rules-${CSS.escape(this.#section)}`)?.scrollIntoView();
  }

  close() {}
}
