// The page of a game: the board, the state, the legal actions and the turns.
import { Place } from "./address.js";
import { announce, busy, count, dialog, el, listed, notice, refill, stored } from "./dom.js";
import { Board } from "./board.js";
import { Clock, inWords } from "./clock.js";
import { Choosing, meant, readAction } from "./choosing.js";
import { Legend, Signs } from "./legend.js";
import { listenToKeys } from "./keys.js";
import { giveName, hasOthers, Invitation, isNameless, openLink, openLinks, secretsOf, studyAddress } from "./links.js";
import { boardOf, server } from "./socket.js";
import { begin, openNewGame } from "./newgame.js";
import { click } from "./sound.js";
import { Candidates, Graph } from "./analysis.js";
import { Explaining } from "./explaining.js";
import { feedbackForm } from "./feedback.js";
import { Hint, Warnings } from "./helping.js";
import { aim, handbook } from "./howto.js";
import { Plan } from "./planning.js";
import { recordLink } from "./records.js";

const READ = 2500; // milliseconds to read that one can only pass
const MOST_WAITING = 3; // states behind one that is still shown

export class GameView {
  #id;
  #state = null;
  #about = null;
  #turns = [];
  #text = "";
  #ply = null; // the ply shown; null for the current position
  #queue = Promise.resolve();
  #waiting = 0; // states that have not been shown
  #offered = null; // the state whose actions can be chosen
  #sent = null; // the ply of an action that waits for its answer
  #board = new Board();
  #choosing = new Choosing(this.#board);
  #closed = new AbortController();
  #plan = new Plan(this.#board, (square) => this.#mayPlan(square), () => this.#parts && this.#tellStatus(), this.#closed.signal);
  #present = [];
  #came = ""; // who took an open seat since the last state
  #clock = new Clock();
  #legend = null;
  #candidates = null;
  #explaining = null;
  #warnings = new Warnings(this.#choosing);
  #hint = null;
  #signs = new Signs(this.#board);
  #passing = null; // the timer of a forced pass
  #passed = new Map(); // by the ply after it, why the page has passed
  #graph = null;
  #feedback = null;
  #unsent = null; // the label of an action that waits for the connection
  #news = []; // turns of others that have not been announced
  #invitation;

  // secret: that of the link that the user came by.
  constructor(id, secret) {
    this.#id = id;
    this.#invitation = new Invitation(id, secret, () => this.#watch().catch((error) => notice(error.message)));
    this.node = el("div", { class: "game" });
  }

