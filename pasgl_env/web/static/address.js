// Where the user was when something was asked. Once they have gone elsewhere, its answer changes no address:
// the address changes at once, but the event that closes the page before may come after the answer.
let address = location.hash; // as it was last seen, or set by a page itself
let moves = 0; // how often the user has gone elsewhere

function counted() {
  if (location.hash !== address) moves++;
  address = location.hash;
  return moves;
}

export class Place {
  #moves = counted();

  // Have the address name what the page shows now.
  rename(address) {
    this.#set(() => history.replaceState(null, "", address));
  }

  // Go to a game. Returns whether it was done.
  goTo(game, { isReplacing = false } = {}) {
    return this.#set(() => location[isReplacing ? "replace" : "assign"](`#/game/${game}`));
  }

  // What pages set is no move of the user: others who have asked here may still go to what they asked for.
  #set(change) {
    if (counted() !== this.#moves) return false;
    change();
    address = location.hash;
    return true;
  }
}
