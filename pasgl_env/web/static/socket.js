// The connection to the server: requests with answers, events, and reconnection.
// docs/web_protocol.md describes the messages.

const VERSION = 3;
const TRY_AGAIN = [250, 500, 1000, 2000, 4000];
// What changes nothing is asked again after a lost connection; not for ever, as it may be what loses it.
const READS = new Set(["attempt", "edit", "explain", "feedback", "games", "look", "playtests", "position", "turns", "endings"]);
const MOST_TIMES = 5;

class Connection extends EventTarget {
  #socket = null;
  #number = 0;
  #waiting = new Map();
  #tries = 0;
  #isOpen = false;
  #searches = new Map(); // by command, what ends the current one
  #opened = null; // a promise of the answer to our hello, and its resolver

  // The server's first message.
  hello = null;

  // Resolves when the server has answered.
  open() {
    if (!this.#opened) {
      this.#opened = Promise.withResolvers();
      this.#connect();
    }
    return this.#opened.promise;
  }

  get isOpen() {
    return this.#isOpen;
  }

  // Send a request; an error's message is for people, its code for programs.
  async ask(command, fields = {}) {
    for (let left = READS.has(command) ? MOST_TIMES : 1; ; left--) {
      if (!this.#isOpen) await this.open();
      try {
        return await this.#send(command, fields);
      } catch (error) {
        if (error.code !== "lost" || left === 1) throw error;
      }
    }
  }

  // Ask for what stays the same: a server tells it by HTTP, which compresses it, and the browser keeps it.
  async lasting(command, fields = {}) {
    if (window.engine) return this.ask(command, fields);
    await this.open();
    const { options, ...texts } = fields;
    const query = new URLSearchParams(options ? { ...texts, options: JSON.stringify(options) } : texts);
    const answer = await fetch(`lasting/${command}.json?${query}`).catch(() => null);
    if (!answer) {
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN.at(-1)));
      return this.lasting(command, fields);
    }
    const content = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(content.error.message), { code: content.error.code });
    return content;
  }

  // Ask for a search that is answered by one event of the command's name. A later one replaces it.
  async search(command, fields) {
    const found = Promise.withResolvers();
    found.promise.catch(() => {}); // if the command itself is refused, nobody waits for it
    this.#searches.get(command)?.(Object.assign(new Error("replaced by a later search"), { code: "replaced" }));
    this.#searches.set(command, found.reject);
    let asked = null;
    const early = [];
    const take = ({ detail }) => {
      if (asked === null) early.push(detail);
      else if (detail.of !== asked) return;
      else if (detail.error) found.reject(new Error(detail.error));
      else found.resolve(detail);
    };
    const lose = () => found.reject(Object.assign(new Error("the connection was lost"), { code: "lost" }));
    this.addEventListener(command, take);
    this.addEventListener("lost", lose);
    try {
      asked = (await this.ask(command, fields)).re;
      early.forEach((detail) => take({ detail }));
      return await found.promise;
    } finally {
      this.removeEventListener(command, take);
      this.removeEventListener("lost", lose);
    }
  }

  #send(command, fields) {
    const id = ++this.#number;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#socket.send(JSON.stringify({ id, do: command, ...fields }));
    return answer;
  }

  #connect() {
    this.#socket = window.engine ? new Engine(window.engine) : new WebSocket(socketAddress());
    this.#socket.onopen = () => this.#greet().catch((error) => error.code !== "lost" && Promise.reject(error));
    this.#socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
    this.#socket.onclose = () => this.#lost();
    this.#socket.onbroken = () => this.dispatchEvent(new Event("broken"));
  }

  async #greet() {
    this.hello = await this.#send("hello", { version: VERSION, draw: true });
    this.#tries = 0;
    // Listeners ask first, to watch their games again; then come the requests that have waited.
    this.#isOpen = true;
    this.dispatchEvent(new Event("open"));
    this.#opened.resolve();
  }

  #receive(message) {
    if (message.event) {
      this.dispatchEvent(new CustomEvent(message.event, { detail: message }));
      return;
    }
    const waiting = this.#waiting.get(message.re);
    this.#waiting.delete(message.re);
    if (!waiting) return;
    if (message.ok) waiting.resolve(message);
    else waiting.reject(Object.assign(new Error(message.error.message), { code: message.error.code }));
  }

  #lost() {
    for (const { reject } of this.#waiting.values()) {
      reject(Object.assign(new Error("the connection to the server was lost"), { code: "lost" }));
    }
    this.#waiting.clear();
    if (this.#isOpen) this.#opened = Promise.withResolvers();
    this.#isOpen = false;
    this.dispatchEvent(new Event("lost"));
    this.#checkLink();
    const wait = TRY_AGAIN[Math.min(this.#tries++, TRY_AGAIN.length - 1)];
    setTimeout(() => this.#connect(), wait);
  }

  // A socket does not say why it was refused; the page's own address does.
  async #checkLink() {
    const { status } = await fetch(location.pathname + location.search, { method: "HEAD" }).catch(() => ({}));
    if (status === 403) this.dispatchEvent(new Event("refused"));
  }
}

function socketAddress() {
  const address = new URL("socket", location.href.split("#")[0]);
  address.protocol = address.protocol.replace("http", "ws");
  return address;
}

// A worker in place of a server, with the interface of a socket.
class Engine {
  #worker;

  constructor(worker) {
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.onmessage({ data });
    // Without a message, a script could not be loaded.
    worker.onerror = ({ message }) => (message ? console.error(message) : this.onbroken());
    queueMicrotask(() => this.onopen());
  }

  send(text) {
    this.#worker.postMessage(text);
  }
}

export const server = new Connection();

// Games with the same options share a board, which is requested once.
const boards = new Map();

export function boardOf(variant, options = {}) {
  const { theme } = document.documentElement.dataset;
  const key = JSON.stringify([variant, options, theme]);
  if (!boards.has(key)) {
    const asked = server.lasting("board", { variant, options, theme });
    boards.set(key, asked);
    asked.catch(() => boards.delete(key));
  }
  return boards.get(key);
}
