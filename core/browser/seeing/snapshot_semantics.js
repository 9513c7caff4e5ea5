// Roles, states and inclusion of one element, as Chromium's accessibility tree gives them.
// Runs in an isolated world, joined in front of snapshot.js; expects `computedRole`/`computedName`.
"use strict";

const CONTROL_ROLES = new Set([
  "button", "checkbox", "ColorWell", "combobox", "Date", "DateTime", "DisclosureTriangle", "DisclosureTriangleGrouped",
  "gridcell", "InputTime", "link", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "radio",
  "scrollbar", "searchbox", "slider", "spinbutton", "switch", "tab", "textbox", "treeitem",
]);
// Controls, tables and roles that the tree keeps even without a name or a handler.
const KEPT_ROLES = new Set([
  ...CONTROL_ROLES, "LayoutTable", "LayoutTableRow", "LayoutTableCell", "table", "grid", "treegrid", "row", "cell",
  "columnheader", "rowheader", "Abbr", "application", "article", "Audio", "banner", "blockquote", "code",
  "complementary", "deletion", "contentinfo", "insertion", "definition", "DescriptionList", "Details", "dialog",
  "alertdialog", "emphasis", "Figcaption", "figure", "sectionfooter", "form", "sectionheader", "list", "listitem",
  "main", "mark", "math", "meter", "MenuListPopup", "navigation", "PluginObject", "progressbar", "region", "Ruby",
  "search", "separator", "subscript", "superscript", "strong", "term", "time", "Video", "heading", "Legend",
  "MathMLMath",
]);
const NAMED_ROLES = { BR: "LineBreak", LABEL: "LabelText", SUMMARY: "DisclosureTriangle", DL: "DescriptionList",
  IFRAME: "Iframe", FRAME: "Iframe", CANVAS: "Canvas", VIDEO: "Video", AUDIO: "Audio", LEGEND: "Legend",
  FIGCAPTION: "Figcaption", ABBR: "Abbr", ACRONYM: "Abbr", RUBY: "Ruby", RT: "RubyAnnotation", EMBED: "EmbeddedObject",
  OBJECT: "PluginObject", DETAILS: "Details", HEADER: "sectionheader", FOOTER: "sectionfooter", svg: "SvgRoot",
  TABLE: "LayoutTable", TR: "LayoutTableRow", TD: "LayoutTableCell", TH: "LayoutTableCell", PRE: "Pre" };
const INPUT_ROLES = { color: "ColorWell", date: "Date", month: "DateTime", week: "DateTime", "datetime-local": "DateTime",
  time: "InputTime" };
const TABLE_ROLES = { table: "LayoutTable", "inline-table": "LayoutTable", "table-row": "LayoutTableRow",
  "table-cell": "LayoutTableCell" };
const TEXT_INPUTS = new Set(["text", "search", "url", "tel", "email", "password", "number"]);
// Elements that neither get a role from anything but their tag nor a name from their content.
const PLAIN_ROLES = { DIV: "generic", SPAN: "generic", P: "paragraph", B: "generic", I: "generic", U: "generic",
  SMALL: "generic", FONT: "generic", CENTER: "generic", EM: "emphasis", STRONG: "strong", CODE: "code", PRE: "generic",
  BODY: "generic", HTML: "generic", SUB: "subscript", SUP: "superscript", DD: "definition",
  TBODY: "rowgroup", BR: "LineBreak", BLOCKQUOTE: "blockquote" };
const REQUIRABLE = new Set(["combobox", "gridcell", "listbox", "radiogroup", "spinbutton", "textbox",
  "tree", "columnheader", "rowheader", "treegrid"]);
const READONLY_ABLE = new Set(["grid", "gridcell", "textbox", "columnheader", "rowheader", "treegrid"]);
const MULTISELECTABLE = new Set(["grid", "listbox", "tablist", "treegrid", "tree"]);
const SELECTABLE = new Set(["option", "tab", "treeitem", "gridcell", "row", "cell", "columnheader", "rowheader"]);
const RANGES = new Set(["slider", "progressbar", "meter", "scrollbar", "spinbutton"]);
const SETTABLE = new Set(["slider", "separator", "spinbutton", "scrollbar"]);
const CHECKABLE = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"]);
const FORM_TAGS = new Set(["INPUT", "SELECT", "TEXTAREA", "BUTTON", "FIELDSET", "OUTPUT", "OBJECT"]);
const BUTTON_TYPES = new Set(["submit", "reset", "button", "image"]);
const ATTRIBUTES = ["id", "name", "type", "placeholder"];

