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
    const [left, top] = this.#beside(this.#board.onScreen(square));
    this.#tip.style.left = `${left + scrollX}px`;
    this.#tip.style.top = `${top + scrollY}px`;
    if (stays) {
      announce(words.join(" "));
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#hide(), STAY);
    }
  }

  // A place for the tip beside the board, which it does not cover: on the right, else below or above it.
  #beside(square) {
    const board = this.#board.node.getBoundingClientRect();
    const { width, height } = this.#tip.getBoundingClientRect();
    const within = (wanted, size, all) => Math.min(Math.max(8, wanted), all - size - 8);
    if (board.right + width + 16 < innerWidth) return [board.right + 8, within(square.top, height, innerHeight)];
    const left = within(square.left + square.width / 2 - width / 2, width, innerWidth);
    return [left, board.bottom + height + 16 < innerHeight ? board.bottom + 8 : Math.max(8, board.top - height - 8)];
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
