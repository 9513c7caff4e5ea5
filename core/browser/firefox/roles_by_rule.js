// Roles and names by the rules of HTML-AAM and of "Accessible Name and Description Computation", in Chromium's words:
// what `computedRole` and `computedName` tell there. Firefox gives scripts neither.

const INPUTS = { button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox", radio: "radio",
  range: "slider", number: "spinbutton", search: "searchbox", file: "button", color: "ColorWell", date: "Date",
  "datetime-local": "DateTime", month: "DateTime", week: "DateTime", time: "InputTime" };
const LISTING = new Set(["text", "search", "tel", "url", "email", ""]);
const TAGS = { ARTICLE: "article", ASIDE: "complementary", BLOCKQUOTE: "blockquote", BUTTON: "button", CAPTION: "caption",
  CODE: "code", DATALIST: "listbox", DD: "definition", DEL: "deletion", DETAILS: "group", DFN: "term", DIALOG: "dialog",
  DT: "term", EM: "emphasis", FIELDSET: "group", FIGURE: "figure", HR: "separator", INS: "insertion", LI: "listitem",
  MAIN: "main", MATH: "math", MENU: "list", METER: "meter", NAV: "navigation", OL: "list", OPTGROUP: "group",
  OPTION: "option", OUTPUT: "status", P: "paragraph", PROGRESS: "progressbar", SEARCH: "search", STRONG: "strong",
  SUB: "subscript", SUP: "superscript", TABLE: "table", TBODY: "rowgroup", TEXTAREA: "textbox", TFOOT: "rowgroup",
  THEAD: "rowgroup", TIME: "time", TR: "row", UL: "list", H1: "heading", H2: "heading", H3: "heading", H4: "heading",
  H5: "heading", H6: "heading", AREA: "link", MARK: "mark", IFRAME: "", FRAME: "", SUMMARY: "", LABEL: "", BR: "",
  DL: "", LEGEND: "", VIDEO: "", AUDIO: "", CANVAS: "" };
const SECTIONING = "article, aside, main, nav, section";
const FROM_CONTENT = new Set(["button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link", "menuitem",
  "menuitemcheckbox", "menuitemradio", "option", "radio", "rowheader", "switch", "tab", "tooltip", "treeitem",
  "DisclosureTriangle"]);
const NEVER_NAMED = new Set(["caption", "code", "deletion", "emphasis", "generic", "insertion", "none", "paragraph",
  "presentation", "strong", "subscript", "superscript", "mark", "time"]);
const PRESENTATION = new Set(["none", "presentation"]);
const KNOWN = new Set(`alert alertdialog application article banner blockquote button caption cell checkbox code columnheader
  combobox complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid
  gridcell group heading img image insertion link list listbox listitem log main mark marquee math menu menubar menuitem
  menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup
  region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript superscript
  switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem`.split(/\s+/));
const words = (text) => (text || "").replace(/\s+/g, " ").trim();

const explicitRole = (element) => {
  for (const token of (element.getAttribute("role") || "").toLowerCase().split(/\s+/)) {
    if (!KNOWN.has(token)) continue;
    if (PRESENTATION.has(token) && (element.tabIndex >= 0 || element.hasAttribute("aria-label"))) continue;
    return token === "img" ? "image" : token === "presentation" ? "none" : token;
  }
  return "";
};

const cellRole = (element, tag) => {
  const table = element.closest("table");
  const around = table ? explicitRole(table) : "";
  if (PRESENTATION.has(around)) return "none";
  if (tag === "TD") return around === "grid" || around === "treegrid" ? "gridcell" : "cell";
  const scope = (element.getAttribute("scope") || "").toLowerCase();
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope === "col" || scope === "colgroup") return "columnheader";
  return element.parentElement?.querySelector(":scope > td") ? "rowheader" : "columnheader";
};

const inputRole = (element) => {
  const type = element.type;
  if (type === "hidden") return "none";
  if (element.list && LISTING.has(type)) return "combobox";
  return INPUTS[type] ?? "textbox";
};

const role = (element) => {
  const told = explicitRole(element);
  if (told) return told;
  const tag = element.tagName.toUpperCase();
  if (element.namespaceURI === "http://www.w3.org/2000/svg") {
    return tag === "SVG" ? "image" : tag === "A" ? "link" : tag === "TEXT" || tag === "TSPAN" ? "" : "generic";
  }
  switch (tag) {
    case "A": return element.hasAttribute("href") ? "link" : "generic";
    case "INPUT": return inputRole(element);
    case "IMG": return element.getAttribute("alt") === "" && !element.title ? "none" : "image";
    case "SELECT": return element.multiple || element.size > 1 ? "listbox" : "combobox";
    case "TD": case "TH": return cellRole(element, tag);
    case "HEADER": return element.closest(SECTIONING) ? "generic" : "banner";
    case "FOOTER": return element.closest(SECTIONING) ? "generic" : "contentinfo";
    case "SECTION": return given(element) ? "region" : "generic";
    case "FORM": return "form";
    default: return TAGS[tag] ?? "generic";
  }
};