// Whether an element bears anything that could change its role, name or inclusion beyond its tag.
const isBare = (element) => {
  if (!element.hasAttributes()) return true;
  const attributes = element.attributes;
  const usual = element.hasAttribute("class") + element.hasAttribute("style") + element.hasAttribute("id");
  if (attributes.length === usual) return true;
  for (const name of element.getAttributeNames()) {
    if (name !== "class" && name !== "style" && name !== "id" && !name.startsWith("data-")) return false;
  }
  return true;
};

// Attributes that leave a link's role and name to its tag and text.
const LINK_ATTRIBUTES = new Set(["class", "style", "id", "href", "rel", "target", "download", "hreflang", "ping"]);
const isPlainLink = (element, tag) => {
  if (tag !== "A" || !element.hasAttribute("href")) return false;
  for (const name of element.getAttributeNames()) {
    if (!LINK_ATTRIBUTES.has(name) && !name.startsWith("data-")) return false;
  }
  return true;
};
// The name of an element whose whole content is one plain text, undefined where it takes the browser to tell.
const ONE_WORD_SPACING = /^[!-~]+(?: [!-~]+)*$/;
const textName = (element, style) => {
  const only = element.firstChild;
  if (!only || only.nextSibling || only.nodeType !== 3) return undefined;
  const text = only.data;
  return ONE_WORD_SPACING.test(text) && style.textTransform === "none" ? text : undefined;
};
// Attributes that leave a line of text a textbox, and a label that is taken as it stands.
const PLAIN_FIELDS = new Set(["text", "email", "tel", "url", "password"]);
const FIELD_ATTRIBUTES = new Set(["class", "style", "id", "name", "type", "value", "placeholder", "aria-label", "required", "size",
  "maxlength", "autocomplete"]);
const isPlainField = (element) => {
  for (const name of element.getAttributeNames()) if (!FIELD_ATTRIBUTES.has(name)) return false;
  return PLAIN_FIELDS.has(element.type);
};
const labelName = (element) => {
  const label = element.getAttribute("aria-label");
  return label && ONE_WORD_SPACING.test(label) ? label : undefined;
};

const roleOf = (element, tag, display) => {
  const role = element.computedRole;
  if (role) return role;
  if (display in TABLE_ROLES && tag !== "LABEL") return TABLE_ROLES[display];
  if (tag === "INPUT") return INPUT_ROLES[element.type] || "";
  return NAMED_ROLES[tag] || "";
};

const flag = (element, name) => {
  const value = element.getAttribute(name);
  return value === null ? undefined : value.trim().toLowerCase();
};

// Whether the page says of an element that it is disabled, or says nothing of it and does so of what is `around` it.
const isSaidDisabled = (element, around) => {
  const said = Element.prototype.getAttribute.call(element, "aria-disabled");
  return said === null ? around : said.toLowerCase() === "true";
};
// `said`: whether the page says so of it, or around it. The tree hands that down to what can have the keyboard alone.
const isDisabled = (element, tag, focusable, said) => {
  if (tag === "OBJECT" || tag === "EMBED") return !element.contentWindow; // one that holds a page is like a frame
  if ((tag === "VIDEO" || tag === "AUDIO") && (element.networkState === 0 || element.networkState === 3)) return true;
  if (tag !== "FIELDSET" && element.matches(":disabled")) return true;
  return said && (focusable || element.hasAttribute("aria-disabled"));
};

