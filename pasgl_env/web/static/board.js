// A board: the drawing of a position, with clicks, drags and the keyboard on top.
import { drawing, el, picture, sample, shape } from "./dom.js";

const PIECES = ".piece";
const FAR = 6; // pixels after which a press is a drag
const LONG = 500; // milliseconds of a long press
const SMALLEST = 24; // pixels of a square, large enough for fingers
const WIDE = 500; // the least width of a board that has no room for anything beside it on a low screen

export class Board extends EventTarget {
  layout = null; // which draws, in the page's theme
  #places = {};
  #squares = new Map();
  #drawn = null;
  #over = shape("svg", { class: "over", role: "group", "aria-label": "Board" });
  #marks = shape("g");
  #planned = shape("g");
  #arrows = shape("g", { class: "arrows" });
  #pointed = shape("g", { class: "arrows" });
  #hits = shape("g");
  #ghost = null;
  #flipped = false;
  #text = "";
  #size = [1, 1];
  #focus = null;
  #marked = {}; // as mark() was told
  #names = () => "";

  constructor() {
    super();
    this.node = el("div", { class: "board" });
    this.scroll = el("div", { class: "board-scroll", tabindex: "-1" }, this.node);
    this.#over.append(this.#marks, this.#planned, this.#arrows, this.#pointed, this.#hits);
    this.node.append(this.#over);
    this.#listen();
  }

  get flipped() {
    return this.#flipped;
  }

  set flipped(value) {
    this.#flipped = value;
    this.node.classList.toggle("flipped", value);
    if (this.#text) this.#redraw();
  }

  // Be the board of a legend.
  shape(legend) {
    const { places, layout } = legend;
    const [width, height] = layout.size;
    this.layout = layout;
    this.#places = places;
    this.#size = layout.size;
    this.#names = (symbol) => legend.name(symbol);
    const side = Math.min(...Object.values(places).map(([, , w]) => w));
    this.node.style.setProperty("--ratio", width / height);
    const least = (SMALLEST * width) / side;
    this.node.style.setProperty("--least", `${least}px`);
    this.node.classList.toggle("wide", least > WIDE);
    this.#over.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.#hits.replaceChildren();
    this.#squares.clear();
    for (const [name, [x, y, w, h]] of Object.entries(places)) {
      const hit = shape("rect", {
        x, y, width: w, height: h, class: "hit", role: "button", tabindex: "-1", "data-at": name, "aria-label": name,
      });
      this.#squares.set(name, hit);
      this.#hits.append(hit);
    }
    this.#setFocus(Object.keys(places)[0]);
  }

  // Show a drawing, as states have it; pieces that have moved since the last one glide there.
  async show(drawing, animated = true) {
    const text = this.layout.draw(drawing);
    if (text === this.#text) return;
    const before = this.#drawn ? positions(this.#drawn) : [];
    const trains = this.#drawn ? [...this.#drawn.querySelectorAll(".train")].map(middle) : [];
    this.#text = text;
    this.#redraw();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!animated || !before.length || still) return;
    const moved = glides(before, positions(this.#drawn));
    this.#drawn.querySelectorAll(".train").forEach((train, number) => {
      if (trains[number]) moved.push({ node: train, from: trains[number], to: middle(train) });
    });
    await Promise.all(moved.map(glide));
  }

  #redraw() {
    const drawn = drawing(this.#text);
    drawn.setAttribute("aria-hidden", "true");
    drawn.removeAttribute("role");
    this.#drawn?.remove();
    this.node.prepend(drawn);
    this.#drawn = drawn;
    if (this.#flipped) this.#turn();
    this.#name();
    this.mark(this.#marked);
    this.#tell("drawn", {});
  }

  // The elements of the drawing that a CSS selector names.
  find(selector) {
    return this.#drawn ? [...this.#drawn.querySelectorAll(selector)].filter((node) => !node.closest("defs")) : [];
  }

  // The symbols of the pieces on a square.
  symbols(square) {
    return this.find(PIECES).filter((piece) => piece.dataset.square === square).map(symbolOf);
  }

  // A picture of a piece as it is drawn now; null if it is not on the board.
  picture(symbol) {
    const drawn = this.find(PIECES).find((piece) => symbolOf(piece) === symbol);
    return drawn ? sample(drawn) : null;
  }

  // Point at elements of the drawing; null: at none.
  point(selector) {
    this.#pointed.replaceChildren(...(selector ? this.find(selector) : []).map((node) => this.#around(node, "ring")));
  }

  // A frame around an element of the drawing.
  #around(node, kind) {
    const whole = this.#over.getScreenCTM().inverse();
    const box = node.getBoundingClientRect();
    const [start, end] = [box.left, box.right].map((x, at) => new DOMPoint(x, [box.top, box.bottom][at]).matrixTransform(whole));
    const [wide, high] = [Math.abs(end.x - start.x), Math.abs(end.y - start.y)];
    const line = 0.006 * this.#size[0];
    return shape("rect", {
      x: Math.min(start.x, end.x) - line, y: Math.min(start.y, end.y) - line, width: wide + 2 * line, height: high + 2 * line,
      rx: 2 * line, class: kind, "stroke-width": line,
    });
  }

  // On a turned board, pieces and words stay upright, and the Train goes the other way.
  #turn() {
    for (const node of this.#drawn.querySelectorAll("text, use, .piece, .train, .upright")) {
      if (node.closest("defs") || node.parentElement.closest(".piece, .train, .upright")) continue;
      const box = node.getBBox();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const turn = node.matches(".train") ? ` translate(0 ${2 * y}) scale(1 -1)` : ` rotate(180 ${x} ${y})`;
      node.setAttribute("transform", (node.getAttribute("transform") ?? "") + turn);
    }
  }

  #name() {
    const here = new Map();
    for (const piece of this.#drawn.querySelectorAll(PIECES)) {
      const { square, count } = piece.dataset;
      const name = `${count ? `${count} ` : ""}${this.#names(symbolOf(piece))}`;
      here.set(square, [...(here.get(square) ?? []), name]);
    }
    for (const [name, hit] of this.#squares) {
      const what = here.get(name)?.join(", ") ?? "empty";
      hit.dataset.what = what;
      hit.setAttribute("aria-label", `${name}, ${what}`);
    }
  }

  // Mark squares: { origin, piece, targets, movable, risky }, a name, the symbol of the piece chosen
  // there, and sets of names; risky are targets.
  // Choices that the drawing shows itself are not marked.
  mark(marked) {
    this.#marked = marked;
    const { origin = null, piece = null, targets = new Set(), movable = new Set(), risky = new Set() } = marked;
    this.#marks.replaceChildren();
    if (!this.#drawn) return;
    const occupied = new Set([...this.#drawn.querySelectorAll(PIECES)].map((piece) => piece.dataset.square));
    const isDrawn = !origin && this.#drawn.querySelector(".choice");
    for (const name of movable) this.#rect(name, "movable");
    if (origin && this.#places[origin]) this.#markOrigin(origin, piece);
    for (const name of targets) {
      const place = this.#places[name];
      if (!place || isDrawn) continue;
      const [x, y, w, h] = place;
      const kind = risky.has(name) ? "target risky" : "target";
      // The middle of a place that is not square may be a border of the drawing.
      const isFramed = occupied.has(name) || Math.abs(w - h) > 1;
      const [cx, cy] = isFramed ? [x + 0.84 * w, y + 0.16 * h] : [x + w / 2, y + h / 2];
      if (isFramed) this.#rect(name, kind);
      if (!isFramed || risky.has(name)) this.#marks.append(shape("circle", { cx, cy, r: 0.16 * Math.min(w, h), class: kind }));
      if (risky.has(name)) this.#bang(cx, cy, 0.24 * Math.min(w, h));
    }
    for (const [name, hit] of this.#squares) {
      const can = risky.has(name) ? ", danger, can be chosen" : targets.has(name) ? ", can be chosen" : movable.has(name) ? ", can move" : "";
      hit.setAttribute("aria-label", `${name}, ${hit.dataset.what}${can}`);
      hit.classList.toggle("can", targets.has(name) || movable.has(name));
      if (name === origin) hit.setAttribute("aria-pressed", "true");
      else hit.removeAttribute("aria-pressed");
    }
  }

  // The square; of several pieces there the chosen one.
  #markOrigin(origin, symbol) {
    const here = this.find(PIECES).filter((piece) => piece.dataset.square === origin);
    const chosen = here.length > 1 && here.find((piece) => symbolOf(piece) === symbol);
    if (chosen) this.#marks.append(this.#around(chosen, "origin"));
    else this.#rect(origin, "origin");
  }

  // Mark the squares of a move that has not been made yet.
  plan(squares) {
    this.#planned.replaceChildren();
    for (const name of squares) this.#rect(name, "planned", this.#planned);
  }

  // Draw on squares, over what is there: a list of { square, icons }.
  sketch(changed) {
    this.plan([]);
    for (const { square, icons } of changed) {
      const [x, y, w, h] = this.#places[square];
      this.#rect(square, "sketched", this.#planned);
      const size = Math.min(w, h) / Math.ceil(Math.sqrt(icons.length || 1));
      icons.forEach((icon, number) => {
        const across = Math.floor(w / size + 0.01);
        const [left, top] = [x + size * (number % across), y + size * Math.floor(number / across)];
        const node = picture(icon);
        for (const [name, value] of Object.entries({ x: left, y: top, width: size, height: size })) node.setAttribute(name, value);
        const turn = this.#flipped ? `rotate(180 ${left + size / 2} ${top + size / 2})` : "";
        this.#planned.append(shape("g", { transform: turn, class: "sketch" }, node));
      });
    }
  }

  #rect(name, kind, group = this.#marks) {
    const place = this.#places[name];
    if (!place) return;
    const [x, y, w, h] = place;
    const line = 0.05 * Math.min(w, h);
    group.append(
      shape("rect", { x: x + line / 2, y: y + line / 2, width: w - line, height: h - line, rx: line, class: kind, "stroke-width": line }),
    );
  }

  // An exclamation mark, upright on a turned board too.
  #bang(x, y, size) {
    const turn = this.#flipped ? `rotate(180 ${x} ${y})` : "";
    this.#marks.append(shape("text", { x, y: y + 0.36 * size, "font-size": size, class: "bang", transform: turn }, "!"));
  }

  // Arrows: a list of { origin, target, strength } with a strength from 0 to 1.
  arrows(list) {
    this.#arrows.replaceChildren();
    for (const { origin, target, strength } of list) {
      const start = this.centre(origin);
      const end = this.centre(target);
      if (!end) continue;
      const side = this.#places[target][2];
      if (!start) {
        this.#arrows.append(shape("circle", { cx: end[0], cy: end[1], r: 0.42 * side, class: "ring", "stroke-width": 0.08 * side, opacity: strength }));
        continue;
      }
      const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
      const length = Math.hypot(dx, dy) || 1;
      const [ux, uy] = [dx / length, dy / length];
      const wide = (0.06 + 0.1 * strength) * side;
      const tip = [end[0] - ux * 0.1 * side, end[1] - uy * 0.1 * side];
      const neck = [tip[0] - ux * 0.34 * side, tip[1] - uy * 0.34 * side];
      const point = ([x, y], across) => `${x - uy * across} ${y + ux * across}`;
      const outline = [point(start, wide / 2), point(neck, wide / 2), point(neck, wide / 2 + 0.12 * side), point(tip, 0), point(neck, -wide / 2 - 0.12 * side), point(neck, -wide / 2), point(start, -wide / 2)];
      this.#arrows.append(shape("path", { d: `M${outline.join("L")}z`, opacity: 0.35 + 0.5 * strength }));
    }
  }

  centre(name) {
    const place = this.#places[name];
    return place && [place[0] + place[2] / 2, place[1] + place[3] / 2];
  }

  // Where a square is on the screen.
  onScreen(name) {
    return (this.#squares.get(name) ?? this.node).getBoundingClientRect();
  }

  focus(name = this.#focus, options = {}) {
    this.#setFocus(name);
    this.#squares.get(name)?.focus(options);
  }

  #setFocus(name) {
    this.#squares.get(this.#focus)?.setAttribute("tabindex", "-1");
    this.#focus = name;
    this.#squares.get(name)?.setAttribute("tabindex", "0");
  }

  #tell(kind, detail) {
    return this.dispatchEvent(new CustomEvent(kind, { detail, cancelable: true }));
  }

  #listen() {
    let press = null;
    // End a press; what was lifted lies where it was.
    const release = () => {
      clearTimeout(press?.timer);
      document.removeEventListener("keydown", escape);
      this.#ghost?.remove();
      press = this.#ghost = null;
    };
    const escape = ({ key }) => key === "Escape" && release();
    this.#over.addEventListener("pointerdown", (event) => {
      const square = event.target.dataset?.at ?? null;
      if (event.button === 2) this.#tell("cancel", {});
      if (event.button !== 0) return;
      const piece = pieceAt(this.node, event.clientX, event.clientY);
      press = { square, piece, x: event.clientX, y: event.clientY, dragging: false, long: false };
      press.timer = setTimeout(() => {
        if (press && !press.dragging && event.pointerType !== "mouse") {
          press.long = true;
          this.#tell("explain", { square, piece });
        }
      }, LONG);
    });
    this.#over.addEventListener("pointermove", (event) => {
      if (!press || press.long) return;
      if (press.dragging && event.buttons & 2) {
        // A second button that is pressed comes as a move.
        release();
        this.#tell("cancel", {});
      } else if (press.dragging) {
        this.#drag(event);
      } else if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > FAR && press.square) {
        // If nothing can be dragged here, the page scrolls.
        press.dragging = !this.#tell("lift", { square: press.square, piece: press.piece });
        if (press.dragging) {
          this.#over.setPointerCapture(event.pointerId);
          document.addEventListener("keydown", escape);
          this.#lift(press, event);
        }
      }
    });
    const end = (event) => {
      if (!press) return;
      const { dragging, long, square, piece } = press;
      release();
      if (event.type === "pointercancel" || long) return;
      if (!dragging) {
        if (square) this.#setFocus(square);
        this.#tell("choose", { square, piece });
        return;
      }
      const below = document.elementsFromPoint(event.clientX, event.clientY).find((node) => node.dataset?.at);
      this.#tell("drop", { square: below?.dataset.at ?? null });
    };
    this.#over.addEventListener("pointerup", end);
    this.#over.addEventListener("pointercancel", end);
    this.#over.addEventListener("contextmenu", (event) => event.preventDefault());
    this.#over.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "mouse") return;
      const square = event.target.dataset?.at ?? null;
      this.#tell("hover", { square, piece: square && pieceAt(this.node, event.clientX, event.clientY) });
    });
    // A finger leaves as soon as it is lifted, and what it asked for stays.
    this.#over.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && this.#tell("hover", { square: null, piece: null }));
    this.#over.addEventListener("keydown", (event) => this.#key(event));
    this.#over.addEventListener("focusin", (event) => event.target.dataset?.at && this.#setFocus(event.target.dataset.at));
  }

  #key(event) {
    const square = event.target.dataset?.at;
    if (!square) return;
    const ways = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    if (event.key === "Enter" || event.key === " ") this.#tell("choose", { square, piece: null });
    else if (event.key === "?") this.#tell("explain", { square, piece: null });
    else if (event.key === "f") this.#tell("flip", {});
    else if (ways[event.key] && !event.ctrlKey && !event.altKey) this.focus(this.#beside(square, ways[event.key]));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // The nearest square in a direction on the screen.
  #beside(square, [right, down]) {
    const turned = this.#flipped ? -1 : 1;
    const [x, y] = this.centre(square);
    let [best, least] = [square, Infinity];
    for (const name of Object.keys(this.#places)) {
      const [cx, cy] = this.centre(name);
      const along = ((cx - x) * right + (cy - y) * down) * turned;
      const across = Math.abs((cx - x) * down) + Math.abs((cy - y) * right);
      const cost = along + 3 * across;
      if (along > 1 && cost < least) [best, least] = [name, cost];
    }
    return best;
  }

  #lift(press, event) {
    const pieces = [...this.#drawn.querySelectorAll(PIECES)].filter(
      (piece) => piece.dataset.square === press.square && (!press.piece || symbolOf(piece) === press.piece),
    );
    this.#ghost = shape("g", { class: "ghost" });
    this.#ghost.append(...pieces.slice(0, press.piece ? 1 : undefined).map((piece) => piece.cloneNode(true)));
    this.#drawn.append(this.#ghost);
    this.#ghost.dataset.from = `${press.x},${press.y}`;
    this.#drag(event);
  }

  #drag(event) {
    const [x, y] = this.#ghost.dataset.from.split(",").map(Number);
    const scale = (this.#size[0] / this.node.clientWidth) * (this.#flipped ? -1 : 1);
    const [dx, dy] = [(event.clientX - x) * scale, (event.clientY - y) * scale];
    this.#ghost.setAttribute("transform", `translate(${dx} ${dy})`);
  }
}

