/* One step (or row) at a time: by slider, buttons, list, keys, or the address behind "#". Without this script
   the page shows all of them, one below the other. */
(() => {
  const steps = [...document.querySelectorAll(".step")];
  const bar = document.querySelector(".scrubber");
  if (steps.length < 2) return;
  const slider = bar.querySelector("input");
  const told = bar.querySelector("output");
  const rail = document.querySelector(".rail");
  const picks = [...rail.querySelectorAll("[data-pick]")];
  let at = 0;

  const reveal = (pick) => {
    const { top, bottom } = pick.getBoundingClientRect();
    const room = rail.getBoundingClientRect();
    if (top < room.top + 32 || bottom > room.bottom) {
      rail.scrollTop += (top + bottom) / 2 - (room.top + room.bottom) / 2;
    }
  };
  const show = (wanted, remember = true) => {
    at = Math.max(0, Math.min(steps.length - 1, wanted));
    steps.forEach((step, index) => {
      if (index === at) step.removeAttribute("hidden");
      else step.setAttribute("hidden", "until-found");
    });
    picks.forEach((pick, index) => {
      if (index === at) pick.setAttribute("aria-current", "step");
      else pick.removeAttribute("aria-current");
    });
    reveal(picks[at]);
    slider.value = String(at);
    told.textContent = `${at + 1} of ${steps.length}`;
    for (const name of ["first", "before"]) bar.querySelector(`[data-go="${name}"]`).disabled = at === 0;
    for (const name of ["last", "next"]) bar.querySelector(`[data-go="${name}"]`).disabled = at === steps.length - 1;
    if (remember) history.replaceState(null, "", `#at-${at}`);
  };
  const differing = (direction) => {
    let next = at + direction;
    while (picks[next] && !("differs" in picks[next].dataset)) next += direction;
    if (picks[next]) show(next);
  };
  const go = {
    first: () => show(0),
    before: () => show(at - 1),
    next: () => show(at + 1),
    last: () => show(steps.length - 1),
    difference: () => differing(1),
    "difference before": () => differing(-1),
  };
  const keys = { ArrowLeft: "before", ArrowRight: "next", Home: "first", End: "last", n: "difference", N: "difference before" };

  bar.hidden = false;
  bar.addEventListener("click", (event) => {
    const button = event.target.closest("[data-go]");
    if (button) go[button.dataset.go]();
  });
  slider.addEventListener("input", () => show(Number(slider.value)));
  picks.forEach((pick, index) => pick.addEventListener("click", (event) => { event.preventDefault(); show(index); }));
  steps.forEach((step, index) => step.addEventListener("beforematch", () => show(index)));
  document.querySelectorAll(".pair").forEach((pair) => {
    pair.addEventListener("click", () => pair.classList.toggle("large"));
  });
  document.addEventListener("keydown", (event) => {
    const wanted = keys[event.key];
    if (!wanted || event.target === slider || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go[wanted]();
  });
  const asked = () => {
    const found = /^#(?:at|step)-(\d{1,6})$/.exec(location.hash);
    show(found ? Number(found[1]) : 0, false);
  };
  addEventListener("hashchange", asked);
  asked();
})();
