// Runs before a task page's own scripts: turns every way of submitting the form into the end of the episode.
// The fields stay in the document behind the notice, so what was submitted can still be read and scored.
(() => {
  "use strict";
  // Mechanical Turk defines this around every task; there is no assignment to look up here.
  window.turkSetAssignmentID ??= () => undefined;

  const submitNatively = HTMLFormElement.prototype.submit;
  let submitted = false;

  const notice = () => {
    const host = document.createElement("dialog");
    host.id = "webbench-submitted";
    host.setAttribute("aria-label", "Submitted");
    host.style.cssText =
      "position:fixed;inset:0;width:100vw;height:100vh;max-width:none;max-height:none;margin:0;border:0;" +
      "display:flex;flex-direction:column;align-items:center;justify-content:center;gap:8px;" +
      "background:#f3f7f4;color:#1d3b2a;font:18px system-ui,sans-serif;z-index:2147483647";
    const heading = document.createElement("h1");
    heading.textContent = "Submitted";
    heading.style.cssText = "font-size:40px;margin:0";
    const text = document.createElement("p");
    text.textContent = "Your answers were received. This task is finished.";
    host.append(heading, text);
    return host;
  };

  const finish = () => {
    if (submitted) return;
    submitted = true;
    const shown = notice();
    document.body.append(shown);
    shown.showModal();
    shown.addEventListener("cancel", (event) => event.preventDefault());
    document.title = "Submitted";
    history.replaceState(null, "", "#submitted");
    fetch("submit", { method: "POST" }).then((answer) => answer.text()).catch(() => undefined);
  };

  HTMLFormElement.prototype.submit = function () {
    if (this.target && this.target !== "_self") submitNatively.call(this);
    else finish();
  };
  window.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    finish();
  });
})();
