"use strict";

document.addEventListener("change", (event) => {
  const field = event.target;
  if (field.matches("select[data-submit]")) field.form.requestSubmit();
  if (field.matches("input[data-picture]")) document.getElementById("shot").src = field.dataset.picture;
});

document.addEventListener("submit", (event) => {
  const question = event.target.dataset.confirm;
  if (question && !window.confirm(question)) event.preventDefault();
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if ("close" in button.dataset) button.closest("dialog").close();
  if (button.dataset.cookies) {
    const body = new URLSearchParams({ choice: button.dataset.cookies });
    await fetch(`${document.body.dataset.base}/cookies`, { method: "POST", body });
    button.closest(".cookies").remove();
  }
});

document.querySelector("dialog[data-open]")?.showModal();
