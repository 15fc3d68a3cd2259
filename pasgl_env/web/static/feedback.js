// The form for feedback after a game, and the table of feedback.
import { el, notice, stored } from "./dom.js";
import { server } from "./socket.js";

const LENGTHS = { short: "too short", right: "about right", long: "too long" };

export function feedbackForm(game) {
  const form = el(
    "form",
    { class: "feedback served" },
    el(
      "fieldset",
      { class: "stars" },
      el("legend", {}, "Rating"),
      [1, 2, 3, 4, 5].map((value) => el("label", {}, el("input", { type: "radio", name: "rating", value, required: true }), `${value}`)),
    ),
    el("label", { class: "row" }, el("span", {}, "Length"), el("select", { name: "length" }, Object.entries(LENGTHS).map(([value, text]) => el("option", { value, selected: value === "right" }, text)))),
    el("label", { class: "row" }, el("span", {}, "Your name"), el("input", { name: "name", maxlength: "40", value: stored.read("name", "") })),
    el("label", {}, "Anything else?", el("textarea", { name: "comment", rows: "2", maxlength: "2000" })),
    el("button", { type: "submit" }, "Send"),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { rating, ...fields } = Object.fromEntries(new FormData(form));
    const send = form.querySelector("button");
    send.disabled = true;
    try {
      await server.ask("rate", { game, rating: Number(rating), ...fields });
      stored.write("name", fields.name);
      form.replaceChildren(el("p", {}, "Thank you. ", el("a", { href: "#/feedback" }, "See what others said.")));
    } catch (error) {
      notice(error.message);
      send.disabled = false;
    }
  });
  return el("details", { class: "panel", id: "rate" }, el("summary", {}, "How was it? Rate this game"), form);
}

export class FeedbackView {
  title = "Feedback";

  constructor() {
    this.node = el("div", { class: "page" }, el("h1", {}, "What people said"));
  }

  async open() {
    const { feedback } = await server.ask("feedback");
    const titles = Object.fromEntries(server.hello.variants.map(({ name, title }) => [name, title]));
    if (!feedback.length) {
      this.node.append(el("p", {}, "Nobody has rated a game yet. You can rate a game when it is over."));
      return;
    }
    const mean = (rows) => (rows.reduce((sum, { rating }) => sum + rating, 0) / rows.length).toFixed(1);
    const byVariant = Object.entries(Object.groupBy(feedback, ({ variant }) => variant));
    this.node.append(
      table(
        ["Game", "Ratings", "Mean", "Too short", "Right", "Too long"],
        byVariant.map(([variant, rows]) => [titles[variant], rows.length, mean(rows), ...Object.keys(LENGTHS).map((key) => rows.filter(({ length }) => length === key).length)]),
      ),
      table(
        ["Game", "Players", "Rating", "Length", "Actions", "Who", "Comment"],
        feedback.map(({ game, variant, seats, rating, length, plies, name, comment }) => [
          el("a", { href: `#/game/${game}` }, titles[variant]),
          seats.map((seat) => seat.name || seat.player).join(" – "),
          rating,
          LENGTHS[length],
          plies,
          name || "–",
          comment,
        ]),
      ),
    );
  }

  close() {}
}

export function table(heads, rows) {
  return el(
    "div",
    { class: "table-scroll", tabindex: "0" },
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, heads.map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, rows.map(row)),
    ),
  );
}

export function row(cells) {
  return el("tr", {}, cells.map((cell) => el("td", {}, cell instanceof Node ? cell : String(cell))));
}
