// Draws positions: a layout, which is data, puts the sprites of a scene where they belong. Writes the
// same SVG as the renderer in Python, pasgl_env/render/svg.

const BOX = 100; // units of symbols
const FIELD = /\{(\w+)([+-][\d.]+)?\}/g;
const FONT = "DejaVu Sans, Verdana, sans-serif";
const SIDE = 480; // of the drawing of a diagram
const NO_MARKS = { last: [], targets: [], moves: [] };

export class Layout {
  #parts = [];
  #used = new Map(); // shapes that the parts use, by name
  #title = "";

  // From the layout that `board` answers; docs/web_protocol.md.
  constructor(data) {
    Object.assign(this, data);
    this.names = [...(data.squares ?? []), ...(data.others ?? [])];
  }

  // The SVG of a drawing, as states have them: sprites and marks, or a diagram of a game without scenes.
  draw({ sprites = [], diagram = null, ...marks }) {
    this.#begin("");
    if (diagram !== null) this.#drawDiagram(diagram);
    else this.#drawScene(sprites.map(([number, other, look, symbol, place, target]) => ({ number, other, look, symbol, place, target })), { ...NO_MARKS, ...marks });
    this.#title = `${this.title}: ${this.#title}`;
    return this.#written(this.size);
  }

  // The SVG of a piece alone; null if there is no such piece.
  icon(symbol) {
    const icon = this.icons?.[symbol];
    if (!icon) return null;
    this.#begin(icon.name);
    this.#add(icon.svg);
    return this.#written([BOX, BOX]);
  }

