// John Lawson's notation of PASGL 312 Chess, written as by pasgl_env/games/pasgl312/notation.

const STACK_ORDER = "BHDFWSTMP";
const CARRIERS = "BHDFWS"; // of lunch
const TRACK = "x4 h4 g4 f4 e4 d4 c4 b4 a4 z4 z5 a5 b5 c5 d5 e5 f5 g5 h5 x5".split(" "); // of the Train's head
const ON_BOARD = /^[a-h]/;
const MODIFIERS = /^[~*-]+/;
const REMARK = /^(?:X(?:[a-h][1-8]|[xz][45])[\w;,*-]*|[WB]:[0-9]+)$/;
// What a move, a shot or a chuck begins with: the critter and its square, the sign, a victim, and the square.
const BEGINNING = /^[*-]*(\w..)([:^]?)(?:[*-]*[A-Za-z](?=..))?([a-hxz][1-8])/;

export const LAWSON = {
  // The choices of a word, with commas between them.
  extend: (word, label) => `${word}${word && ","}${label}`,
  leads: (word, text) => {
    const [first, ...others] = word.split(",").map((label) => label.replace(MODIFIERS, ""));
    const beginning = text.match(BEGINNING);
    return text === first || (beginning?.slice(1).join("") === first && others.every((each) => text.includes(each)));
  },
  finish: (_, line) => (isPass(line) ? "pass" : whole(deedOf(line))),
  remarks: (line) => {
    const { last, moments, position } = line;
    if (moments[0].toMove !== 1 && !last.isOver) return [];
    const score = position.points.map((points, seat) => `${"WB"[seat]}:${points}`);
    return [...trained(line), score.join(" ")];
  },
  isRemark: (word) => REMARK.test(word),
};

const isPass = ({ moments }) => moments[1].action.kind === "pass";

// What a turn has done before the Train moves: whom, by letters with squares. Events tell of deaths, and where everybody
// stood tells the rest.
function deedOf(line) {
  const [start, { action }, ...chosen] = line.moments;
  const events = eventsOf(line);
  const { origin, target, kind } = action;
  const { symbols } = line.rules.words;
  const before = critters(line, start.bytes);
  const actor = before.find(({ square, text }) => square === origin && text === action.piece);
  const of = (...kinds) => events.filter((event) => kinds.includes(event.kind));
  const mentioned = ({ text, letter }, square) => {
    const hasDouble = before.some((each) => each.square === square && each.text === letter);
    return `${text.replace("~", "") === `*${letter}` && hasDouble ? "*" : ""}${letter}`;
  };
  const squashed = of("squashed by a Bear", "squashed by a Deer");
  const [killed] = of("shot", "devoured");
  const [robbed] = of("robbed", "hit");
  const pushes = actor.type === "B" ? chosen : [];
  const deadly = of("pushed under").map(({ square }) => square);
  const pushed = pushes.map(({ action: { piece, target: to } }) => ({ ...critter(symbols.find(({ text }) => text === piece)), square: to, isDead: deadly.includes(to) }));
  const eaten = killed?.kind === "devoured" && CARRIERS.includes(killed.type);
  const dead = [
    ...squashed.map(({ letter }) => letter),
    ...(killed ? [eaten ? `-${killed.letter}` : mentioned(killed, target)] : []),
    ...(of("ate a Skunk").length ? [mentioned(actor, origin)] : []),
  ];
  const left = [...before];
  const take = ({ text }, square) => left.splice(left.findIndex((each) => each.square === square && each.text === text), 1);
  [...squashed, ...(killed ? [killed] : [])].forEach((each) => take(each, target));
  pushed.forEach((each) => take(each, target));
  take(actor, origin);
  if (!of("ate a Skunk").length) left.push({ ...actor, square: ["shot", "throw"].includes(kind) ? origin : target });
  left.push(...pushed.filter(({ isDead }) => !isDead));
  const harmed = [...pushed.filter(({ isDead }) => isDead), ...[killed, robbed].filter(Boolean).map((each) => ({ ...each, square: target }))];
  return {
    left, kind, target, dead,
    actor: `${mentioned(actor, origin)}${origin}`,
    isBear: actor.type === "B",
    robbed: robbed ? [mentioned(robbed, target)] : [],
    pushed: pushed.map((each) => `${mentioned(each, target)}${each.square}${each.isDead ? "_" : ""}`),
    sprayed: sprayed(harmed, left),
  };
}

