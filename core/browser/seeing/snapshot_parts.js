// Elements whose content the browser makes itself: frames, choices, fields.

// Where a disclosure without a heading of its own has the browser's: what its content leaves of it.
const headingBox = (details) => {
  const rect = details.getBoundingClientRect();
  if (!details.open) return rect;
  const content = document.createRange();
  content.selectNodeContents(details);
  const tops = [...content.getClientRects()].filter(({ width, height }) => width > 0 || height > 0).map(({ top }) => top);
  return { x: rect.x, y: rect.y, width: rect.width, height: Math.max(Math.min(rect.bottom, ...tops) - rect.top, 0) };
};

class PartRows extends LayoutRows {
  // The heading that the browser gives a disclosure without one: a person opens and closes it there.
  heading(details, style, depth, env) {
    const name = transformed("Details", style.textTransform);
    const row = this.push(idOfPart(details, "DisclosureTriangle0"), "DisclosureTriangle", name, depth, "");
    this.place(row, headingBox(details), env.clip);
    const { disabled } = env;
    row.states = disabled ? { disabled: true, focusable: true } : { focusable: true };
    row.clickable = disabled ? 0 : 2;
    this.partOf(row, details, "StaticText0", "StaticText", name, depth + 1, null);
  }

  // The browser names a file field by its button and what was chosen: "Choose File: a.txt".
  file(row) {
    const cut = row.name.lastIndexOf(": ");
    if (cut < 0) return;
    row.value = row.name.slice(cut + 2);
    row.name = row.name.slice(0, cut);
  }

  // Elements whose content the browser makes itself; true if nothing more is to be walked.
  special(element, tag, role, row, depth, env, layout) {
    if (isFrame(element)) return this.iframe(element, row, depth, env);
    if (tag === "SELECT") return this.choices(element, role, depth, env, layout);
    if (tag === "TEXTAREA" || tag === "INPUT") return this.field(element, tag, row, depth, env);
    if (tag === "IMG") return this.areas(element, depth, env);
    return tag === "VIDEO" || tag === "AUDIO" || tag === "HR" || tag === "METER" || tag === "PROGRESS";
  }

  // The parts of an image that are links, or act as such.
  areas(image, depth, env) {
    if (!image.hasAttribute("usemap")) return true;
    for (const area of areasOf(image)) {
      const box = areaBox(area, image);
      const reason = areaReason(area);
      if (!box || !reason) continue;
      const row = this.push(idOf(area), "link", ownWords(area), depth, "AREA");
      this.place(row, box, env.clip);
      row.added = !image.complete || image.naturalWidth === 0; // the tree has the areas of a picture that came
      if (!row.added && isFocusable(area, "AREA", false)) row.states = { focusable: true };
      row.clickable = reason;
      row.attributes = attributesOf(area);
    }
    return true;
  }

  iframe(element, row, depth, env) {
    const rect = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const x = rect.x + this.x + element.clientLeft + Number.parseFloat(style.paddingLeft);
    const y = rect.y + this.y + element.clientTop + Number.parseFloat(style.paddingTop);
    const clip = intersect(env.clip, [x, y, x + element.clientWidth, y + element.clientHeight]);
    const content = contentOf(element);
    if (content) this.document(content, depth, x, y, clip);
    else this.remotes.push({ id: row.id, depth, x, y, clip, window: windowOf(element) });
    return true;
  }

  choices(select, role, depth, env, layout) {
    let at = depth;
    if (role === "combobox") {
      this.part(select, "popup", "MenuListPopup", "", depth, env.clip);
      at += 1;
    }
    const visit = (parent, level) => {
      for (const kid of parent.children) {
        const tag = kid.tagName;
        if (tag === "OPTION") this.option(kid, role, level, env);
        else if (tag === "OPTGROUP") {
          if (kid.hidden) continue;
          const row = this.push(idOf(kid), "group", kid.label, level, tag);
          visit(kid, level + 1);
        }
      }
    };
    visit(select, at);
    return true;
  }

  // `env`: that of its list, which a group may contradict.
  isOptionSaidDisabled(option, env) {
    const group = option.parentElement.tagName === "OPTGROUP" ? option.parentElement : null;
    return this.disables && isSaidDisabled(option, group ? isSaidDisabled(group, env.disabled) : env.disabled);
  }

  option(option, role, depth, env) {
    if (option.hidden) return;
    const row = this.push(idOf(option), "option", option.computedName || option.label, depth, "OPTION");
    const states = {};
    const shut = option.disabled || (option.parentElement.tagName === "OPTGROUP" && option.parentElement.disabled);
    if (shut || option.closest("select")?.disabled || this.isOptionSaidDisabled(option, env)) states.disabled = true;
    if (!shut) states.focusable = true;
    if (env.editable) states.editable = env.editable;
    if (!states.disabled) states.selected = option.selected;
    row.states = states;
    if (role !== "combobox") this.place(row, option.getBoundingClientRect(), env.clip);
    row.clickable = states.disabled ? 0 : 2;
    if (option.hasAttribute("value")) row.attributes = { value: option.value };
  }

  // The inner editor of a text field: its value as text, one line each.
  field(element, tag, row, depth, env) {
    const type = tag === "INPUT" ? element.type : "";
    if (type === "file") this.file(row);
    if (BUTTON_TYPES.has(type) && type !== "image") {
      const label = element.value || (element.hasAttribute("value") ? "" : element.computedName);
      if (label) this.part(element, "label", "StaticText", label, depth, env.clip);
      return true;
    }
    if (tag === "INPUT" && !TEXT_INPUTS.has(type)) return true;
    const states = env.editable && !element.readOnly && !element.matches(":disabled") ? { editable: env.editable } : null;
    this.partOf(row, element, "editor", "generic", "", depth, states);
    const value = type === "password" ? "\u2022".repeat(element.value.length) : element.value;
    const lines = value ? value.split("\n") : [];
    lines.forEach((text, index) => {
      if (text) this.partOf(row, element, `line${index}`, "StaticText", text, depth + 1, states);
      if (index < lines.length - 1) {
        this.partOf(row, element, `break${index}`, "LineBreak", "\n", depth + 1, states);
      }
    });
    // An empty last line is held open by one more.
    if (value.endsWith("\n")) this.partOf(row, element, `break${lines.length - 1}`, "LineBreak", "\n", depth + 1, states);
    return true;
  }
}
