// Dangers of actions: what each would do to the player's own pieces, and what could follow at once. As in
// pasgl_env/dangers.py.
import { Position } from "./glue.js";

const MOST_REPLIES = 20_000; // that are looked at

export class Dangers {
  constructor(rules) {
    this.rules = rules;
    this.position = new Position(rules.game);
    this.teams = rules.game.description.teams;
  }

  /**
   * Sentences on what threatens after the legal actions in the last position of a line, by label.
   * `pause` is awaited after each; null if it says that nobody waits any more.
   */
  async find(line, pause = () => true) {
    const { bytes, isOver, isChance, toMove } = line.last;
    if (isOver || isChance) return {};
    const [team, found] = [this.teams[toMove], []];
    let left = MOST_REPLIES;
    for (const { label, number } of line.actions()) {
      const harm = this.#play(bytes, number, team);
      const replies = this.#replies(line, team, left);
      left -= replies?.looked ?? 0;
      found.push({ label, harm, replies });
      if (!(await pause())) return null;
    }
    const told = compared(found).map(({ label, ...danger }) => [label, this.#told(danger, [toMove])]);
    return Object.fromEntries(told.filter(([, lines]) => lines.length));
  }

  // Play an action in a position; returns the harm that it does to a team: events by their texts, and how many
  // equal ones stand before them.
  #play(bytes, action, team) {
    const { position } = this;
    position.set(bytes);
    position.play(action);
    const events = this.rules.game.has("events") ? position.events(bytes, action) : [];
    const harm = events.filter((event) => this.#harms(event, team));
    const before = {};
    return new Map(harm.map((event) => {
      const text = JSON.stringify(event);
      before[text] = (before[text] ?? -1) + 1;
      return [`${text} ${before[text]}`, event];
    }));
  }

  #harms({ kind, piece, seat }, team) {
    const { kinds, symbols } = this.rules.words;
    const victim = piece < 0 ? seat : symbols[piece].seat;
    return kinds[kind].could && victim !== null && victim >= 0 && this.teams[victim] === team;
  }

  // Whether the team or chance goes on in the position now, or nobody does.
  #isOwn(team) {
    const { isOver, toMove } = this.position;
    return isOver || toMove < 0 || this.teams[toMove] === team;
  }

  // The harm of all replies to the last action: in each of them, in some, by the roll; null if there are none.
  #replies(line, team, most) {
    const { position } = this;
    const after = position.state.bytes.slice();
    const isChance = !position.isOver && position.toMove < 0;
    if (!isChance && this.#isOwn(team)) return null;
    const choices = [];
    for (const [roll, share] of isChance ? line.outcomes(position) : [[null, 1]]) {
      position.set(after);
      if (roll !== null) position.play(roll);
      if (!this.#isOwn(team)) choices.push({ share, bytes: position.state.bytes.slice(), legal: position.legalActions });
    }
    const looked = choices.reduce((sum, { legal }) => sum + legal.length, 0);
    if (!looked || looked > most) return null;
    const [chances, harms] = [[], []];
    let loses = false;
    for (const { share, bytes, legal } of choices) {
      const here = legal.map((reply) => {
        const harm = this.#play(bytes, reply, team);
        loses ||= position.isOver && position.winner >= 0 && this.teams[position.winner] !== team;
        return harm;
      });
      harms.push(...here);
      chances.push([share, new Map(here.flatMap((harm) => [...harm]))]);
    }
    const some = new Map(harms.flatMap((harm) => [...harm]));
    const sure = new Map([...harms[0]].filter(([key]) => harms.every((harm) => harm.has(key))));
    return { sure, possible: without(some, sure), chances, loses, looked };
  }

  #told({ sure, possible, chance, loses }, you) {
    const { words } = this.rules;
    const could = words.told(possible, you, "could");
    if (could.length && chance < 1) could.unshift(`On ${(100 * chance).toFixed(0)}% of the rolls:`);
    return [...words.told(sure, you, "would"), ...could, ...(loses ? ["The game could be lost with the next action."] : [])];
  }
}

const without = (events, others) => new Map([...events].filter(([key]) => !others.has(key)));

// The dangers of each action that others avoid: any for what is sure, most for the rest. Compared are those
// after which an opponent acts.
function compared(found) {
  const all = found.flatMap(({ replies }) => replies ?? []);
  const number = all.length;
  const sure = counted(all.map((each) => each.sure));
  const possible = counted(all.flatMap((each) => [each.sure, each.possible]));
  const lost = all.filter(({ loses }) => loses).length;
  const isAvoided = (count, share) => share * count < number || number === 1;
  return found.map(({ label, harm, replies }) => {
    if (!replies) return { label, sure: [...harm.values()], possible: [], chance: 0, loses: false };
    const certain = [...replies.sure].filter(([key]) => isAvoided(sure.get(key), 1));
    const some = [...replies.possible].filter(([key]) => isAvoided(possible.get(key), 2));
    const chances = replies.chances.filter(([, harms]) => some.some(([key]) => harms.has(key)));
    return {
      label,
      sure: [...harm.values(), ...certain.map(([, event]) => event)],
      possible: some.map(([, event]) => event),
      chance: chances.reduce((sum, [share]) => sum + share, 0),
      loses: replies.loses && isAvoided(lost, 1),
    };
  });
}

// How many of several maps have each key.
function counted(maps) {
  const counts = new Map();
  for (const key of maps.flatMap((map) => [...map.keys()])) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
