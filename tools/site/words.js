// Labels and sentences, made of a game's words, which are data, and of what its rules write: actions
// and events as records. The same as pasgl_env/contract/description.py and events.py.

const FIELD = /\{(\w+)\}/g;

export class Words {
  constructor(data) {
    Object.assign(this, data);
  }

  /** An action of a player, of a record `action`. */
  action(record) {
    const { verbs, symbols, squares } = this;
    const verb = verbs[record.kind];
    const fields = this.#fields(record);
    return {
      label: filled(verb.label, fields),
      words: filled(verb.words, fields),
      kind: verb.name,
      piece: symbols[record.piece]?.text ?? "",
      origin: fields.origin,
      target: fields.target,
      becomes: symbols[record.becomes]?.text ?? "",
      others: record.others.filter((square) => square >= 0).map((square) => squares[square]),
      asked: verb.asked,
    };
  }

  /** The question for the player to act in the middle of a turn, of such a record. */
  question(record) {
    const { questions } = this;
    return questions.length ? filled(questions[record.kind], this.#fields(record)) : "";
  }

  #fields({ piece, origin, target, becomes, number, others }) {
    const { seats, symbols, squares } = this;
    const [acts, promoted] = [symbols[piece], symbols[becomes]];
    return {
      origin: squares[origin] ?? "",
      target: squares[target] ?? "",
      number,
      others: others.filter((square) => square >= 0).map((square) => squares[square]).join("-"),
      piece: acts && (acts.letter || acts.text),
      name: acts?.name,
      condition: acts?.condition,
      which: acts && (acts.condition ? `${acts.name}, ${acts.condition}` : acts.name),
      owner: acts && seats[acts.seat],
      becomes: promoted && (promoted.letter || promoted.text),
      new: promoted?.name,
    };
  }

  /** The label of an outcome of chance. */
  roll(outcome) {
    return this.outcomes[outcome];
  }

  /**
   * Records `event` as sentences, those of a kind together; `you` are the players who read it. An auxiliary
   * verb, such as "could", makes them warnings.
   */
  told(events, you = [], would = "") {
    const { kinds, symbols, squares, seats } = this;
    return together(events, (event) => Object.values({ ...event, piece: 0 }).join()).map((group) => {
      const [{ kind, square, by, becomes, number, seat }] = group;
      const pieces = group.map(({ piece }) => symbols[piece]).filter(Boolean);
      const line = filled(would ? kinds[kind].could : kinds[kind].words, {
        would,
        pieces: this.#listed(pieces, you),
        by: this.#listed(symbols[by] ? [symbols[by]] : [], you),
        new: symbols[becomes]?.name ?? "",
        square: squares[square] ?? "",
        number,
        side: seat < 0 ? "" : you.includes(seat) ? "you" : seats[seat],
      });
      return `${line.slice(0, 1).toUpperCase()}${line.slice(1)}`;
    });
  }

  // Pieces with their owners, such as "your 2 Shrews and Fox, and Black's Deer".
  #listed(pieces, you) {
    const owned = together(pieces, ({ seat }) => seat).map((own) => {
      const { seat } = own[0];
      const names = [...new Set(own.map(({ name }) => name))].map((name) => {
        const count = own.filter((piece) => piece.name === name).length;
        return count > 1 ? `${count} ${name}s` : name;
      });
      const whose = seat === null ? "the" : you.includes(seat) ? "your" : `${this.seats[seat]}'s`;
      return `${whose} ${and(names)}`;
    });
    return and(owned, ", and ");
  }

  /** The result of a finished game. */
  result({ returns, points, turns }) {
    const { seats } = this;
    const winners = seats.filter((_, seat) => returns[seat] > 0);
    const outcome = winners.length ? `${winners.join(" and ")} ${winners.length > 1 ? "win" : "wins"}` : "A draw";
    const winnersFirst = points && [...points.keys()].sort((one, other) => (returns[other] > 0) - (returns[one] > 0)).map((seat) => points[seat]);
    return `${outcome} after ${turns.toLocaleString("en")} ${turns === 1 ? "turn" : "turns"}${points ? `, ${winnersFirst.join(" to ")} points` : ""}.`;
  }
}

/** A form with its fields. */
export const filled = (form, fields) => form.replace(FIELD, (_, name) => fields[name]);

// Neighbours with the same key, as lists.
function together(items, key) {
  const groups = [];
  for (const item of items) {
    if (groups.length && key(groups.at(-1)[0]) === key(item)) groups.at(-1).push(item);
    else groups.push([item]);
  }
  return groups;
}

const and = (names, last = " and ") => [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(last);
