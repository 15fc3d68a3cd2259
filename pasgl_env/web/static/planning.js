// A move that a player plans while somebody else is to move. It is kept here only; when it is the player's
// turn, it is made if exactly one legal action has its squares.
export class Plan {
  #board;
  #mayBegin;
  #changed;
  #squares = []; // that of a piece, and then its target

  // mayBegin(square): whether the user may plan a move from there; changed(): there is another plan.
  constructor(board, mayBegin, changed, signal) {
    this.#board = board;
    this.#mayBegin = mayBegin;
    this.#changed = changed;
    board.addEventListener("choose", ({ detail }) => this.#choose(detail.square));
    board.addEventListener("lift", (event) => this.#lift(event));
    board.addEventListener("drop", ({ detail }) => this.#squares.length === 1 && this.#choose(detail.square));
    board.addEventListener("cancel", () => this.drop());
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.drop(), { signal });
  }

  // The move in words; empty if none is planned.
  get words() {
    return this.#squares.length === 2 ? this.#squares.join(" to ") : "";
  }

  // The actions that have the squares of the plan.
  fitting(actions) {
    const [from, to] = this.#squares;
    return actions.filter(({ origin, target }) => origin === from && target === to);
  }

  drop() {
    this.#set([]);
  }

  #choose(square) {
    const [from, to] = this.#squares;
    if (square === from) this.drop();
    else if (from && !to && square) this.#set([from, square]);
    else this.#set(this.#mayBegin(square) ? [square] : []);
  }

  #lift(event) {
    const { square } = event.detail;
    if (!this.#mayBegin(square)) return;
    event.preventDefault();
    this.#set([square]);
  }

  #set(squares) {
    if (!squares.length && !this.#squares.length) return;
    this.#squares = squares;
    this.#board.plan(squares);
    this.#changed();
  }
}
