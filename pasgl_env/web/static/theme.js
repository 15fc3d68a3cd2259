// Runs before anything is shown, so that a dark page never flashes white.
{
  let chosen = null;
  try {
    chosen = JSON.parse(localStorage.getItem("pasgl.theme"));
  } catch {
    // The browser allows no storage.
  }
  document.documentElement.dataset.theme = chosen ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}