const UNFOCUSABLE = new Set(["BODY", "HTML", "IFRAME", "FRAME", "OBJECT", "EMBED"]);
// `editable`: it is in a text that can be edited, where links can't be followed.
const isFocusable = (element, tag, editable) => {
  if (UNFOCUSABLE.has(tag)) return false;
  if (tag === "VIDEO" || tag === "AUDIO") return element.controls || element.hasAttribute("tabindex");
  if (tag === "DIALOG" && element.open) return true;
  if ((tag === "A" || tag === "AREA") && (editable || !element.hasAttribute("href"))) return element.hasAttribute("tabindex");
  if (element.isContentEditable && element.hasAttribute("contenteditable") && !element.parentElement?.isContentEditable) return true;
  if (element.tabIndex >= 0) return !element.matches(":disabled") && tag !== "OPTION" && tag !== "OPTGROUP"
    || element.hasAttribute("tabindex");
  return element.hasAttribute("tabindex") && /^\s*[-+]?\d/.test(element.getAttribute("tabindex"));
};

const tokenOr = (element, name, allowed) => {
  const value = flag(element, name);
  return value !== undefined && allowed.includes(value) ? value : undefined;
};

// What stands in a text that can be edited and has none itself.
const ATOMIC = { BR: "plaintext", IMG: "plaintext", INPUT: "plaintext", SELECT: "plaintext", HR: "plaintext", VIDEO: "plaintext",
  PROGRESS: "plaintext", METER: "" };
// "plaintext", "richtext" or "" for an element by its own or inherited editability.
const editability = (element, tag) => {
  if (tag === "TEXTAREA" || (tag === "INPUT" && TEXT_INPUTS.has(element.type))) return "plaintext";
  if (!element.isContentEditable) return "";
  if (tag in ATOMIC) return ATOMIC[tag];
  return element.closest("[contenteditable]")?.getAttribute("contenteditable") === "plaintext-only" ? "plaintext" : "richtext";
};

const LIVE = { alert: "assertive", status: "polite", log: "polite" };
const liveRegion = (element, role, states) => {
  const live = flag(element, "aria-live") || LIVE[role];
  if (live !== "polite" && live !== "assertive") return;
  states.live = live;
  states.atomic = (flag(element, "aria-atomic") ?? String(role === "alert" || role === "status")) === "true";
  states.relevant = flag(element, "aria-relevant") || "additions text";
};

const LISTS = new Set(["UL", "OL", "MENU"]);
const isList = (element) => (element.hasAttribute("role") ? element.computedRole === "list" : LISTS.has(element.tagName));
const levelOf = (element, role, tag) => {
  const given = Number.parseInt(element.getAttribute("aria-level"), 10);
  if (given > 0 && (role === "heading" || role === "treeitem" || role === "listitem" || role === "row")) return given;
  if (role === "heading") return /^H[1-6]$/.test(tag) ? Number(tag[1]) : 2;
  if (role === "listitem") {
    let level = 0;
    for (let at = element.parentElement; at; at = at.parentElement) if (isList(at)) level += 1;
    return Math.max(level, 1);
  }
  return 0;
};

const popupOf = (element, role, tag) => {
  const value = tokenOr(element, "aria-haspopup", ["true", "menu", "listbox", "tree", "grid", "dialog"]);
  if (value) return value === "true" ? "menu" : value;
  if (flag(element, "aria-haspopup") === "false") return undefined;
  if (tag === "SELECT" && role === "combobox") return "menu";
  if (tag === "INPUT" && element.list && TEXT_INPUTS.has(element.type)) return "listbox";
  if (role === "combobox" && tag !== "SELECT") return "listbox";
  return undefined;
};

const expandedOf = (element, role, tag) => {
  if (tag === "SELECT" && role === "combobox") return element.matches(":open");
  if (tag === "SUMMARY" && role.startsWith("DisclosureTriangle")) return !!element.parentElement?.open;
  const value = flag(element, "aria-expanded");
  if (value === "true") return true;
  if (value === "false") return false;
  const target = element.popoverTargetElement;
  return target ? target.matches(":popover-open") : undefined;
};

const checkedOf = (element, role, tag) => {
  if (tag === "INPUT" && (element.type === "checkbox" || element.type === "radio")) {
    return element.indeterminate ? "mixed" : String(element.checked);
  }
  if (!CHECKABLE.has(role)) return undefined;
  const value = flag(element, "aria-checked");
  return value === "true" || value === "mixed" ? value : "false";
};

