// Where the user was when something was asked. Once they have gone elsewhere, its answer changes no address:
// the address changes at once, but the event that closes the page before may come after the answer.
export class Place {
  #address = location.hash;

  // Have the address name what the page shows now.
  rename(address) {
    if (this.#isLeft) return;
    history.replaceState(null, "", address);
    this.#address = location.hash;
  }

  // Go to a game. Returns whether it was done.
  goTo(game, { isReplacing = false } = {}) {
    if (this.#isLeft) return false;
    location[isReplacing ? "replace" : "assign"](`#/game/${game}`);
    return true;
  }

  get #isLeft() {
    return location.hash !== this.#address;
  }
}