  #begin(title) {
    this.#parts = [];
    this.#used = new Map();
    this.#title = title;
  }

  #written([width, height]) {
    const shapes = [...this.#used].map(([name, svg]) => `<g id="${this.prefix}${name}">${svg}</g>`);
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${written(width)} ${written(height)}" role="img"><title>${escaped(this.#title)}</title><defs>${shapes.join("")}</defs>${this.#parts.join("")}</svg>`;
  }

  #add(svg) {
    for (const [, id] of svg.matchAll(/href="#([^"]+)"/g)) {
      const name = id.startsWith(this.prefix) ? id.slice(this.prefix.length) : id;
      this.#used.set(name, this.shapes[name]);
    }
    this.#parts.push(svg);
  }

  #drawScene(sprites, { last, targets, moves }) {
    const arrows = this.move >= 0 ? moves : [];
    const touched = arrows.length ? arrows.flat() : last;
    this.#add(this.ground);
    for (const name of [...new Set(touched)].sort()) this.#tint(name, this.theme.last, 0.5, 0.04, "last");
    this.#add(this.scenery);
    for (const [origin, target] of arrows) {
      const [place, end] = [origin, target].map((name) => this.squares.indexOf(name));
      this.#sprite({ number: 0, other: 0, look: this.move, symbol: -1, place, target: end });
    }
    const of = (role) => sprites.filter(({ look }) => this.looks[look].role === role);
    for (const sprite of of("scenery")) this.#sprite(sprite);
    if (of("area").length) this.#area(of("area"));
    const own = this.#mark(of, targets);
    const cells = this.#cells(of("piece"));
    const upper = new Set([...of("piece"), ...of("shape"), ...of("choice").filter(({ place }) => own.has(place))]);
    for (const sprite of sprites) if (upper.has(sprite)) this.#sprite(sprite, cells.get(sprite));
  }

  // The cells of pieces, which share places.
  #cells(pieces) {
    const cells = new Map();
    for (const at of new Set(pieces.map(({ place }) => place))) {
      const here = pieces.filter(({ place }) => place === at);
      cellsIn(this.places.at(at), here.length).forEach((cell, number) => cells.set(here[number], cell));
    }
    return cells;
  }

  // Mark origin and targets; returns the places that have marks of their own.
  #mark(of, targets) {
    const looks = new Map(of("target").map((sprite) => [sprite.place, sprite]));
    const places = targets.map((name) => this.squares.indexOf(name)).sort((one, other) => one - other);
    const own = new Set();
    for (const place of places) {
      const sprite = looks.get(place) ?? looks.get(-1);
      if (!sprite) continue;
      own.add(place);
      this.#sprite({ ...sprite, place });
    }
    const origin = of("origin").at(-1);
    if (origin) this.#tint(this.squares[origin.place], this.theme.target, 0.25, 0.07, "origin");
    const occupied = new Set(of("piece").map(({ place }) => this.names[place]));
    const usual = targets.filter((name) => !own.has(this.squares.indexOf(name)));
    for (const name of usual.sort()) this.#target(name, occupied.has(name));
    return own;
  }

  #corner(name) {
    return this.places[this.squares.indexOf(name)];
  }

  // Fill and frame a square; the width of the frame is a share of the side.
  #tint(name, colour, opacity, width, kind) {
    const { x, y } = this.#corner(name);
    const line = width * this.side;
    const inner = written(this.side - line);
    this.#parts.push(
      `<rect x="${written(x + line / 2)}" y="${written(y + line / 2)}" width="${inner}" height="${inner}" class="${kind}" fill="${colour}" fill-opacity="${written(opacity)}" stroke="${colour}" stroke-width="${written(line)}"/>`,
    );
  }

  // Mark the corners of an occupied square; elsewhere draw a dot.
  #target(name, isOccupied) {
    const { x, y } = this.#corner(name);
    const half = this.side / 2;
    if (!isOccupied) {
      this.#parts.push(`<circle cx="${written(x + half)}" cy="${written(y + half)}" r="${written(0.15 * this.side)}" class="target" fill="${this.theme.target}"/>`);
      return;
    }
    const [side, arm] = [written(this.side), written(0.24 * this.side)];
    const corners = `M${written(x)} ${written(y)}h${arm}l-${arm} ${arm}zm${side} 0v${arm}l-${arm} -${arm}zm0 ${side}h-${arm}l${arm} -${arm}zm-${side} 0v-${arm}l${arm} ${arm}z`;
    this.#parts.push(`<path d="${corners}" class="target" fill="${this.theme.target}"/>`);
  }

  // The shapes of a sprite, in a cell or its place.
  #sprite(sprite, cell) {
    const look = this.looks[sprite.look];
    const box = shrunk(cell ?? this.places.at(sprite.place), look.share);
    const [cx, cy] = centre(box);
    const fields = { number: sprite.number, other: sprite.other, scale: written(box.width / BOX, 4), ...this.symbols[sprite.symbol] };
    if (sprite.place >= 0) fields.square = this.names[sprite.place];
    const at = { x: box.x, y: box.y, cx, cy };
    const fill = (form) =>
      form.replace(FIELD, (_, name, more) => {
        if (name in at) return written(at[name] + Number(more ?? 0));
        if (name === "arrow") return this.#arrow([cx, cy], centre(this.places.at(sprite.target)), Number(more ?? 0));
        return fields[name];
      });
    const words = fill(look.words);
    fields.words = escaped(words);
    if (look.room) fields.size = written(Math.min(look.size, look.room / words.length));
    this.#title += fill(look.title);
    this.#add(fill(look.svg));
  }

  // The outline of an arrow between two points.
  #arrow([x, y], [right, down], off) {
    const { shaft, head, length, gap } = this.arrow;
    const far = Math.hypot(right - x, down - y) / this.side;
    const [dx, dy] = [(right - x) / far, (down - y) / far];
    const [tip, neck] = [far - gap, far - gap - length];
    const half = [[off, shaft], [neck, shaft], [neck, head]];
    const points = [...half, [tip, 0], ...half.toReversed().map(([along, aside]) => [along, -aside])];
    return `M${points.map(([along, aside]) => `${written(x + along * dx - aside * dy)} ${written(y + along * dy + aside * dx)}`).join("L")}z`;
  }

  // The squares of an area and its edges; the numbers of its sprites are sets of files on the ranks.
  #area([first, ...others]) {
    const rows = [first, ...others].map(({ number }) => bits(number, this.board.files));
    if (!rows.some((row) => row.includes(true))) return;
    const { left, top, side, files, ranks } = this.board;
    const columns = Array.from({ length: files }, (_, file) => rows.map((row) => row[file]));
    const area = rows.map((row, rank) => runs(row).map(([from, end]) => {
      const width = written((end - from) * side);
      return `M${written(left + from * side)} ${written(top + (ranks - 1 - rank) * side)}h${width}v${written(side)}h-${width}z`;
    }));
    const move = (file, rank) => `M${written(left + file * side)} ${written(top + (ranks - rank) * side)}`;
    const across = edges(rows).map(([rank, from, end]) => `${move(from, rank)}h${written((end - from) * side)}`);
    const upward = edges(columns).map(([file, from, end]) => `${move(file, from)}v${written((from - end) * side)}`);
    const fields = { area: area.flat().join(""), outline: [...across, ...upward].join("") };
    this.#add(this.looks[first.look].svg.replace(FIELD, (_, name) => fields[name]));
  }

  // A text in letters of one width.
  #drawDiagram(text) {
    const lines = text.split("\n");
    const room = SIDE - 32;
    const longest = Math.max(1, ...lines.map((line) => line.length));
    const size = Math.min(26, room / (0.603 * longest), room / (1.3 * lines.length));
    const left = (SIDE - 0.603 * size * longest) / 2;
    const top = (SIDE - 1.3 * size * lines.length) / 2;
    this.#title = "a diagram";
    this.#parts.push(`<rect x="0" y="0" width="${SIDE}" height="${SIDE}" fill="${this.theme.page}"/>`);
    lines.forEach((line, number) => {
      const shown = escaped(line.replaceAll(" ", "\u00a0"));
      this.#parts.push(`<text x="${written(left)}" y="${written(top + 1.3 * size * (number + 0.7))}" text-anchor="start" font-family="DejaVu Sans Mono, monospace, ${FONT}" font-size="${written(size)}" fill="${this.theme.ink}">${shown}</text>`);
    });
  }
}

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

