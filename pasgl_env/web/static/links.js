// Links to a game: one to watch it, and one for each seat of somebody who is elsewhere.
import { dialog, el, stored } from "./dom.js";
import { server } from "./socket.js";

const OWN_MACHINE = ["localhost", "127.0.0.1", "[::1]"];

export function openLinks(game, seats) {
  const base = `${address()}#/game/${game}`;
  const said = el("p", { class: "hint", role: "status" });
  const row = (text, link) => {
    const input = el("input", { value: link, readonly: true, "aria-label": text });
    const copy = el("button", { type: "button" }, "Copy");
    copy.addEventListener("click", async () => {
      said.textContent = (await copied(input)) ? "Copied." : "This browser does not let the page copy: copy the marked link yourself.";
    });
    return el("div", { class: "link-row" }, el("p", {}, text), input, copy);
  };
  dialog(
    "Links",
    ...Object.entries(stored.read("links", {})[game] ?? {}).map(([seat, secret]) => row(`To play ${seats[seat].seat}. Keep it private.`, `${base}/${secret}`)),
    row("To watch", base),
    said,
  );
}

// The address at which others reach this page: the one that the user has, which may be that of a proxy.
// On the server's own machine it is of no use to others, and the server's word counts.
function address() {
  const told = new URL(server.hello.link);
  return OWN_MACHINE.includes(location.hostname) ? told.href : location.origin + location.pathname + told.search;
}

// Copy the text of a field, which is marked; whether it was done.
async function copied(input) {
  input.focus();
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    // Without HTTPS there is no clipboard, but the older command works.
    return document.execCommand("copy");
  }
}
