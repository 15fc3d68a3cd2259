// A game as it is, with all its turns.
import { notice } from "./dom.js";
import { secretsOf } from "./links.js";
import { server } from "./socket.js";

// Watch a game until a signal: what never changes of it, the user's seats and all turns so far.
export async function watched(game, signal) {
  const watch = () => server.ask("watch", { game, secrets: secretsOf(game) });
  const state = new Promise((resolve) => {
    const take = ({ detail }) => {
      if (detail.game !== game) return;
      server.removeEventListener("state", take);
      resolve(detail);
    };
    server.addEventListener("state", take);
  });
  const asked = watch();
  signal.addEventListener("abort", () => server.ask("leave", { game }).catch(() => {}));
  // After a lost connection; requests that wait for it come later.
  server.addEventListener("open", () => watch().catch(({ message }) => notice(message)), { signal });
  const about = await asked;
  const { you, turns: last, turns_from: first } = await state;
  const turns = [];
  while (turns.length < first) turns.push(...(await server.ask("turns", { game, from: turns.length })).turns);
  return { about, you, turns: [...turns.slice(0, first), ...last] };
}
