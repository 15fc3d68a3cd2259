// Runs before anything is shown, so that a dark page never flashes white, and one in a frame has no menu.
{
  let chosen = null;
  try {
    chosen = JSON.parse(localStorage.getItem("pasgl.theme"));
  } catch {
    // The browser allows no storage.
  }
  document.documentElement.toggleAttribute("data-framed", window !== window.top);
  document.documentElement.dataset.theme = chosen ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}