const given = (element) => words(element.getAttribute("aria-label")) || element.getAttribute("aria-labelledby") || element.title;

const hidden = (element) => {
  if (element.getAttribute("aria-hidden") === "true") return true;
  const style = element.ownerDocument.defaultView.getComputedStyle(element);
  return style.display === "none" || style.visibility === "hidden" || style.visibility === "collapse";
};

const generated = (element, part) => {
  const content = element.ownerDocument.defaultView.getComputedStyle(element, part).content;
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(content || "");
  return quoted ? quoted[1].replace(/\\(.)/g, "$1") : "";
};

const CASES = { uppercase: (text) => text.toUpperCase(), lowercase: (text) => text.toLowerCase() };
const cased = (text, element) => {
  const change = CASES[element.ownerDocument.defaultView.getComputedStyle(element).textTransform];
  return change ? change(text) : text;
};

const inside = (element, seen) => {
  let text = generated(element, "::before");
  const slotted = element.tagName === "SLOT" ? element.assignedNodes() : [];
  const nodes = slotted.length ? slotted : (element.shadowRoot || element).childNodes;
  for (const node of nodes) {
    if (node.nodeType === 3) text += cased(node.data, element);
    else if (node.nodeType === 1 && !seen.has(node) && !hidden(node)) {
      const display = element.ownerDocument.defaultView.getComputedStyle(node).display;
      const part = node.tagName === "BR" ? " " : named(node, seen, true);
      text += display === "inline" || display === "contents" ? part : ` ${part} `;
    }
  }
  return text + generated(element, "::after");
};

const valueIn = (element) => {
  const what = role(element);
  if (element.tagName === "INPUT" || element.tagName === "TEXTAREA") {
    if (what === "textbox" || what === "searchbox" || what === "spinbutton" || what === "slider") return element.value;
  }
  if (element.tagName === "SELECT") return [...element.selectedOptions].map((one) => one.label).join(" ");
  return undefined;
};

const fromMarkup = (element, seen) => {
  const tag = element.tagName.toUpperCase();
  if (tag === "INPUT" && ["button", "submit", "reset"].includes(element.type)) {
    if (element.value) return element.value;
    if (element.type !== "button") return element.type === "submit" ? "Submit" : "Reset";
  }
  if (element.labels?.length) {
    const text = words([...element.labels].map((label) => inside(label, new Set([...seen, element]))).join(" "));
    if (text) return text;
  }
  if (tag === "IMG" || tag === "AREA" || (tag === "INPUT" && element.type === "image")) {
    if (element.hasAttribute("alt")) return element.alt;
  }
  const first = { FIELDSET: "legend", TABLE: "caption", FIGURE: "figcaption" }[tag];
  const child = first && element.querySelector(`:scope > ${first}`);
  if (child) return inside(child, seen);
  if (tag === "OPTGROUP" || tag === "OPTION") return element.label;
  if (tag.toLowerCase() === "svg") return element.querySelector(":scope > title")?.textContent || "";
  return "";
};

// `nested`: it is a part of another's name, in which every text counts, and fields count by their value.
const named = (element, seen, nested) => {
  seen = new Set([...seen, element]);
  const ids = (element.getAttribute("aria-labelledby") || "").split(/\s+/).filter(Boolean);
  const labels = nested && seen.labelled ? [] : ids.map((id) => element.getRootNode().getElementById?.(id)).filter(Boolean);
  if (labels.length && !nested) {
    const text = words(labels.map((label) => {
      const own = words(label.getAttribute("aria-label"));
      return own || valueIn(label) || inside(label, seen) || fromMarkup(label, seen);
    }).join(" "));
    if (text) return text;
  }
  const label = words(element.getAttribute("aria-label"));
  if (label) return label;
  if (nested) {
    const value = valueIn(element);
    if (value !== undefined) return value;
  }
  const what = role(element);
  const text = what === "none" && !nested ? "" : fromMarkup(element, seen);
  if (words(text)) return text;
  if (nested || FROM_CONTENT.has(what) || element.tagName === "SUMMARY") {
    const content = inside(element, seen);
    if (words(content)) return content;
  }
  return element.title || element.getAttribute("placeholder") || element.getAttribute("aria-placeholder") || "";
};

globalThis.byRule = {
  role,
  name: (element) => (NEVER_NAMED.has(role(element)) && !element.hasAttribute("aria-label")
    && !element.hasAttribute("aria-labelledby") ? words(element.title) : words(named(element, new Set(), false))),
};
