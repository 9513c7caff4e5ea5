// Bootstrap 4.0 toggles a button label's field itself; later versions leave that to the browser, which can't
// where the label's `for` names nothing. Pages written for 4.0 have such labels.
document.addEventListener("click", (event) => {
  const label = event.target.closest?.('[data-toggle^="button"] label.btn');
  const field = label?.querySelector('input:not([type="hidden"])');
  if (!field || event.target === field || label.control === field || field.disabled) return;
  window.jQuery?.(label).button("toggle");
});
