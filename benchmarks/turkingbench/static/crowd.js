// Stand-ins for Mechanical Turk's crowd-* elements: each holds real form controls that bear its name,
// so that they are found, filled, checked and submitted like any other field of the page.
(() => {
  "use strict";
  if (customElements.get("crowd-form")) return;

  const copied = ["placeholder", "required", "disabled", "min", "max", "step", "maxlength", "pattern", "type", "rows"];

  const take = (element, name) => {
    const value = element.getAttribute(name);
    if (value !== null) element.removeAttribute(name);
    return value;
  };

  const control = (element, tag, attributes = {}) => {
    const made = document.createElement(tag);
    for (const name of copied) {
      if (element.hasAttribute(name)) made.setAttribute(name, element.getAttribute(name));
    }
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    const fieldName = take(element, "name");
    if (fieldName !== null) made.name = fieldName;
    return made;
  };

  const labelled = (field, element, text) => {
    const label = document.createElement("label");
    label.append(field, " ", ...(text ? [text] : Array.from(element.childNodes)));
    element.replaceChildren(label);
  };

  // Children of an element are parsed after it is connected when the script runs first.
  const whenParsed = (build) =>
    class extends HTMLElement {
      connectedCallback() {
        if (this.built) return;
        this.built = true;
        if (document.readyState !== "loading" || this.nextSibling) build(this);
        else document.addEventListener("DOMContentLoaded", () => build(this), { once: true });
      }
    };

  const block = (element) => {
    if (!element.style.display) element.style.display = "block";
  };

  const text = (tag) => (element) => {
    block(element);
    const field = control(element, tag);
    field.value = element.getAttribute("value") ?? (tag === "textarea" ? element.textContent.trim() : "");
    if (tag === "input") field.setAttribute("value", field.value);
    else field.textContent = field.value;
    labelled(field, element, element.getAttribute("label") ?? "");
  };

  const option = (type) => (element) => {
    const attributes = { type, value: element.getAttribute("value") ?? "on" };
    const group = element.closest("crowd-radio-group");
    const name = group ? group.dataset.name ?? take(group, "name") : null;
    if (group && name !== null) group.dataset.name = name;
    const own = element.getAttribute("name");
    if (type === "radio" && name !== null && own !== null) attributes.value = element.getAttribute("value") ?? own;
    const field = control(element, "input", attributes);
    if (type === "radio" && name !== null) field.name = name;
    if (element.hasAttribute("checked")) field.setAttribute("checked", "");
    labelled(field, element);
  };

  const slider = (element) => {
    block(element);
    const field = control(element, "input", { type: "range", value: element.getAttribute("value") ?? element.getAttribute("min") ?? "0" });
    const shown = document.createElement("output");
    shown.textContent = field.value;
    field.addEventListener("input", () => (shown.textContent = field.value));
    element.replaceChildren(field, " ", shown);
  };

  const button = (element) => {
    const made = document.createElement("button");
    made.type = element.getAttribute("form-action") === "submit" ? "submit" : "button";
    made.append(...element.childNodes);
    element.replaceChildren(made);
  };

  const categories = (element) => {
    const written = element.getAttribute("categories") ?? "[]";
    let listed;
    try {
      listed = JSON.parse(written);
    } catch {
      listed = JSON.parse(written.replaceAll("'", '"'));
    }
    return listed.map((entry) => (typeof entry === "string" ? { label: entry, value: entry } : entry));
  };

  const classifier = (type) => (element) => {
    block(element);
    const group = document.createElement("fieldset");
    const legend = document.createElement("legend");
    legend.textContent = element.getAttribute("header") ?? "";
    group.append(legend);
    const name = take(element, "name") ?? "annotation";
    for (const { label, value } of categories(element)) {
      const line = document.createElement("label");
      const field = document.createElement("input");
      Object.assign(field, { type, name, value: value ?? label });
      line.style.display = "block";
      line.append(field, " ", label);
      group.append(line);
    }
    element.append(group);
  };

  const disclosure = (element) => {
    const details = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = element.getAttribute("link-text") ?? element.getAttribute("header") ?? "Instructions";
    details.append(summary, ...element.childNodes);
    element.replaceChildren(details);
  };

  const elements = {
    "crowd-input": text("input"),
    "crowd-text-area": text("textarea"),
    "crowd-checkbox": option("checkbox"),
    "crowd-radio-button": option("radio"),
    "crowd-radio-group": block,
    "crowd-slider": slider,
    "crowd-button": button,
    "crowd-classifier": classifier("radio"),
    "crowd-classifier-multi-select": classifier("checkbox"),
    "crowd-instructions": disclosure,
    "crowd-form": block,
    "crowd-card": block,
    "crowd-alert": block,
    "crowd-tabs": block,
    "crowd-tab": block,
    "crowd-modal": disclosure,
  };
  for (const [name, build] of Object.entries(elements)) customElements.define(name, whenParsed(build));
})();
