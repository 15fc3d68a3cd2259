// Runs before anything is shown, so that a dark page never flashes white.
document.documentElement.dataset.theme =
  localStorage.getItem("pasgl.theme") ||
  (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
