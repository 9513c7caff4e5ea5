// Changes a page in one of many ways, or tells which ways there are (kind "").
([kind, first, second, word]) => {
  const inner = document.querySelector("iframe")?.contentDocument;
  const shade = document.getElementById("host")?.shadowRoot;
  const roots = [document, inner, shade].filter(Boolean);
  const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)])
    .filter((one) => !one.closest("head") && !["HTML", "BODY", "SCRIPT", "STYLE", "MAIN", "IFRAME"].includes(one.tagName)
      && one.id !== "host");
  const pick = (selector, number) => { const found = all(selector); return found[number % found.length]; };
  const one = pick("*", first);
  const other = pick("*", second);
  const field = pick("input:not([type=checkbox]):not([type=radio]):not([type=range]),textarea", first);
  const tick = pick("input[type=checkbox],input[type=radio]", first);
  const acts = {
    text: () => { one.append(document.createTextNode(" " + word)); },
    data: () => { const leaf = all("*").map((at) => at.firstChild).filter((at) => at?.nodeType === 3 && at.data.trim());
      leaf[first % leaf.length].data = word; },
    style: () => one?.classList.toggle(["gone", "unseen", "moved", "loud", "badge"][second % 5]),
    label: () => one?.setAttribute("aria-label", word),
    unlabel: () => all("[aria-label]")[0]?.removeAttribute("aria-label"),
    describe: () => pick("input,button", first)?.setAttribute("aria-labelledby", second % 2 ? "hint" : "none"),
    hint: () => { const hint = document.getElementById("hint"); if (hint) hint.textContent = word; },
    hide: () => one?.setAttribute("aria-hidden", String(second % 2 === 0)),
    role: () => one?.setAttribute("role", ["button", "link", "heading", "note", "none", "checkbox"][second % 6]),
    state: () => one?.setAttribute(["aria-expanded", "aria-checked", "aria-selected", "aria-disabled", "aria-required"][second % 5],
      String(first % 2 === 0)),
    disable: () => { const control = pick("input,button,select,textarea", first); if (control) control.disabled = !control.disabled; },
    inert: () => { if (one && second % 4 === 0) one.inert = !one.inert; },
    type: () => { if (field) field.value = word; },
    check: () => { if (tick) tick.checked = !tick.checked; },
    mixed: () => { if (tick) tick.indeterminate = !tick.indeterminate; },
    range: () => { const range = pick("input[type=range]", first); if (range) range.value = second % 100; },
    choose: () => { const list = pick("select", first); if (list) list.selectedIndex = second % 3; },
    open: () => { const part = pick("details", first); if (part) part.open = !part.open; },
    focus: () => pick("input,button,a,select", first)?.focus(),
    blur: () => document.activeElement?.blur(),
    scroll: () => scrollTo(0, second % 900),
    scrollBox: () => { const box = pick(".box", first); if (box) box.scrollTop = second % 80; },
    remove: () => { if (one && all("*").length > 30) one.remove(); },
    add: () => other?.insertAdjacentHTML("beforebegin", ["<p>", "<button>", "<a href=/x>", "<li>", "<span>"][first % 5] + word),
    field: () => other?.insertAdjacentHTML("afterend", `<input aria-label="${word}" value="${first}">`),
    move: () => { if (one && other && !one.contains(other) && one.ownerDocument === other.ownerDocument) other.before(one); },
    rule: () => { const sheet = document.styleSheets[0];
      sheet.insertRule(second % 2 ? "p{margin-left:7px}" : "li::after{content:'!'}", sheet.cssRules.length); },
    rename: () => { const control = pick("input,button", first); if (control) control.id = "x" + second; },
    edit: () => one?.toggleAttribute("contenteditable"),
    frame: () => { const frame = document.querySelector("iframe"); frame.style.marginLeft = second % 50 + "px"; },
  };
  if (kind === "") return Object.keys(acts);
  acts[kind]();
}