  async open() {
    await this.#watch();
    const listen = (name, handler) => server.addEventListener(name, handler, { signal: this.#closed.signal });
    listen("open", () => this.#resume().catch((error) => notice(error.message)));
    listenToKeys({ flip: () => this.#flip(), step: (to) => this.#step(to), signal: this.#closed.signal });
  }

  close() {
    this.#closed.abort();
    clearTimeout(this.#passing);
    this.#clock.close();
    this.#choosing.close();
    this.#explaining?.close();
    this.#candidates?.close();
    this.#graph?.close();
    server.ask("leave", { game: this.#id }).catch(() => {});
  }

  get title() {
    const waits = !this.#state?.over && this.#about.seats.find(({ open }) => open);
    if (waits) return `Waiting for ${waits.seat}: ${this.#game}`;
    const call = this.#call;
    return call ? `● ${call} ${this.#game}` : this.#game;
  }

  // What a game with others wants of the user.
  get #call() {
    if (!this.#state?.you.length) return "";
    const { asks_to_take_back: asking, offers_rematch: offering } = this.#state;
    if (this.#mayAnswer(asking)) return "Take back?";
    if (this.#mayAnswer(offering)) return "Rematch?";
    if (this.#isAwaited) return "Your turn:";
    return this.#came ? `${this.#came} has come:` : "";
  }

  // Whether a request of a seat, which is null if there is none, is the user's to answer: opponents answer,
  // and partners if no opponent is a person.
  #mayAnswer(asking) {
    const { you } = this.#state;
    const { seats, teams } = this.#about;
    if (asking === null || you.includes(asking)) return false;
    const isRival = (seat) => seats[seat].player === "person" && teams[seat] !== teams[asking];
    return you.some(isRival) || (you.length > 0 && !seats.some((_, seat) => isRival(seat)));
  }

  get #variant() {
    return server.hello.variants.find(({ name }) => name === this.#about.variant);
  }

  get #game() {
    return this.#variant.title;
  }

  // Draw everything again, in the other theme.
  async repaint() {
    if (!this.#parts) return;
    this.#legend = new Legend(await boardOf(this.#about.variant, this.#about.changed_options));
    this.#choosing.legend = this.#legend;
    this.#board.layout = this.#legend.layout;
    this.#parts.pieces.replaceChildren(this.#legend.list());
    await this.#look(this.#ply ?? this.#state.ply);
  }

  async #watch() {
    const secrets = secretsOf(this.#id);
    const first = this.#about === null;
    if (first) {
      const listen = (name, handler) => server.addEventListener(name, ({ detail }) => detail.game === this.#id && handler(detail), { signal: this.#closed.signal });
      listen("state", (state) => this.#take(state));
      listen("present", (present) => this.#showPresent(present));
      listen("notice", ({ message }) => notice(message));
    }
    this.#about = await server.ask("watch", { game: this.#id, secrets });
    const wrong = this.#about.wrong_secrets;
    if (wrong.length) {
      this.#invitation.isWrong = wrong.length === secrets.length;
      stored.write("secrets", { ...stored.read("secrets", {}), [this.#id]: secretsOf(this.#id).filter((secret) => !wrong.includes(secret)) });
    }
    if (first) await this.#build();
    await this.#taken;
    await this.#introduce();
  }

  // Tell people who are elsewhere the name that this browser knows.
  async #introduce() {
    if (isNameless(this.#about.seats, this.#state) && stored.read("name", "")) await giveName(this.#id);
  }

  // After a lost connection.
  async #resume() {
    await this.#watch();
    this.#think();
  }

  async #build() {
    const board = await boardOf(this.#about.variant, this.#about.changed_options);
    if (this.#closed.signal.aborted) return;
    this.#legend = new Legend(board);
    this.#board.shape(this.#legend);
    this.#choosing.legend = this.#legend;
    this.#signs.meanings = board.board_signs;
    this.#explaining = new Explaining(this.#board, () => ({ game: this.#id }), () => this.#ply === null && !this.#choosing.selected);
    this.#board.addEventListener("flip", () => this.#flip());
    this.#choosing.addEventListener("refused", ({ detail }) => this.#explaining.refuse(detail));
    this.#choosing.addEventListener("play", ({ detail }) => this.#play(detail));
    this.#candidates = new Candidates(this.#board, (labels) => (location.hash = studyAddress({ ...this.#position, labels })));
    this.#hint = new Hint(this.#board, this.#about.seats.map(({ seat }) => seat));
    this.#graph = new Graph(this.#id, this.#about.teams, (ply) => this.#look(ply));
    this.#parts = this.#layOut();
    this.node.replaceChildren(...this.#parts.all);
    if (this.#state) this.#show(this.#state, false);
  }

  #parts = null;
  #toldPace = null; // the seconds between turns that the last state told
  #ended = ""; // what is shown after the end
  #scrolled = ""; // to where the list of turns was scrolled
  #taken = Promise.resolve();

  #layOut() {
    const changed = Object.entries(this.#about.changed_options).filter(([, value]) => String(value).length < 40);
    const parts = {
      status: el("p", { class: "status", id: "status" }),
      happened: el("div", { class: "happened", id: "happened" }),
      clock: el("p", { class: "hint", id: "clock" }),
      players: el("ul", { class: "players", "aria-label": "Players" }),
      moves: el("ol", { class: "moves", "aria-label": "Turns played", tabindex: "0" }),
      type: el("input", { id: "type", list: "labels", autocomplete: "off", spellcheck: "false", placeholder: "or type a move" }),
      labels: el("datalist", { id: "labels" }),
      undo: this.#button("Undo", "undo", () => this.#ask("undo", { ply: this.#state.ply })),
      hint: this.#button("Hint", "hint", () => this.#hint.show(this.#position)),
      back: this.#button("Take back", "take-back", () => this.#ask("take_back", { ply: this.#state.ply })),
      resign: this.#button("Resign", "resign", () => this.#resign()),
      flip: this.#button("Flip", "flip", () => this.#flip()),
      link: this.#button("Link", "link", () => this.#link()),
      pause: this.#button("Pause", "pause", () => this.#pause()),
      pace: el("input", { type: "range", min: "-1.3", max: "1", step: "0.1", id: "pace", "aria-label": "Time between turns" }),
      steps: el("div", { class: "steps", role: "group", "aria-label": "Step through the game" }),
      evaluate: this.#button("Graph of the game", "evaluate", () => this.#evaluate()),
      off: el("p", { class: "hint" }, "The engine is off while people play against each other."),
      on: this.#button("Play on from here", "play-on", () => this.#playOn()),
      film: el("a", { download: "" }, "film (GIF)"),
      svg: el("a", { download: "" }, "picture (SVG)"),
      png: el("a", { download: "" }, "picture (PNG)"),
      edit: el("a", {}, "edit this position"),
      pieces: el("div", {}, this.#legend.list()),
      asks: el("div", { class: "asks" }),
      after: el("div", { class: "after" }),
      rate: el("div"),
    };
    parts.form = el("form", { class: "type" }, el("label", { class: "hidden", for: "type" }, "Type a move"), parts.type, parts.labels);
    parts.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#choosing.play(meant(parts.type.value.trim(), this.#state.legal.map(readAction)));
      parts.type.value = "";
    });
    parts.pace.addEventListener("input", () => this.#tellPace());
    parts.pace.addEventListener("change", () => this.#ask("pace", { seconds: this.#pace }));
    const step = (name, sign, to) => el("button", { type: "button", "aria-label": name, title: name, onclick: () => this.#step(to) }, sign);
    parts.steps.append(step("First", "«", "first"), step("Back", "‹", "back"), step("On", "›", "on"), step("Last", "»", "last"));
    const side = el(
      "section",
      { class: "side", "aria-label": "The game" },
      el("h1", {}, this.#game),
      aim(this.#about.variant),
      changed.length ? el("p", { class: "hint" }, `Changed rules: ${changed.map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`).join(", ")}`) : null,
      parts.clock,
      parts.players,
      ...this.#heading(),
      parts.moves,
      parts.steps,
      parts.form,
      el("div", { class: "buttons" }, parts.hint, parts.back, parts.flip, parts.link, parts.pause, parts.resign, parts.undo),
      parts.pace,
      this.#warnings.node,
      parts.after,
      parts.rate,
      ...handbook(this.#about.variant, parts.pieces, this.#signs, changed.length > 0),
      el(
        "details",
        { class: "panel", id: "analysis", ontoggle: (event) => this.#toggleAnalysis(event.target.open) },
        el("summary", {}, "Analysis"),
        parts.off,
        this.#candidates.node,
        el("div", { class: "buttons" }, parts.evaluate, parts.on, this.#button("Variations", "variations", () => (location.hash = studyAddress(this.#position)))),
        this.#graph.node,
        el("p", { class: "exports" }, "Save: ", recordLink(this.#id), el("span", { class: "served" }, " · ", parts.film, " · ", parts.svg, " · ", parts.png), " · ", parts.edit),
      ),
    );
    parts.all = [el("section", { class: "table", "aria-label": "The board" }, this.#invitation.node, this.#board.scroll, parts.status, parts.asks, this.#choosing.chips, this.#hint.node, parts.happened), side];
    return parts;
  }

  // A record's tags, and its comments before the first turn.
  #heading() {
    const { date, tags } = this.#about;
    const known = Object.entries(date ? { Date: date, ...tags } : tags);
    return [known.length ? el("p", { class: "hint tags" }, known.map(([name, value]) => `${name}: ${value}`).join(" · ")) : null, this.#remarks(0)];
  }

  // The seconds between turns; the slider has their logarithm.
  get #pace() {
    return Math.round(100 * 10 ** this.#parts.pace.value) / 100;
  }

  #tellPace() {
    this.#parts.pace.setAttribute("aria-valuetext", count(this.#pace, "second"));
  }

  #button(text, id, action) {
    return el("button", { type: "button", id, onclick: action }, text);
  }

  get #mine() {
    return this.#state.you.includes(this.#state.to_move);
  }

  // Whether it is the user's turn, in a game with others.
  get #isAwaited() {
    const { you, over } = this.#state ?? {};
    return Boolean(you) && !over && this.#mine && you.length < this.#about.seats.length;
  }

  // A state has the last turns; those before are fetched. States stay in order.
  #take(state) {
    this.#taken = this.#taken.then(() => this.#complete(state)).catch((error) => error.code !== "lost" && notice(error.message));
  }

  async #complete(state) {
    while (this.#turns.length < state.turns_from) {
      const { turns } = await server.ask("turns", { game: this.#id, from: this.#turns.length });
      if (!turns.length || this.#closed.signal.aborted) return;
      this.#turns.push(...turns);
    }
    this.#receive(state);
  }

  #receive(state) {
    const [before, turns] = [this.#state, this.#turns];
    this.#turns = [...turns.slice(0, state.turns_from), ...state.turns];
    state.ends = state.time_left === null ? null : Date.now() + 1000 * state.time_left;
    this.#state = state;
    if (state.over || state.ply < (before?.ply ?? 0)) this.#plan.drop();
    if (before && state.ply > before.ply) this.#came = "";
    if (before) this.#compare(before, turns);
    if (state.rematch && before?.you.includes(before.offers_rematch)) this.#rematch().catch((error) => notice(error.message));
    if (!this.#parts) return;
    if (this.#mine && this.#plan.words) this.#ply = null; // what was planned is played now
    document.title = `${this.title} · pasgl`; // at once, because nothing moves in a tab that is not seen
    if (before && this.#ply === null && state.ply > before.ply) click(this.#isAwaited);
    // One after the other, so that every action of a turn can be seen; but the board never falls far behind.
    this.#waiting++;
    this.#queue = this.#queue
      .then(() => --this.#waiting < MOST_WAITING && this.#show(state))
      .catch((error) => notice(error.message));
  }

  // Compare with the state and the turns before: what is new is announced, and what was taken back is
  // not shown any longer.
  #compare(before, turns) {
    const cut = lastShared(turns, this.#turns);
    const kept = cut ?? Math.min(before.ply, this.#state.ply);
    this.#graph?.cut(kept);
    if (this.#ply !== null && (this.#ply > kept || this.#ply >= this.#state.ply)) this.#ply = null;
    const added = cut === null ? this.#turns.slice(turns.length) : [];
    for (const [, , seat, labels, events] of added) {
      if (!this.#state.you.includes(seat)) this.#news.push(`${this.#about.seats[seat].seat}: ${labels.join(" ")}.`);
      this.#news.push(...events);
    }
  }

  async #show(state, animated = true) {
    if (this.#closed.signal.aborted) return;
    this.node.dataset.ply = String(state.ply);
    this.#showSide();
    if (this.#ply !== null) {
      this.#withdraw();
      return;
    }
    this.#showExports();
    const shown = this.#board.show(state.drawing, animated);
    if (!animated) this.#board.flipped = this.#usuallyFlipped();
    this.#think();
    this.#offer(); // a fast user need not wait for the animation
    await shown;
  }

  // Let the user choose among the actions of the last state, as the status says, whatever is drawn yet;
  // but not once more while a choice is on its way.
  #offer() {
    const state = this.#state;
    if (state === this.#offered || state.ply === this.#sent) return;
    this.#offered = state;
    const mine = this.#mine && !state.over;
    this.#choosing.actions = mine ? state.legal.map(readAction) : [];
    const warned = this.#warnings.look(mine && !state.only_pass && this.#state.may_get_help ? this.#position : null);
    if (mine && state.only_pass) this.#passLater(state);
    if (mine) warned.then(() => this.#state === state && this.#playPlan());
    this.#parts.labels.replaceChildren(...(mine ? state.legal.map(([label]) => el("option", { value: label })) : []));
  }

  // A move can be planned in games without dice, with the user's own pieces.
  #mayPlan(square) {
    const { you, over } = this.#state ?? { over: true };
    if (over || !you.length || this.#mine || this.#ply !== null || this.#variant.has_dice) return false;
    const owners = this.#board.symbols(square).map((symbol) => this.#legend.owner(symbol));
    return you.some((seat) => owners.includes(this.#about.seats[seat].seat));
  }

  #playPlan() {
    const { words } = this.#plan;
    const ways = this.#plan.fitting(this.#choosing.actions);
    this.#plan.drop();
    if (ways.length === 1) this.#choosing.play(ways[0].label);
    else if (words) notice(ways.length ? `${words} may mean several moves now: choose one.` : `${words} is not legal now, and was not played.`);
  }

  #withdraw() {
    this.#offered = null;
    this.#choosing.actions = [];
  }

  // What names the position shown, for the server.
  get #position() {
    return { game: this.#id, ply: this.#ply ?? this.#state.ply };
  }

  // Pass for a user who can only pass; later where the user may rather undo the choice before.
  #passLater(state) {
    clearTimeout(this.#passing);
    const pass = () => {
      if (this.#state !== state) return;
      this.#passed.set(state.ply + 1, `You could only pass: ${state.only_pass}`);
      this.#play(state.legal[0][0]);
    };
    this.#passing = setTimeout(pass, state.can_undo ? 2 * READ : READ);
  }

  #usuallyFlipped() {
    const flipped = stored.read("flipped", {})[this.#id];
    return flipped ?? (this.#state.you.length > 0 && this.#state.you.every((seat) => seat === 1) && this.#about.teams.length === 2);
  }

  #showSide() {
    const [parts, state] = [this.#parts, this.#state];
    this.#showPlayers();
    this.#showMoves();
    const limit = state.turn_limit ? `; the page stops the game after ${state.turn_limit.toLocaleString()}, the rules do not` : "";
    parts.clock.textContent = (state.over ? count(state.turn, "turn") : `Turn ${state.turn + 1}${limit}`) + this.#timed();
    parts.status.textContent = this.#status();
    parts.happened.replaceChildren(...this.#happened().map((line) => el("p", {}, line)));
    parts.status.classList.toggle("mine", this.#mine && !state.over);
    announce([...this.#news, this.#status()].join(" "));
    this.#news = [];
    const playing = state.you.length > 0;
    parts.form.hidden = !playing || state.over;
    parts.hint.hidden = state.over || !this.#mine || !this.#state.may_get_help || this.#ply !== null;
    this.#warnings.node.hidden = state.over || !playing || !this.#state.may_get_help;
    this.#hint.clear();
    parts.undo.hidden = !(playing && this.#mine && state.can_undo);
    parts.back.hidden = parts.resign.hidden = !playing;
    parts.back.disabled = !state.can_take_back;
    parts.resign.disabled = state.over;
    parts.off.hidden = state.may_get_help;
    parts.on.hidden = parts.evaluate.hidden = !state.may_get_help;
    if (!state.may_get_help && this.#candidates.isOn) this.#candidates.stop();
    const watched = this.#about.seats.every(({ player }) => player !== "person") && this.#about.kind === "played";
    parts.pause.hidden = parts.pace.hidden = !watched || state.over;
    parts.pause.textContent = state.paused ? "Resume" : "Pause";
    if (state.pace && state.pace !== this.#toldPace) {
      this.#toldPace = state.pace;
      parts.pace.value = Math.log10(state.pace);
    }
    this.#tellPace();
    this.#showAsking();
    this.#showEnding();
  }

  // The time for a turn; it does not run before all people have come.
  #timed() {
    const { turn_time: time, seats } = this.#about;
    if (!time) return "";
    const { over, ends, to_move: seat } = this.#state;
    const waits = !over && ends === null && seats[seat].player === "person";
    return ` · ${inWords(time)} a turn${waits ? ", once all have come" : ""}`;
  }

  #status() {
    const state = this.#state;
    if (this.#ply !== null) {
      const canPlay = state.you.length && !state.over;
      return `An earlier position.${canPlay ? " Step on to the last one to play." : ""}`;
    }
    if (state.over) return state.ending || "The game was not finished.";
    if (this.#unsent) return `No connection: ${this.#unsent} is sent when the server is back.`;
    const asked = state.question ? `: ${state.question}` : "";
    if (!state.you.length) return `${state.whose} to move${asked}`;
    if (!this.#mine) return `${this.#isAway(state.to_move) ? `Waiting for ${state.whose} …` : `${state.whose} is thinking …`}${this.#planned}`;
    if (state.only_pass) return `You can only pass: ${state.only_pass}`;
    if (asked) return `Your turn${asked}`;
    const actions = state.legal.map(readAction);
    const apart = actions.filter(({ origin, target, piece }) => !origin && !target && !piece);
    const ways = apart.map(({ words }) => `${words[0].toLowerCase()}${words.slice(1)}`);
    if (actions.length === 1 && ways.length) return `Your turn: you can only ${ways[0]}`;
    const who = state.you.length > 1 ? `${state.whose} to move` : "Your turn";
    if (apart.length === actions.length) return `${who}: choose below the board`;
    return `${who}: choose a piece${ways.map((way) => `, or ${way}`).join("")}`;
  }

  // What the user has planned, in words.
  get #planned() {
    const { words } = this.#plan;
    return words ? ` Then ${words}, if it is legal. Escape or a click elsewhere cancels it.` : "";
  }

  #tellStatus() {
    this.#parts.status.textContent = this.#status();
    announce(this.#status());
  }

  // What happened in the turn shown, and in those since the player's own last one.
  #happened() {
    const told = ([, end, , , events]) => [this.#passed.get(end), ...events].filter(Boolean);
    if (this.#ply !== null) return this.#turns.filter(([, end]) => end === this.#ply).flatMap(told);
    const shown = this.#about.seats.length - (this.#state.labels.length > 0);
    return [...this.#turns.slice(-shown).flatMap(told), ...this.#state.events];
  }

  #showPlayers() {
    const { seats, teams } = this.#about;
    const over = this.#state.over;
    this.#invitation.show(this.#about, this.#state, this.#turns, this.#present);
    this.#clock.run(this.#state.ends, this.#about.turn_time, this.#mine);
    this.#parts.players.replaceChildren(
      ...seats.map(({ seat, player, name, open }, number) => {
        const mine = this.#state.you.includes(number);
        const person = mine ? [name, name ? "(you)" : "you"].filter(Boolean).join(" ") : name || "a person";
        const who = open ? "whoever comes first" : player === "person" ? person : name || player;
        const away = !over && !open && this.#isAway(number) ? " (away)" : "";
        const partners = seats.filter((_, other) => other !== number && teams[other] === teams[number]).map((each) => each.seat);
        const team = partners.length ? `, with ${listed(partners)}` : "";
        const points = this.#state.points ? el("span", { class: "points" }, `${this.#state.points[number]}`) : null;
        const won = this.#state.returns?.[number];
        const mark = over && won !== undefined && won !== null ? { 1: "won", 0: "draw", "-1": "lost" }[won] : "";
        const turn = !over && this.#state.to_move === number;
        return el(
          "li",
          { class: `player${turn ? " turn" : ""}`, "data-seat": number },
          el("span", { class: `disc ${seat.toLowerCase()}` }),
          el("span", { class: "who" }, `${seat}${team}: ${who}${away}`),
          points,
          turn ? this.#clock.node : null,
          el("span", { class: "mark" }, mark),
        );
      }),
    );
  }

  #isAway(seat) {
    return this.#about.seats[seat].player === "person" && !this.#present.includes(seat);
  }

  #showPresent({ seats, names, open }) {
    this.#present = seats;
    if (!this.#about) return;
    const came = this.#about.seats.find((who, seat) => who.open && !open.includes(seat));
    this.#about.seats = this.#about.seats.map((who, seat) => ({ ...who, name: names[seat], open: open.includes(seat) }));
    if (!this.#parts || !this.#state) return;
    if (came) {
      this.#came = came.seat;
      click(true);
      document.title = `${this.title} · pasgl`;
    }
    this.#showPlayers();
    this.#parts.status.textContent = this.#status();
  }

  #showMoves() {
    const { moves } = this.#parts;
    const { marked } = this.#graph;
    const all = this.#turns.map(([, end, seat, labels, events]) => ({ end, seat, labels, events, mark: marked.get(end) }));
    const { labels: open, events } = this.#state;
    if (open.length) all.push({ end: this.#state.ply, seat: this.#state.to_move, labels: open, events, isOpen: true });
    refill(moves, all, (turn, number) => this.#line(turn, number + 1));
    const looked = this.#ply ?? this.#state.ply;
    const here = all.findIndex(({ end }) => end === looked);
    [...moves.children].forEach((line, number) => {
      line.classList.toggle("here", number === here);
      if (number === here) line.firstChild.setAttribute("aria-current", "true");
      else line.firstChild.removeAttribute("aria-current");
    });
    const scrolled = `${here} ${all.length}`;
    if (scrolled === this.#scrolled) return; // somebody may be reading elsewhere
    this.#scrolled = scrolled;
    if (here >= 0) moves.scrollTop = moves.children[here].offsetTop - moves.clientHeight / 2;
    else moves.scrollTop = moves.scrollHeight;
  }

  // A line of the list of turns.
  #line({ end, seat, labels, events, isOpen, mark }, number) {
    return el(
      "li",
      { class: "turn-line", value: number },
      el(
        "button",
        { type: "button", onclick: () => this.#look(end) },
        el("span", { class: `disc small ${(this.#about.seats[seat]?.seat ?? "").toLowerCase()}` }),
        `${labels.join(" ")}${isOpen ? " …" : ""}`,
        mark ? el("strong", { class: "lost", title: "One of the worst mistakes" }, ` ${mark}`) : null,
      ),
      events.length ? el("p", { class: "events" }, events.join(" ")) : null,
      this.#remarks(isOpen ? -1 : number),
    );
  }

  // A record's comments on a turn.
  #remarks(played) {
    const remarks = this.#about.comments[played] ?? [];
    return remarks.length ? el("p", { class: "hint remark" }, remarks.join(" ")) : null;
  }

  #showAsking() {
    const { asks_to_take_back: asking, ply } = this.#state;
    const { asks } = this.#parts;
    if (asking === null || !this.#state.you.length) {
      asks.replaceChildren();
      return;
    }
    if (!this.#mayAnswer(asking)) {
      asks.replaceChildren(el("p", {}, `${this.#state.you.includes(asking) ? "You have" : `${this.#about.seats[asking].seat} has`} asked to take back a turn.`));
      return;
    }
    asks.replaceChildren(
      el("p", {}, `${this.#about.seats[asking].seat} asks to take back a turn.`),
      this.#button("Allow", "allow", () => this.#ask("allow", { ply })),
      this.#button("Refuse", "refuse", () => this.#ask("refuse")),
    );
  }

  // What can be done after the end. What stays the same is not made again: somebody may be using it.
  #showEnding() {
    const { over, ending, you, rematch, offers_rematch: offering } = this.#state;
    const isRated = over && this.#about.kind === "played";
    if (isRated) this.#feedback ??= feedbackForm(this.#id);
    if (isRated !== this.#parts.rate.hasChildNodes()) this.#parts.rate.replaceChildren(...(isRated ? [this.#feedback] : []));
    const key = JSON.stringify([over, ending, you, rematch, offering, over && this.#about.seats]);
    if (key === this.#ended) return;
    this.#ended = key;
    this.#parts.after.replaceChildren(...(over ? this.#ending() : []));
  }

  #ending() {
    if (this.#about.kind !== "played") return [];
    const [told, ...buttons] = this.#repetition();
    return [
      el("p", { class: "result" }, this.#state.ending),
      el("p", { role: "status" }, told),
      el(
        "div",
        { class: "buttons" },
        ...buttons,
        el("a", { class: "button", href: `#/mistakes/${this.#id}` }, "Learn from your mistakes"),
        this.#button("Another game", "another", () => openNewGame({ variant: this.#about.variant })),
      ),
    ];
  }

  // How the game can be played once more: a sentence, and buttons.
  #repetition() {
    const { you, rematch, offers_rematch: offering } = this.#state;
    const { seats } = this.#about;
    const again = (text, action) => this.#button(text, "again", (event) => busy(event, "Setting up the board …", action));
    if (rematch && !you.length) return ["A rematch has begun.", el("a", { class: "button", href: `#/game/${rematch}` }, "Watch the rematch")];
    if (rematch) return ["A rematch has begun, with changed seats.", again("Join the rematch", () => this.#rematch())];
    if (!hasOthers(seats, you)) return ["", again("Play again", () => this.#again())];
    if (!you.length) return [""];
    if (offering === null) return ["", again("Rematch", () => this.#rematch())];
    if (you.includes(offering)) return ["You have offered a rematch."];
    const { seat, name } = seats[offering];
    if (!this.#mayAnswer(offering)) return [`${name || seat} has offered a rematch.`];
    return [
      `${name || seat} offers a rematch, with changed seats.`,
      again("Play the rematch", () => this.#rematch()),
      this.#button("Decline", "decline", () => this.#ask("decline")),
    ];
  }

  // The same game once more.
  async #again() {
    const chosen = this.#about.seats.map(({ player, name }) => {
      if (player === "person") return "person";
      const level = server.hello.levels.find((each) => each.name === name);
      return level ? `level ${name}` : `player ${player}`;
    });
    const place = new Place();
    place.goTo(await begin(this.#about.variant, this.#about.options, chosen, ""));
  }

  // The same game with the same people, whose secrets stay; everybody gets the seat before. It begins when
  // somebody else wants it, too.
  async #rematch() {
    const place = new Place();
    const { game } = await server.ask("rematch", { game: this.#id });
    if (!game) return;
    const secrets = stored.read("secrets", {});
    stored.write("secrets", { ...secrets, [game]: secrets[this.#id] });
    const links = stored.read("links", {});
    const count = this.#about.seats.length;
    const passed = Object.entries(links[this.#id] ?? {}).map(([seat, secret]) => [(Number(seat) + count - 1) % count, secret]);
    if (passed.length) stored.write("links", { ...links, [game]: Object.fromEntries(passed) });
    place.goTo(game);
  }

  // The plies at which turns end.
  get #stops() {
    return [0, ...this.#turns.map(([, end]) => end), this.#state.ply].filter((ply, number, all) => all.indexOf(ply) === number);
  }

  #step(to) {
    const stops = this.#stops;
    const here = this.#ply ?? this.#state.ply;
    const at = stops.findLastIndex((ply) => ply <= here);
    const next = { first: 0, back: at - 1, on: at + 1, last: stops.length - 1 }[to];
    if (next >= 0 && next < stops.length) this.#look(stops[next]);
  }

  async #look(ply) {
    this.#ply = ply === this.#state.ply ? null : ply;
    if (this.#ply === null) {
      await this.#show(this.#state);
      return;
    }
    this.#withdraw();
    this.#showSide();
    try {
      const seen = await server.ask("position", { game: this.#id, ply });
      if (this.#ply !== ply) return;
      this.#text = seen.text;
      this.#showExports();
      this.#think();
      await this.#board.show(seen.drawing);
    } catch (error) {
      notice(error.message);
      if (this.#ply === ply) await this.#look(this.#state.ply);
    }
  }

  #toggleAnalysis(open) {
    if (open && this.#state.may_get_help) this.#think(true);
    else this.#candidates.stop();
  }

  #think(start = false) {
    if (!start && !this.#candidates.isOn) return;
    this.#candidates.think(this.#position);
    this.#graph.draw(this.#ply ?? this.#state.ply);
  }

  // The links to pictures of the position shown, to the editor and to the film.
  #showExports() {
    const { film, svg, png, edit } = this.#parts;
    const { variant, options, changed_options: changed } = this.#about;
    const theme = document.documentElement.dataset.theme;
    const text = this.#ply === null ? this.#state.text : this.#text;
    const position = new URLSearchParams({ variant, options: JSON.stringify(options), text, theme });
    film.href = `games/${this.#id}/film.gif?theme=${theme}`;
    svg.href = `drawing.svg?${position}`;
    png.href = `drawing.png?${position}`;
    edit.href = `#/editor/${variant}?${new URLSearchParams({ text, options: JSON.stringify(changed) })}`;
  }

  #evaluate() {
    const turns = this.#turns.map(([, end, seat]) => ({ end, seat }));
    this.#graph.start(turns, () => this.#showMoves());
  }

  #playOn() {
    openNewGame({ variant: this.#about.variant, options: this.#about.options, from: this.#id, ply: this.#ply ?? this.#state.ply });
  }

  async #ask(command, fields = {}) {
    try {
      return await server.ask(command, { game: this.#id, ...fields });
    } catch (error) {
      notice(error.message);
      return null;
    }
  }

  async #play(label) {
    if (!label || this.#sent === this.#state.ply) return;
    clearTimeout(this.#passing);
    this.#withdraw();
    if (!server.isOpen) this.#keep(label);
    const { ply } = this.#state;
    this.#sent = ply;
    await this.#ask("play", { label, ply });
    const wasKept = this.#unsent !== null;
    this.#unsent = null;
    this.#board.plan([]);
    await this.#taken; // the state with the action came before the answer
    if (this.#sent === ply) this.#sent = null;
    if (this.#closed.signal.aborted) return;
    if (this.#state.ply === ply) await this.#show(this.#state, false);
    else if (wasKept) this.#tellStatus();
  }

  // Show an action that is sent when the server is back.
  #keep(label) {
    this.#unsent = label;
    const { origin, target } = readAction(this.#state.legal.find(([own]) => own === label) ?? []);
    this.#board.plan([origin, target]);
    this.#tellStatus();
  }

  #resign() {
    const sure = el("button", { type: "button", class: "primary" }, "Resign");
    const { seats, teams } = this.#about;
    const partners = seats.filter((_, seat) => !this.#state.you.includes(seat) && this.#state.you.some((own) => teams[own] === teams[seat]));
    const words = partners.length ? el("p", {}, `${listed(partners.map(({ seat }) => seat))}, your partner, loses with you.`) : null;
    const shown = dialog("Resign this game?", words, sure);
    sure.addEventListener("click", () => {
      shown.close();
      this.#ask("resign");
    });
  }

  // The links of the game; without a server, one to the position, from which anybody plays on.
  async #link() {
    if (!document.documentElement.dataset.engine) openLinks(this.#id, this.#about.seats, this.#state.you);
    else openLink("To this position", (await server.ask("link", this.#position)).part);
  }

  #flip() {
    this.#board.flipped = !this.#board.flipped;
    stored.write("flipped", { ...stored.read("flipped", {}), [this.#id]: this.#board.flipped });
  }

  #pause() {
    this.#ask("pace", { paused: !this.#state.paused });
  }
}

// The ply after the last turn that two lists of turns share; null if no turn was taken back.
function lastShared(before, after) {
  const same = ([, end, seat, labels], other) => other && end === other[1] && seat === other[2] && labels.join() === other[3].join();
  const cut = before.findIndex((turn, number) => !same(turn, after[number]));
  return cut < 0 ? null : before[cut][0];
}
