// Small helpers. Text is always inserted as text: no input of servers or people is markup.

export function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.className = value;
    else if (value === true) node.setAttribute(name, "");
    else node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

export function shape(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// Parse a drawing in SVG.
export function drawing(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  return document.importNode(parsed.documentElement, true);
}

export function picture(text, name = "") {
  const node = drawing(text);
  node.classList.add("icon");
  node.querySelectorAll("title").forEach((title) => title.remove());
  if (name) node.setAttribute("aria-label", name);
  else {
    node.removeAttribute("role");
    node.setAttribute("aria-hidden", "true");
  }
  return node;
}

// A small copy of an element of a drawing in the page, which still has the symbols that it uses.
export function sample(node) {
  const { x, y, width, height } = node.getBBox();
  const line = 0.06 * Math.max(width, height);
  const around = `${x - line} ${y - line} ${width + 2 * line} ${height + 2 * line}`;
  const copy = node.cloneNode(true);
  copy.querySelectorAll("title, .asked").forEach((part) => part.remove());
  copy.removeAttribute("class"); // it is no piece on the board
  for (const name of Object.keys(copy.dataset)) delete copy.dataset[name];
  const place = node.transform.baseVal.consolidate()?.matrix.inverse();
  const { fill, stroke, strokeWidth } = getComputedStyle(node); // which it may have from the parts around it
  const transform = place ? `matrix(${place.a} ${place.b} ${place.c} ${place.d} ${place.e} ${place.f})` : "";
  const upright = shape("g", { transform, fill, stroke, "stroke-width": strokeWidth }, copy);
  return shape("svg", { viewBox: around, class: "icon", "aria-hidden": "true" }, upright);
}

// A number of things, such as "1 turn" or "2 turns".
export const count = (number, thing) => `${number.toLocaleString()} ${thing}${number === 1 ? "" : "s"}`;

// Names, such as "Green, Yellow and Red".
export const listed = (names) => new Intl.ListFormat("en-GB").format(names);

// Have the children of a node show a list. Only children whose item has changed are made anew, by
// make(item, number), and the focus stays in its place.
export function refill(node, items, make) {
  items.forEach((item, number) => {
    const key = JSON.stringify(item);
    const old = node.children[number];
    if (old?.dataset.key === key) return;
    const made = make(item, number);
    made.dataset.key = key;
    if (!old) {
      node.append(made);
      return;
    }
    const hadFocus = old.contains(document.activeElement);
    old.replaceWith(made);
    if (hadFocus) made.querySelector("a, button")?.focus({ preventScroll: true });
  });
  while (node.children.length > items.length) node.lastElementChild.remove();
}

// A message as a sentence.
export const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;

export function announce(text) {
  document.getElementById("announce").textContent = text;
}

export function notice(text) {
  const note = el("div", { class: "notice" }, sentence(text));
  document.getElementById("notices").append(note);
  setTimeout(() => note.remove(), 6000);
}

// Do what takes a while after a click on a button, which says so and cannot be pressed meanwhile.
export async function busy({ currentTarget: button }, words, action) {
  const text = button.textContent;
  button.disabled = true;
  button.textContent = words;
  try {
    await action();
  } catch (error) {
    notice(error.message);
  }
  button.disabled = false;
  button.textContent = text;
}

// A dialog that closes with Escape, a click beside it or its button; resolves when it is closed.
export function dialog(title, ...content) {
  const node = el(
    "dialog",
    { "aria-label": title },
    el(
      "div",
      { class: "dialog" },
      el(
        "div",
        { class: "dialog-head" },
        el("h2", {}, title),
        el("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: () => node.close() }, "✕"),
      ),
      ...content,
    ),
  );
  // Beside it begins and ends a single click: not the second of two, nor the end of a selection.
  let pressed = null;
  node.addEventListener("pointerdown", ({ target }) => (pressed = target));
  node.addEventListener("click", ({ target, detail }) => target === node && pressed === node && detail < 2 && node.close());
  node.addEventListener("close", () => node.remove());
  document.body.append(node);
  node.showModal();
  return node;
}

// What the browser does not store, because storage is off or full, lasts until the page is left.
const unstored = new Map();

export const stored = {
  read(name, otherwise) {
    if (unstored.has(name)) return unstored.get(name);
    try {
      return JSON.parse(localStorage.getItem(`pasgl.${name}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  write(name, value) {
    unstored.delete(name);
    try {
      localStorage.setItem(`pasgl.${name}`, JSON.stringify(value));
    } catch {
      unstored.set(name, value);
    }
  },
};