const selectedOf = (element, role, tag, focused) => {
  if (tag === "OPTION") return element.selected;
  if (!SELECTABLE.has(role)) return undefined;
  const value = flag(element, "aria-selected");
  // Of tabs of which none says whether it is chosen, the one with the keyboard is.
  if (role === "tab" && value === undefined && !element.closest("[role=tablist]")?.querySelector("[aria-selected]")) return focused;
  return value === "true" ? true : value === "false" || role === "treeitem" ? false : undefined;
};

const invalidOf = (element, tag) => {
  const value = flag(element, "aria-invalid");
  if (value !== undefined && value !== "") return value === "false" ? "false" : "true";
  if (!FORM_TAGS.has(tag)) return undefined;
  const empty = TEXT_INPUTS.has(element.type) || tag === "TEXTAREA" ? element.validity.valueMissing : false;
  return element.willValidate && !element.validity.valid && !empty ? "true" : "false";
};

const numberOr = (text, otherwise) => {
  const value = Number.parseFloat(text);
  return Number.isFinite(value) ? value : otherwise;
};

const rangeOf = (element, role, tag) => {
  if (tag === "INPUT") {
    const slider = element.type === "range";
    return [numberOr(element.min, 0), numberOr(element.max, slider ? 100 : 0)];
  }
  if (tag === "PROGRESS") return [0, element.max];
  if (tag === "METER") return [element.min, element.max];
  return [numberOr(element.getAttribute("aria-valuemin"), 0),
    numberOr(element.getAttribute("aria-valuemax"), role === "spinbutton" ? 0 : 100)];
};

// The states come in the browser's order, in which renderings write them.
const statesOf = (element, role, tag, focusable, focused, { editable: inherited, disabled: said }) => {
  const states = {};
  liveRegion(element, role, states);
  const disabled = isDisabled(element, tag, focusable, said);
  if (disabled) states.disabled = true;
  const invalid = invalidOf(element, tag);
  if (invalid !== undefined) states.invalid = invalid;
  if (focusable) states.focusable = true;
  if (focused) states.focused = true;
  if (inherited) states.editable = inherited;
  const field = role === "textbox" || role === "searchbox" || (role === "combobox" && tag !== "SELECT") || role === "spinbutton";
  const readonly = element.readOnly === true || flag(element, "aria-readonly") === "true";
  if ((inherited && field && !readonly && !disabled) || ((SETTABLE.has(role) || (tag === "INPUT" && element.type in INPUT_ROLES)) && !disabled)) states.settable = true;
  addKind(element, role, tag, states);
  if (READONLY_ABLE.has(role)) states.readonly = readonly;
  if (REQUIRABLE.has(role) && !(tag === "SELECT" && role === "combobox")) states.required = element.required === true || flag(element, "aria-required") === "true";
  if (RANGES.has(role)) {
    [states.valuemin, states.valuemax] = rangeOf(element, role, tag);
    states.valuetext = element.getAttribute("aria-valuetext") || (tag === "INPUT" ? element.value : "");
  }
  addCondition(element, role, tag, states, focused);
  return states;
};

// What sort of control it is.
const addKind = (element, role, tag, states) => {
  const autocomplete = tokenOr(element, "aria-autocomplete", ["inline", "list", "both"])
    || (tag === "INPUT" && element.list ? "list" : "");
  if (autocomplete) states.autocomplete = autocomplete;
  const popup = popupOf(element, role, tag);
  if (popup) states.hasPopup = popup;
  const level = levelOf(element, role, tag);
  if (level > 0) states.level = level;
  if (MULTISELECTABLE.has(role)) {
    states.multiselectable = tag === "SELECT" ? element.multiple : flag(element, "aria-multiselectable") === "true";
  }
  const orientation = tokenOr(element, "aria-orientation", ["vertical", "horizontal"])
    || (role === "slider" || role === "separator" || role === "tablist" || role === "toolbar" ? "horizontal" : "")
    || (role === "listbox" || role === "menu" || role === "tree" || role === "scrollbar" ? "vertical" : "");
  if (orientation) states.orientation = orientation;
  if (role === "textbox") states.multiline = tag === "TEXTAREA" || flag(element, "aria-multiline") === "true"
    || (tag !== "INPUT" && element.isContentEditable);
};