const escaped = (text) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]);

// A number with at most so many decimals. What is added decides between two that are equally near.
const written = (value, decimals = 2) => (value + 1e-9).toFixed(decimals).replace(/\.?0+$/, "");

const centre = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

// The part of a box around its middle with a share of its width and height.
function shrunk({ x, y, width, height }, share) {
  const inset = (1 - share) / 2;
  return { x: x + inset * width, y: y + inset * height, width: share * width, height: share * height };
}

// Squares as large as fit into a box, evenly spread.
function cellsIn({ x, y, width, height }, number) {
  if (number === 2 && width / height > 0.8 && width / height < 1.25) {
    // Larger on the diagonal than side by side, because silhouettes leave their corners free.
    const side = 0.58 * Math.min(width, height);
    return [{ x, y, width: side, height: side }, { x: x + width - side, y: y + height - side, width: side, height: side }];
  }
  let [side, columns] = [0, 0];
  for (let each = 1; each <= number; each++) {
    const fits = Math.min(width / each, height / Math.ceil(number / each));
    if (fits >= side) [side, columns] = [fits, each];
  }
  const [wide, high] = [width / columns, height / Math.ceil(number / columns)];
  const [left, top] = [x + (wide - side) / 2, y + (high - side) / 2];
  return Array.from({ length: number }, (_, cell) => ({ x: left + (cell % columns) * wide, y: top + Math.floor(cell / columns) * high, width: side, height: side }));
}

// The bits of a number, which may have more than 32.
const bits = (number, count) => Array.from({ length: count }, (_, bit) => Boolean((BigInt(number) >> BigInt(bit)) & 1n));

// The first of each run of true values, and the place after its last.
function runs(row) {
  const found = [];
  row.forEach((value, at) => {
    if (value && !row[at - 1]) found.push([at, at + 1]);
    else if (value) found.at(-1)[1]++;
  });
  return found;
}

// Where neighbouring rows differ: the number of the upper one, and the runs.
function edges(rows) {
  const none = rows[0].map(() => false);
  return [...rows, none].flatMap((row, number) => {
    const before = rows[number - 1] ?? none;
    return runs(row.map((value, at) => value !== before[at])).map((run) => [number, ...run]);
  });
}