function whole({ actor, kind, target, dead, isBear, robbed, pushed, sprayed: wet }) {
  const killed = dead.join();
  const sign = isBear ? "_" : ":";
  const beginning = kind === "shot" ? `${actor}:${killed}${target}` : `${actor}${kind === "throw" ? "^" : ""}${target}${killed && sign}${killed}`;
  return [beginning, ...robbed.map((each) => `-${each}`), ...pushed.map((each) => `,${each}`), wet.length ? `*${wet}` : ""].join("");
}

// The Train's move after a turn, if it moves, with its victims and riders.
function trained(line) {
  const { first, last, position, rules } = line;
  const { state, text } = rules.game.description;
  const after = phaseOf(position, state);
  position.state.bytes.set(first);
  const before = phaseOf(position, state);
  position.state.bytes.set(last.bytes);
  if (after === before) return [];
  const left = isPass(line) ? critters(line, first) : deedOf(line).left;
  const head = TRACK[after - 1];
  const hit = ON_BOARD.test(head) ? left.filter(({ square }) => square === head) : [];
  const wet = sprayed(hit, left.filter((each) => !hit.includes(each)));
  const dead = hit.sort(byStack).map(({ letter }) => letter);
  const riders = text.forms.riders.squares.flat().map((car) => position.piecesOn(car).map((symbol) => rules.words.symbols[symbol].text).join(""));
  return [`X${head}${dead.length ? `_${dead}` : ""}${wet.length ? `*${wet}` : ""};${riders.join(";")}`.replace(/;+$/, "")];
}

const phaseOf = (position, state) => position.state.read(state)[0].phase;

// The critters next to Skunks among the harmed, which spray the other side.
function sprayed(harmed, left) {
  const skunks = harmed.filter(({ type }) => type === "S");
  const isNear = (one, other) => [0, 1].every((at) => Math.abs(one.charCodeAt(at) - other.charCodeAt(at)) < 2);
  const wet = left.filter(({ type, square, seat }) => type !== "S" && ON_BOARD.test(square) && skunks.some((skunk) => skunk.seat !== seat && isNear(skunk.square, square)));
  return wet.sort(byStack).map(({ letter, square }) => `${letter}${square}`);
}

// In the order of stacks, and alike ones in the order of squares.
const byStack = (one, other) => one.seat - other.seat || STACK_ORDER.indexOf(one.type) - STACK_ORDER.indexOf(other.type) || one.square.charCodeAt(1) - other.square.charCodeAt(1) || one.square.charCodeAt(0) - other.square.charCodeAt(0);

// Everybody on a square in a state.
function critters({ position, rules }, bytes) {
  const { squares, symbols } = rules.words;
  const now = position.state.bytes.slice();
  position.state.bytes.set(bytes);
  const found = squares.flatMap((square, number) => position.piecesOn(number).map((symbol) => ({ ...critter(symbols[symbol]), square })));
  position.state.bytes.set(now);
  return found;
}

// A symbol, with its letter: its case tells the side, its type does not.
const critter = ({ text, seat, icon }) => ({ text, seat, letter: icon, type: icon.toUpperCase() });

// What the turn did, with the symbols of those to whom it happened.
function eventsOf({ last, rules }) {
  const { kinds, squares, symbols } = rules.words;
  return last.events.filter(({ piece }) => piece >= 0).map(({ kind, piece, square }) => ({ ...critter(symbols[piece]), kind: kinds[kind].name, square: squares[square] }));
}
