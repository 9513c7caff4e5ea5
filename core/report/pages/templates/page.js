"use strict";
/* Light or dark: as the reader's system says, until the button says otherwise. */
(() => {
  const root = document.documentElement;
  const button = document.getElementById("shade");
  button.hidden = false;
  button.addEventListener("click", () => {
    const dark = root.classList.contains("dark")
      || (!root.classList.contains("light") && matchMedia("(prefers-color-scheme: dark)").matches);
    root.classList.remove("light", "dark");
    root.classList.add(dark ? "light" : "dark");
  });
})();
