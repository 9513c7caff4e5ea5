"use strict";

document.addEventListener("input", (event) => {
  if (event.target.type === "range") event.target.nextElementSibling.value = event.target.value;
});
