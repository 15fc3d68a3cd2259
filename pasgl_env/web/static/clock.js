// The time for a turn: what one may choose, what is left, and both in words.
import { announce, count, el } from "./dom.js";

const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const DAY = 86400;
const WARNINGS = [3600, 30, 10]; // seconds left at which it is said
const LATE = 12 * 3600; // seconds left that are few at any rate

export const TURN_TIMES = [60, 300, DAY, 3 * DAY, 7 * DAY];

// Seconds as two units at most, such as "4 minutes 59 seconds".
export function inWords(seconds) {
  const first = UNITS.findIndex(([, length]) => seconds >= length);
  if (first < 0) return count(0, "second");
  const [[unit, length], smaller] = [UNITS[first], UNITS[first + 1]];
  const [many, rest] = [Math.floor(seconds / length), smaller ? Math.floor((seconds % length) / smaller[1]) : 0];
  return [count(many, unit), rest ? count(rest, smaller[0]) : ""].filter(Boolean).join(" ");
}

// Seconds, short: "4:59", or in words from an hour on.
function short(seconds) {
  if (seconds >= 3600) return inWords(seconds);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// Counts the time down that is left for a turn. Screen readers read it when it is asked for, and are told
// when it becomes short for their user.
export class Clock {
  node = el("span", { class: "time", role: "timer" });
  #ends = null; // milliseconds since 1970
  #turnTime = 0;
  #isMine = false;
  #left = Infinity;
  #timer = setInterval(() => this.#show(), 1000);

  // Run until a time, for a turn of the user's or of another's; null for no time.
  run(ends, turnTime, isMine) {
    if (ends !== this.#ends) this.#left = Infinity;
    [this.#ends, this.#turnTime, this.#isMine] = [ends, turnTime, isMine];
    this.node.hidden = ends === null;
    this.#show();
  }

  close() {
    clearInterval(this.#timer);
  }

  #show() {
    if (this.#ends === null) return;
    const left = Math.max(0, Math.round((this.#ends - Date.now()) / 1000));
    const isLate = left < Math.min(this.#turnTime / 5, LATE);
    this.node.classList.toggle("late", isLate);
    this.node.textContent = `${isLate ? "⚠ " : ""}${short(left)}`;
    this.node.setAttribute("aria-label", `${inWords(left)} left`);
    const passed = WARNINGS.find((seconds) => seconds < this.#turnTime && left <= seconds && seconds < this.#left);
    if (passed && this.#isMine && this.#left < Infinity) announce(`${inWords(left)} left for your turn.`);
    this.#left = left;
  }
}
