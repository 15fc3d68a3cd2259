// A game as it is, with all its turns.
import { stored } from "./dom.js";
import { server } from "./socket.js";

// Watch a game: what never changes of it, the user's seats and all turns so far.
export async function watched(game) {
  const state = new Promise((resolve) => {
    const take = ({ detail }) => {
      if (detail.game !== game) return;
      server.removeEventListener("state", take);
      resolve(detail);
    };
    server.addEventListener("state", take);
  });
  const about = await server.ask("watch", { game, secrets: stored.read("secrets", {})[game] ?? [] });
  const { you, turns: last, turns_from: first } = await state;
  const turns = [];
  while (turns.length < first) turns.push(...(await server.ask("turns", { game, from: turns.length })).turns);
  return { about, you, turns: [...turns.slice(0, first), ...last] };
}
