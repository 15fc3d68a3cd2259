// Explanations of squares and pieces, and of why a move is not legal.
import { announce, el } from "./dom.js";
import { server } from "./socket.js";

const WAIT = 700; // milliseconds of hovering before an explanation
const STAY = 6000;

export class Explaining {
  #board;
  #fields;
  #tip = el("div", { class: "tip", role: "tooltip", hidden: true });
  #timer = null;
  #number = 0;

  // fields(): what names the position, for the server; explains(): whether it is the one on the board.
  constructor(board, fields, explains) {
    this.#board = board;
    this.#fields = fields;
    document.body.append(this.#tip);
    board.addEventListener("hover", ({ detail: { square } }) => {
      clearTimeout(this.#timer);
      this.#hide();
      if (square && explains()) this.#timer = setTimeout(() => this.#ask({ square }, square), WAIT);
    });
    board.node.addEventListener("pointerdown", () => {
      clearTimeout(this.#timer);
      this.#hide();
    });
    board.addEventListener("explain", ({ detail: { square } }) => square && explains() && this.#ask({ square }, square, true));
  }

  // Why no piece moves from one square to another, or why a piece cannot move.
  refuse({ from, to }) {
    this.#ask({ square: from, why: true, target: to }, to ?? from, true);
  }

  async #ask(fields, square, stays = false) {
    const number = ++this.#number;
    const { words } = await server.ask("explain", { ...this.#fields(), ...fields }).catch(() => ({ words: [] }));
    if (number !== this.#number || !words.length) return;
    this.#tip.replaceChildren(...words.map((line) => el("p", {}, line)));
    this.#tip.hidden = false;
    // Why not is told beside the board, which one looks at for another move.
    const place = fields.why ? this.#board.scroll.getBoundingClientRect() : this.#board.onScreen(square);
    const { width, height } = this.#tip.getBoundingClientRect();
    const left = Math.min(Math.max(8, place.left + place.width / 2 - width / 2), innerWidth - width - 8);
    const below = place.bottom + 8;
    this.#tip.style.left = `${left + scrollX}px`;
    this.#tip.style.top = `${(below + height < innerHeight ? below : Math.max(8, place.top - height - 8)) + scrollY}px`;
    if (stays) {
      announce(words.join(" "));
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#hide(), STAY);
    }
  }

  #hide() {
    this.#number++;
    this.#tip.hidden = true;
  }

  close() {
    clearTimeout(this.#timer);
    this.#tip.remove();
  }
}