// What it is in: checked, open, chosen.
const addCondition = (element, role, tag, states, focused) => {
  const checked = checkedOf(element, role, tag);
  if (checked !== undefined) states.checked = checked;
  else if (role === "button" && element.hasAttribute("aria-pressed")) {
    const pressed = flag(element, "aria-pressed");
    states.pressed = pressed === "true" || pressed === "mixed" ? pressed : "false";
  }
  const expanded = expandedOf(element, role, tag);
  if (expanded !== undefined) states.expanded = expanded;
  const selected = selectedOf(element, role, tag, focused);
  if (selected !== undefined) states.selected = selected;
  if (tag === "DIALOG") states.modal = element.matches(":modal");
  else if (role === "dialog" || role === "alertdialog" || element.hasAttribute("aria-modal")) states.modal = flag(element, "aria-modal") === "true";
};

const valueOf = (element, role, tag) => {
  if (tag === "TEXTAREA") return element.value;
  if (tag === "SELECT") return role === "combobox" ? (element.selectedOptions[0]?.label ?? "") : undefined;
  if (tag === "INPUT") {
    const type = element.type;
    if (type === "password") return "\u2022".repeat(element.value.length);
    if (TEXT_INPUTS.has(type) || type === "range" || type in INPUT_ROLES) return element.value;
    return undefined;
  }
  if (tag === "PROGRESS") return element.hasAttribute("value") ? String(element.value) : undefined;
  if (tag === "METER") return String(element.value);
  if (RANGES.has(role)) return element.getAttribute("aria-valuetext") || element.getAttribute("aria-valuenow") || undefined;
  if (role === "combobox" && !element.isContentEditable) return element.innerText;
  if (element.isContentEditable && element.hasAttribute("contenteditable")) return element.innerText;
  return undefined;
};

// Addresses that were resolved before: the browser takes longer for it than for anything else of a link.
const resolved = new Map();
let resolvedAgainst = "";
const addressOf = (element) => {
  if (element.tagName !== "A") return element.href;
  const given = element.getAttribute("href");
  const base = element.baseURI;
  if (base !== resolvedAgainst || resolved.size > 100000) {
    resolved.clear();
    resolvedAgainst = base;
  }
  let address = given === null ? "" : resolved.get(given);
  if (address === undefined) resolved.set(given, (address = element.href));
  return address;
};

const attributesOf = (element) => {
  const attributes = {};
  for (const name of ATTRIBUTES) {
    const value = element.getAttribute(name);
    if (value) attributes[name] = value;
  }
  const tag = element.tagName;
  if (tag === "LABEL" && element.htmlFor) attributes.for = element.htmlFor;
  if (tag === "INPUT" && (element.type === "radio" || element.type === "checkbox")) attributes.value = element.value;
  else if ((tag === "BUTTON" || (tag === "INPUT" && BUTTON_TYPES.has(element.type))) && element.value) attributes.value = element.value;
  const href = addressOf(element);
  if (typeof href === "string" && href) attributes.href = href;
  return attributes;
};

// A checkbox's or radio's label that says nothing but the name: the tree leaves it and its text out, unless something else
// about it makes the tree keep it.
const isRedundantLabel = (label, bare) => {
  if (!bare && (label.hasAttribute("role") || label.title || hasAria(label) || heard.get(label) & PRESSED
    || hasClickAttribute(label) || label.isContentEditable && label.hasAttribute("contenteditable"))) return false;
  const input = label.control;
  if (!input || input.tagName !== "INPUT" || (input.type !== "checkbox" && input.type !== "radio")) return false;
  if (input.hasAttribute("aria-label") || input.hasAttribute("aria-labelledby")) return false;
  if (!input.checkVisibility({ visibilityProperty: true })) return false;
  const first = label.firstElementChild;
  return !first || (first === input && !input.nextElementSibling);
};

const hasAria = (element) => {
  for (const name of element.getAttributeNames()) if (name.startsWith("aria-")) return true;
  return false;
};