// The symbol of a drawn piece; where all players share a letter, with the colour.
function symbolOf({ dataset: { piece, colour } }) {
  return colour ? `${colour}-${piece}` : piece;
}

// The symbol of the piece that is drawn at a place of the screen.
function pieceAt(board, x, y) {
  for (const piece of board.querySelectorAll(`svg:not(.over) ${PIECES}`)) {
    if (piece.closest(".ghost")) continue;
    const box = piece.getBoundingClientRect();
    if (x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) return symbolOf(piece);
  }
  return null;
}

function middle(node) {
  const box = node.getBBox();
  const matrix = node.transform.baseVal.consolidate()?.matrix;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return matrix ? [matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f] : [x, y];
}

function positions(drawn) {
  return [...drawn.querySelectorAll(PIECES)].map((node) => ({
    node,
    kind: symbolOf(node).replace(/[^A-Za-z]/g, ""),
    square: node.dataset.square,
    to: middle(node),
  }));
}

// The pieces that have moved: those on a new square, paired with a square that one of their kind left.
function glides(before, after) {
  const key = ({ kind, square }) => `${kind} ${square}`;
  const stayed = new Set(after.map(key));
  const left = before.filter((piece) => !stayed.has(key(piece)));
  const were = new Set(before.map(key));
  const moved = [];
  for (const piece of after) {
    if (were.has(key(piece))) continue;
    const from = left.findIndex(({ kind }) => kind === piece.kind);
    if (from < 0) continue;
    moved.push({ node: piece.node, from: left[from].to, to: piece.to });
    left.splice(from, 1);
  }
  return moved;
}

function glide({ node, from, to }) {
  const [dx, dy] = [from[0] - to[0], from[1] - to[1]];
  if (Math.hypot(dx, dy) < 1) return null;
  // Animate the element around the piece, whose own transform stays.
  const around = shape("g");
  node.replaceWith(around);
  around.append(node);
  const steps = [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }];
  return around.animate(steps, { duration: 260, easing: "ease-in-out" }).finished.catch(() => null);
}
