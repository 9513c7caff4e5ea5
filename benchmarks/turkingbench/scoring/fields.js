// A function expression for `Environment.probe`: ({names, excluded, published}) => {url, fields of the page in order}.
// `published` finds elements as upstream does: by an unescaped selector, and nameless ones where all are wanted.
(argument) => {
  const kinds = new Set(["INPUT", "SELECT", "TEXTAREA"]);
  const excluded = new Set(argument.excluded);
  const scroll = { x: window.scrollX, y: window.scrollY };

  const clips = (style) => style.overflowX !== "visible" || style.overflowY !== "visible";

  // What lies outside a box that cuts it off, or left of and above the page, can't be scrolled to.
  const cutOff = (element, box) => {
    if (box.right + scroll.x <= 0 || box.bottom + scroll.y <= 0) return true;
    let positioned = getComputedStyle(element).position;
    for (let holder = element.parentElement; holder && holder !== document.documentElement; holder = holder.parentElement) {
      const style = getComputedStyle(holder);
      const skipped = positioned === "fixed" || (positioned === "absolute" && style.position === "static");
      if (skipped) continue;
      positioned = style.position;
      if (!clips(style) || holder === document.body) continue;
      const frame = holder.getBoundingClientRect();
      if (box.right < frame.left || box.bottom < frame.top) return true;
      const beyond = box.left >= frame.right || box.top >= frame.bottom;
      if (beyond && (style.overflowX === "hidden" || style.overflowY === "hidden")) return true;
    }
    return false;
  };

  // Opacity 0 of an element hides all that is in it; next to nothing is still shown.
  const transparent = (element) => {
    for (let holder = element; holder; holder = holder.parentElement) {
      if (getComputedStyle(holder).opacity === "0") return true;
    }
    return false;
  };

  const displayed = (element, box) =>
    element.type !== "hidden" &&
    element.checkVisibility({ visibilityProperty: true }) &&
    box.width > 0 &&
    box.height > 0 &&
    !transparent(element) &&
    !cutOff(element, box);

  const typeOf = (element) => {
    if (element.tagName === "SELECT") return "select";
    return element.tagName === "TEXTAREA" ? "textarea" : element.type;
  };

  const current = (type, all) => {
    const inputs = all.filter((element) => kinds.has(element.tagName));
    if (type === "radio" || type === "checkbox") {
      return inputs.filter((element) => element.checked).map((element) => element.value);
    }
    if (type === "submit") return [];
    if (type === "select") return Array.from(all[0].selectedOptions, (option) => option.value);
    if (type === "textarea") return inputs.filter((element) => !element.readOnly).map((element) => element.value);
    return inputs.map((element) => element.value);
  };

  const markup = (type, all) => {
    if (type === "radio" || type === "checkbox") {
      return all.filter((element) => element.checked).map((element) => element.value);
    }
    if (type === "submit") return [];
    if (type === "select") {
      return Array.from(all[0].children).filter((child) => child.selected).map((child) => child.value);
    }
    if (type === "textarea") {
      return all.filter((element) => !element.readOnly).map((element) => element.innerHTML);
    }
    return all.map((element) => element.getAttribute("value"));
  };

  const describe = (element, position) => {
    const box = element.getBoundingClientRect();
    const all = Array.from(document.getElementsByName(element.name));
    const type = typeOf(element);
    return {
      name: element.name,
      type,
      displayed: displayed(element, box),
      values: current(type, all),
      markup: markup(type, all),
      x: Math.round(box.left + scroll.x),
      y: Math.round(box.top + scroll.y),
      position,
    };
  };

  const first = (name) => {
    if (!argument.published) return document.getElementsByName(name)[0];
    try {
      return document.querySelector(`[name="${name}"]`);
    } catch {
      return null;
    }
  };

  const elements =
    argument.names === null
      ? Array.from(document.querySelectorAll("input, textarea, select"))
      : argument.names.map(first);
  const found = elements
    .filter((element) => element && kinds.has(element.tagName) && !excluded.has(element.name))
    .filter((element) => element.name || argument.published)
    .map(describe);
  found.sort((a, b) => b.displayed - a.displayed || a.y - b.y || a.x - b.x || a.position - b.position);
  return { url: location.href, fields: found };
}
