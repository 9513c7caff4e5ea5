// One walk over a frame and its same-process frames: roles, names, states, boxes and text as rows.
// Joined behind snapshot_semantics.js and run once per document in an isolated world.

const ids = new WeakMap(); // Node -> id
const partIds = new WeakMap(); // host -> Map(part -> id), for boxes of the browser's own making
const known = new Map(); // id -> WeakRef(Node)
const closedRoots = new WeakMap(); // host -> closed shadow root, handed in by adopt()
const probed = new WeakMap(); // element -> its size when it was last checked for a closed root
let nextId = 1;

const SVG = "http://www.w3.org/2000/svg";
const SPACES = /[ \t\n\r\f]+/g;
const NOT_SPACE = /[^ \t\n\r\f]/;
const HOSTS = new Set(["ARTICLE", "ASIDE", "BLOCKQUOTE", "BODY", "DIV", "FOOTER", "H1", "H2", "H3", "H4", "H5", "H6", "HEADER",
  "MAIN", "NAV", "P", "SECTION", "SPAN"]);
const PRUNED = new Set(["HEAD", "STYLE", "SCRIPT", "NOSCRIPT", "TEMPLATE", "MAP", "COL", "COLGROUP", "TITLE", "defs", "symbol",
  "title", "desc", "style", "script", "metadata"]);
const NAMELESS = new Set(["UL", "OL", "LI", "DL", "NAV", "MAIN", "ARTICLE", "ASIDE", "HEADER", "FOOTER", "FORM", "LABEL", "HR"]);
const BUTTON_INPUTS = new Set(["submit", "reset", "button"]);
const BEFORE = 0;
const AFTER = 1;

const remember = (node) => {
  const id = nextId++;
  known.set(id, new WeakRef(node));
  return id;
};
const idOf = (node) => {
  let id = ids.get(node);
  if (id === undefined) ids.set(node, (id = remember(node)));
  return id;
};
const idOfPart = (host, part) => {
  let parts = partIds.get(host);
  if (!parts) partIds.set(host, (parts = new Map()));
  let id = parts.get(part);
  if (id === undefined) parts.set(part, (id = remember(host)));
  return id;
};

const tenths = (value) => Math.round(value * 10);
const isWhite = (text) => !NOT_SPACE.test(text);
const intersect = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
const keepsSpaces = (style) => style.whiteSpaceCollapse.startsWith("preserve") || style.whiteSpaceCollapse === "break-spaces";
const isInline = (display) => display.startsWith("inline") || display.startsWith("ruby") || display === "contents";
// What floats or is positioned absolutely is never displayed inline.
const isOut = (style, display) => {
  if (display === "inline") return false;
  if (style.float !== "none") return true;
  const position = style.position;
  return position === "absolute" || position === "fixed";
};

// JSON inside JSON: with ` for ", nothing needs escaping on its way through two pipes.
const unquoted = (text) => text.replaceAll("`", "\\u0060").replaceAll('"', "`");

// The layout of elements without children, and of those with nothing but one text.
const EMPTY = { nodes: [], styles: [], displays: [], any: false, block: false };
const ONE_TEXT = { nodes: [null], styles: [null], displays: [""], any: true, block: false };

class Table {
  constructor(first) {
    this.values = [first];
    this.places = new Map([[first, 0]]);
  }

  place(value) {
    let at = this.places.get(value);
    if (at === undefined) {
      at = this.values.push(value) - 1;
      this.places.set(value, at);
    }
    return at;
  }
}

// One node as it is sent; lengths in tenths of a CSS px, which are small integers and cost no memory.
class Row {
  constructor(id, role, name, depth, tag, frame) {
    this.id = id;
    this.role = role;
    this.name = name;
    this.depth = depth;
    this.tag = tag;
    this.frame = frame;
    this.placed = false;
    this.x = 0;
    this.y = 0;
    this.width = 0;
    this.height = 0;
    this.offscreen = false;
    this.interactive = false;
    this.value = null;
    this.states = null;
    this.attributes = null;
  }

  equals(other) {
    return this.id === other.id && this.x === other.x && this.y === other.y && this.width === other.width
      && this.height === other.height && this.name === other.name && this.role === other.role && this.depth === other.depth
      && this.tag === other.tag && this.frame === other.frame && this.placed === other.placed
      && this.offscreen === other.offscreen && this.interactive === other.interactive && this.value === other.value
      && alike(this.states, other.states) && alike(this.attributes, other.attributes);
  }
}

// Whether two flat objects, or nulls, hold the same in the same order.
const alike = (one, other) => {
  if (one === null || other === null) return one === other;
  const keys = Object.keys(one);
  const others = Object.keys(other);
  if (keys.length !== others.length) return false;
  for (let at = 0; at < keys.length; at += 1) {
    if (keys[at] !== others[at] || one[keys[at]] !== other[keys[at]]) return false;
  }
  return true;
};

// What was not in the last answer: rows to send, and runs [place in the last answer or -1 = sent now, count].
const difference = (rows, before) => {
  const fresh = [];
  const runs = [];
  let places = null;
  let next = 0; // where the row after the one found last was
  let run = null;
  for (const row of rows) {
    let at = -1;
    if (next < before.length && row.equals(before[next])) at = next;
    else if (before.length > 0) {
      places ??= new Map(before.map((one, place) => [one.id, place]));
      const place = places.get(row.id);
      if (place !== undefined) {
        next = place;
        if (row.equals(before[place])) at = place;
      }
    }
    if (at < 0) fresh.push(row);
    else next = at;
    next += 1;
    if (run && (at < 0 ? run[0] < 0 : run[0] >= 0 && run[0] + run[1] === at)) run[1] += 1;
    else runs.push((run = [at, 1]));
  }
  return [fresh, runs];
};

// Rows as numbers: names, roles, tags and states by their place in tables, what few nodes have in `extras`.
const packed = (rows) => {
  const names = new Table("");
  const roles = new Table("");
  const tags = new Table("");
  const states = new Table("{}");
  const extras = [];
  let text = "";
  for (const row of rows) {
    const flags = (row.interactive ? 1 : 0) | (row.offscreen ? 2 : 0) | (row.placed ? 4 : 0);
    const extra = row.value !== null || row.attributes ? extras.push([row.value, row.attributes ?? {}]) : 0;
    const state = row.states ? states.place(JSON.stringify(row.states)) : 0;
    text += `${text ? "," : ""}[${row.id},${roles.place(row.role)},${row.depth},${names.place(row.name)},${row.x},${row.y},${
      row.width},${row.height},${flags},${tags.place(row.tag)},${state},${extra},${row.frame}]`;
  }
  return [`[${text}]`, { names: names.values, roles: roles.values, tags: tags.values.map((tag) => tag.toLowerCase()),
    states: states.values.map((entry) => JSON.parse(entry)), extras }];
};

let answered = []; // rows of the last answer
let serial = 0; // its number

class Walk {
  constructor(options) {
    this.options = options;
    this.rows = [];
    this.frames = [];
    this.remotes = [];
    this.suspects = [];
    this.focused = null;
    this.range = document.createRange();
    this.dropped = false;
    this.unread = new Set();
  }

  result() {
    if (this.dropped) this.rows = this.rows.filter((row) => row.role !== "");
    const rows = this.options.viewportOnly ? this.visibleRows() : this.rows;
    const [fresh, runs] = difference(rows, this.options.since === serial ? answered : []);
    answered = rows;
    serial += 1;
    const [table, rest] = packed(fresh);
    const answer = unquoted(JSON.stringify({
      ...rest, runs, serial, frames: this.frames, focused: this.focused, url: document.URL, title: document.title,
      viewport: viewportOf(), remotes: this.remotes, suspects: this.suspects.length, sheets: [...this.unread],
      next: nextId, loading: document.readyState === "loading",
    }));
    return `{\`rows\`:${table},${answer.slice(1)}`;
  }

  // Rows in the viewport, and the rows above them that give the nesting.
  visibleRows() {
    const kept = [];
    let wanted = -1; // depth of the nearest kept row's parent
    for (let index = this.rows.length - 1; index >= 0; index -= 1) {
      const row = this.rows[index];
      const depth = row.depth;
      const inside = row.placed && !row.offscreen;
      if (!inside && depth !== wanted) continue;
      kept.push(row);
      wanted = depth - 1;
    }
    return kept.reverse();
  }

  push(id, role, name, depth, tag) {
    const row = new Row(id, role, name, depth, tag, this.frame);
    this.rows.push(row);
    return row;
  }

  // A node of the browser's own making lies where its host element does.
  part(host, part, role, name, depth, clip) {
    const row = this.push(idOfPart(host, part), role, name, depth, "");
    this.place(row, host.getBoundingClientRect(), clip);
    return row;
  }

  // The same where the host's own row was placed just now.
  partOf(whole, host, part, role, name, depth, states) {
    const row = this.push(idOfPart(host, part), role, name, depth, "");
    row.placed = whole.placed;
    row.x = whole.x;
    row.y = whole.y;
    row.width = whole.width;
    row.height = whole.height;
    row.offscreen = whole.offscreen;
    if (states) row.states = states;
  }

  place(row, rect, clip) {
    const { x, y, width, height } = rect;
    if (width === 0 && height === 0 && x === 0 && y === 0) return;
    const left = x + this.x;
    const top = y + this.y;
    row.placed = true;
    row.x = tenths(left);
    row.y = tenths(top);
    row.width = tenths(width);
    row.height = tenths(height);
    row.offscreen = left >= clip[2] || top >= clip[3] || left + width < clip[0] || top + height < clip[1]
      || (width > 0 && left + width <= clip[0]) || (height > 0 && top + height <= clip[1]);
  }

  document(target, depth, x, y, clip) {
    const outer = [this.frame, this.x, this.y, this.doc, this.active, this.owned, this.generated];
    this.doc = target;
    this.frame = this.options.frame + this.frames.length;
    this.frames.push(target.URL);
    this.x = x;
    this.y = y;
    this.active = target.activeElement;
    while (this.active?.shadowRoot?.activeElement) this.active = this.active.shadowRoot.activeElement;
    this.owned = this.ownership(target);
    this.generated = generatedHosts(target, this.unread);
    const view = target.defaultView;
    const row = this.push(idOf(target), "RootWebArea", target.title, depth, "");
    const page = target.scrollingElement || target.documentElement;
    if (page) {
      this.place(row, { x: -view.scrollX, y: -view.scrollY, width: page.scrollWidth, height: page.scrollHeight }, clip);
    }
    row.states = { focusable: true };
    if (target.hasFocus()) {
      row.states.focused = true;
      this.focused = row.id;
    }
    const root = target.documentElement;
    if (root) {
      const modal = [...target.querySelectorAll("dialog:modal")].pop() || target.fullscreenElement;
      const env = { clip, abs: clip, fixed: clip, editable: target.designMode === "on" ? "richtext" : "", label: false,
        inert: !!modal, modal: modal || null, marker: null };
      const style = getComputedStyle(root);
      this.element(root, style, style.display, depth + 1, env, { space: true, last: null });
    }
    [this.frame, this.x, this.y, this.doc, this.active, this.owned, this.generated] = outer;
  }

  // aria-owns: element -> owner, for those that move.
  ownership(root) {
    const owned = new Map();
    for (const owner of root.querySelectorAll("[aria-owns]")) {
      for (const id of owner.getAttribute("aria-owns").trim().split(/\s+/)) {
        const child = root.getElementById(id);
        if (child && !child.contains(owner) && !owned.has(child)) owned.set(child, owner);
      }
    }
    return owned;
  }

  // Children in the flat tree: shadow content, slotted nodes, owned elements in their new place.
  children(element, tag) {
    const shadow = element.shadowRoot || closedRoots.get(element);
    let kids = shadow ? shadow.childNodes : element.childNodes;
    if (tag === "SLOT") {
      const assigned = element.assignedNodes();
      if (assigned.length) kids = assigned;
    }
    if (this.owned.size === 0) return kids;
    const list = [...kids].filter((kid) => !this.owned.has(kid));
    if (element.hasAttribute("aria-owns")) {
      for (const [kid, owner] of this.owned) if (owner === element) list.push(kid);
    }
    return list;
  }

  // The rendered children with their styles, and whether they are laid out in lines.
  layout(element, tag, style, display) {
    if (tag !== "SLOT" && tag !== "DETAILS" && this.owned.size === 0 && !element.shadowRoot && !closedRoots.has(element)) {
      const first = element.firstChild;
      if (!first) return EMPTY;
      if (first.nodeType === 3 && !first.nextSibling && NOT_SPACE.test(first.data)
        && (display === "inline" || style.contentVisibility !== "hidden")) return ONE_TEXT;
    }
    const nodes = [];
    const styles = [];
    const displays = [];
    let any = false;
    let block = false;
    if (display !== "inline" && style.contentVisibility === "hidden") return { nodes, styles, displays, any, block };
    const closed = tag === "DETAILS" && !element.open;
    const add = (kid) => {
      const type = kid.nodeType;
      if (type === 3) {
        if (kid.length === 0 || closed) return;
        nodes.push(kid);
        styles.push(null);
        displays.push("");
        any = any || NOT_SPACE.test(kid.data) || keepsSpaces(style);
      } else if (type === 1) {
        if (PRUNED.has(kid.tagName) || (closed && kid.tagName !== "SUMMARY")) return;
        const own = getComputedStyle(kid);
        const shown = own.display;
        if (shown === "none") return;
        if (shown === "") {
          this.suspect(element, true);
          return;
        }
        nodes.push(kid);
        styles.push(own);
        displays.push(shown);
        any = true;
        if (shown === "contents") block = block || this.holdsBlock(kid);
        else if (!block && !isInline(shown) && !isOut(own, shown)) block = true;
      }
    };
    if (tag === "SLOT" || this.owned.size > 0 || element.shadowRoot || closedRoots.has(element)) {
      for (const kid of this.children(element, tag)) add(kid);
    } else {
      for (let kid = element.firstChild; kid; kid = kid.nextSibling) add(kid);
    }
    return { nodes, styles, displays, any, block };
  }

  holdsBlock(element) {
    for (const kid of this.children(element, element.tagName)) {
      if (kid.nodeType !== 1 || PRUNED.has(kid.tagName)) continue;
      const style = getComputedStyle(kid);
      const display = style.display;
      if (display === "none" || display === "") continue;
      if (display === "contents" ? this.holdsBlock(kid) : !isInline(display) && !isOut(style, display)) return true;
    }
    return false;
  }

  suspect(element, sure) {
    if (element.shadowRoot || closedRoots.has(element)) return;
    if (!sure && !HOSTS.has(element.tagName) && !element.tagName.includes("-")) return;
    const rect = element.getBoundingClientRect();
    if (!sure && (rect.width === 0 || rect.height === 0)) return;
    const size = `${rect.width}x${rect.height}`;
    if (probed.get(element) === size) return;
    probed.set(element, size);
    this.suspects.push(element);
  }

  element(element, style, display, depth, env, line) {
    const tag = element.tagName;
    if (tag === "BR") return this.lineBreak(element, style, depth, env, line);
    const bare = isBare(element);
    let inner = env;
    if (!bare) {
      if (element.getAttribute("aria-hidden") === "true" && element !== this.active) return;
      if (element.inert && !env.inert) inner = { ...env, inert: true };
    } else if (tag === "SPAN" && display === "inline" && this.isTransparent(element)) {
      this.text(element.firstChild, style, depth, env, line, false);
      return;
    }
    if (env.inert && env.modal === element) inner = { ...env, inert: false };
    const svg = !bare || !(tag in PLAIN_ROLES) ? element.namespaceURI === SVG : false;
    const plain = bare && !display.includes("table") && PLAIN_ROLES[tag];
    const link = !bare && isPlainLink(element, tag);
    const role = plain || (link ? "link" : roleOf(element, tag, display));
    if (role === "RubyAnnotation") return;
    const layout = this.layout(element, tag, style, display);
    if (layout.nodes.length === 0 || tag.includes("-")) this.suspect(element, false);
    const focusable = !plain && isFocusable(element, tag);
    const visible = style.visibility === "visible" && !inner.inert;
    const redundant = tag === "LABEL" && isRedundantLabel(element);
    const included = visible && !redundant
      && (focusable || this.includes(element, tag, role, style, display, bare, svg, layout));
    const inlineBlock = display.startsWith("inline-") || (display === "inline" && isReplaced(tag));
    const out = isOut(style, display);
    const own = display === "inline" || display === "contents" || display === "ruby"
      ? line : this.startLine(line, out || inlineBlock);
    let at = depth;
    inner = this.inside(element, tag, style, display, inner, redundant ? true : included ? false : env.label);
    if (included) {
      at += 1;
      const name = plain || (bare && NAMELESS.has(tag)) ? ""
        : (link && !this.mayGenerate(element) && textName(element, style)) || element.computedName;
      const row = this.push(idOf(element), role || "generic", name, depth, tag);
      if (display !== "contents") this.place(row, element.getBoundingClientRect(), this.clipFor(style, env));
      this.describe(element, tag, role, row, bare, plain, focusable, inner);
      if (this.special(element, tag, role, row, at, inner, layout)) return this.endLine(line, own, out, inlineBlock);
    }
    this.kids(element, tag, style, display, layout, at, inner, own);
    return this.endLine(line, own, out, inlineBlock);
  }

  // A span that only wraps one text: the tree never has it, only its text.
  isTransparent(element) {
    const only = element.firstChild;
    return only !== null && only.nodeType === 3 && only.nextSibling === null && element.id === "" && element.shadowRoot === null
      && !closedRoots.has(element) && this.owned.size === 0 && !this.mayGenerate(element);
  }

  // A new line for a block or an atomic inline box; the outer one sees a break or an object.
  startLine(line, apart) {
    if (!apart) trim(this, line);
    return { space: true, last: null };
  }

  endLine(line, own, out, inlineBlock) {
    if (own === line) {
      if (inlineBlock && !out) {
        line.space = false;
        line.last = null;
      }
      return;
    }
    trim(this, own);
    if (out) return;
    line.space = !inlineBlock;
    line.last = null;
  }

  inside(element, tag, style, display, env, label) {
    let editable = env.editable;
    if (element.hasAttribute("contenteditable") || tag === "INPUT" || tag === "TEXTAREA") editable = editability(element, tag);
    const overflows = tag !== "INPUT" && display !== "inline" && style.overflowX !== "visible" && tag !== "BODY" && tag !== "HTML";
    const position = style.position;
    if (!overflows && position === "static" && editable === env.editable && label === env.label) return env;
    let clip = this.clipFor(style, env);
    if (overflows) {
      const rect = element.getBoundingClientRect();
      clip = intersect(clip, [rect.x + this.x, rect.y + this.y, rect.right + this.x, rect.bottom + this.y]);
    }
    return { ...env, clip, abs: position === "static" ? env.abs : clip, editable, label };
  }

  clipFor(style, env) {
    const position = style.position;
    return position === "absolute" ? env.abs : position === "fixed" ? env.fixed : env.clip;
  }

  describe(element, tag, role, row, bare, plain, focusable, env) {
    const focused = element === this.active && element !== this.doc.body;
    if (focused) this.focused = row.id;
    if (plain) {
      if (env.editable) row.states = { editable: env.editable };
    } else {
      const states = statesOf(element, role, tag, focusable, focused, env.editable);
      for (const _ in states) {
        row.states = states;
        break;
      }
      const value = valueOf(element, role, tag);
      if (value !== undefined) row.value = value;
    }
    const handled = (!bare && hasClickHandler(element));
    if ((focusable || handled || CONTROL_ROLES.has(role)) && !row.states?.disabled) {
      row.interactive = true;
    }
    if (row.interactive || CONTROL_ROLES.has(role)) row.attributes = attributesOf(element);
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
    if (tag === "IFRAME" || tag === "FRAME") return this.iframe(element, row, depth, env);
    if (tag === "SELECT") return this.choices(element, role, depth, env, layout);
    if (tag === "TEXTAREA" || tag === "INPUT") return this.field(element, tag, row, depth, env);
    return tag === "CANVAS" ? false : tag === "VIDEO" || tag === "AUDIO" || tag === "IMG" || tag === "HR";
  }

  iframe(element, row, depth, env) {
    const rect = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const x = rect.x + this.x + element.clientLeft + Number.parseFloat(style.paddingLeft);
    const y = rect.y + this.y + element.clientTop + Number.parseFloat(style.paddingTop);
    const clip = intersect(env.clip, [x, y, x + element.clientWidth, y + element.clientHeight]);
    let content = null;
    try {
      content = element.contentDocument;
    } catch {
      content = null;
    }
    if (content?.defaultView) this.document(content, depth, x, y, clip);
    else this.remotes.push({ id: row.id, depth, x, y, clip });
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
          if (kid.disabled) row.states = { disabled: true };
          visit(kid, level + 1);
        }
      }
    };
    visit(select, at);
    return true;
  }

  option(option, role, depth, env) {
    if (option.hidden) return;
    const row = this.push(idOf(option), "option", option.computedName || option.label, depth, "OPTION");
    const states = {};
    if (option.matches(":disabled") || option.closest("select")?.disabled) states.disabled = true;
    states.focusable = true;
    if (!states.disabled) states.selected = option.selected;
    row.states = states;
    if (role !== "combobox") this.place(row, option.getBoundingClientRect(), env.clip);
    row.interactive = !states.disabled;
    if (option.hasAttribute("value")) row.attributes = { value: option.value };
  }

  // The inner editor of a text field: its value as text, one line each.
  field(element, tag, row, depth, env) {
    const type = tag === "INPUT" ? element.type : "";
    if (type === "file") this.file(row);
    if (BUTTON_INPUTS.has(type)) {
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
    return true;
  }

  kids(element, tag, style, display, layout, depth, env, line) {
    const container = display.endsWith("flex") || display.endsWith("grid");
    const { nodes, styles, displays } = layout;
    const details = tag === "DETAILS" && element.open;
    let inner = depth;
    this.pseudo(element, "::before", depth, env, line);
    if (display === "list-item") this.marker(element, style, depth, env);
    for (let index = 0; index < nodes.length; index += 1) {
      const kid = nodes[index] || element.firstChild;
      if (details && inner === depth && this.opens(element, layout, index, depth, env)) inner += 1;
      if (styles[index]) this.element(kid, styles[index], displays[index], kid.tagName === "SUMMARY" ? depth : inner, env, line);
      else if (container) {
        if (NOT_SPACE.test(kid.data)) this.text(kid, style, inner, env, { space: true, last: null }, true);
      } else this.text(kid, style, inner, env, line, false);
    }
    this.pseudo(element, "::after", depth, env, line);
  }

  // The box around an open disclosure's content is a node where it holds lines of text.
  opens(details, layout, index, depth, env) {
    const { nodes, styles, displays } = layout;
    const content = (at) => nodes[at].tagName !== "SUMMARY" && (styles[at] || NOT_SPACE.test(nodes[at].data));
    if (!content(index)) return false;
    for (let at = index; at < nodes.length; at += 1) {
      if (content(at) && styles[at] && !isInline(displays[at]) && !isOut(styles[at], displays[at])) return false;
    }
    this.part(details, "content", "generic", "", depth, env.clip);
    return true;
  }

  lineBreak(element, style, depth, env, line) {
    trim(this, line);
    line.space = true;
    line.last = null;
    if (style.visibility !== "visible" || env.inert || env.label) return;
    const row = this.push(idOf(element), "LineBreak", "\n", depth, "BR");
    this.place(row, element.getBoundingClientRect(), env.clip);
    if (env.editable) row.states = { editable: env.editable };
  }

  text(node, style, depth, env, line, alone) {
    const data = node.data;
    if (data === "") return;
    const mode = style.whiteSpaceCollapse;
    let text = data;
    if (mode === "collapse") {
      text = data.replace(SPACES, " ");
      if (line.space && text[0] === " ") text = text.slice(1);
      if (text === "") return;
      line.space = text[text.length - 1] === " ";
    } else if (mode === "preserve-breaks") {
      text = data.replace(/[ \t]*\n[ \t]*/g, "\n").replace(/[ \t]+/g, " ");
      if (line.space && text[0] === " ") text = text.slice(1);
      if (text === "") return;
      line.space = /[ \n]$/.test(text);
    } else line.space = false;
    line.last = null;
    if (env.inert || env.label || style.visibility !== "visible") return;
    if (text === " " && mode === "collapse" && !matters(node)) return;
    const row = this.push(idOf(node), "StaticText", transformed(text, style.textTransform), depth, "");
    this.range.selectNodeContents(node);
    this.place(row, this.range.getBoundingClientRect(), env.clip);
    if (env.editable) row.states = { editable: env.editable };
    if (line.space && mode === "collapse") line.last = row;
    if (alone) trim(this, line);
  }

  // Whether the element can have generated text before or after its content.
  mayGenerate(element) {
    return !this.generated || this.generated.has(element) || element.getRootNode() !== this.doc;
  }

  pseudo(element, which, depth, env, line) {
    if (!this.mayGenerate(element)) return;
    const style = getComputedStyle(element, which);
    const content = style.content;
    if (content === "none" || content === "normal" || content === "" || style.display === "none") return;
    const text = contentText(content, element);
    const block = !isInline(style.display);
    const out = isOut(style, style.display);
    if (block && !out) trim(this, line);
    const blank = isWhite(text) && style.whiteSpaceCollapse === "collapse";
    if (text && !blank && style.visibility === "visible" && !env.inert) {
      this.part(element, which, "StaticText", transformed(text, style.textTransform), depth, env.clip);
      if (!out) line.space = text.endsWith(" ");
      line.last = null;
    }
    if (block && !out) line.space = true;
  }

  marker(element, style, depth, env) {
    if (style.display !== "list-item" || style.visibility !== "visible" || env.inert) return;
    if (element.tagName === "SUMMARY") return;
    const text = markerText(element, style);
    if (text) this.part(element, "::marker", "ListMarker", text, depth, env.clip);
  }

  includes(element, tag, role, style, display, bare, svg, layout) {
    if (role === "none" || (tag === "EMBED" && !element.src)) return false;
    if (svg) {
      if (tag === "svg") return !!element.firstElementChild || !bare;
      for (const kid of element.children) if (kid.localName === "title" || kid.localName === "desc") return true;
      if (tag === "a" || tag === "text") return true;
    }
    if (tag === "THEAD" || tag === "TFOOT" || tag === "HEADER" || tag === "FOOTER" || tag === "OPTGROUP" || tag === "LEGEND"
      || tag === "HGROUP" || tag === "SECTION" || tag === "DETAILS" || tag === "FIELDSET" || tag === "OUTPUT")
      return true;
    if (tag === "HTML") return false;
    if (KEPT_ROLES.has(role)) return tag === "A" ? role !== "generic" : true;
    if (tag === "LABEL") return true;
    if (!bare && (element.hasAttribute("role") || element.title || hasClickHandler(element) || hasAria(element))) return true;
    if (element.isContentEditable && element.getAttribute("contenteditable") !== null) return true;
    if (role === "image") return !svg && element.getAttribute("alt") !== "";
    if (isLinkTarget(element, tag)) return true;
    if (display === "contents") return false;
    const inline = display === "inline";
    const atomic = display.startsWith("inline-") || (inline && isReplaced(tag));
    if (atomic && !isOut(style, display) && tag !== "svg" && tag !== "CANVAS" && element.parentNode.childElementCount > 1) return true;
    if (tag === "SPAN") return false;
    if (tag === "IFRAME" || tag === "FRAME" || tag === "OBJECT" || tag === "EMBED") return true;
    if (tag === "CANVAS" && element.firstElementChild) return true;
    if (tag === "CANVAS") return element.width > 1 && element.height > 1;
    if (style.position !== "static") return true;
    if (tag !== "BODY" && isScroller(element, style)) return true;
    const flow = display === "block" || display === "inline-block" || display === "list-item" || display === "table-cell"
      || display === "flow-root" || display === "table-caption";
    return flow && layout.any && !layout.block && !svg;
  }
}

// Elements that style sheets may give generated text; null where that can't be told.
const generatedHosts = (target, unread) => {
  const selectors = ["q"];
  let known = true;
  for (const sheet of [...target.styleSheets, ...target.adoptedStyleSheets]) {
    const found = generatedSelectors(sheet);
    if (!found) {
      if (sheet.href && !sheetTexts.has(sheet.href)) unread.add(sheet.href);
      known = false;
    } else selectors.push(...found);
  }
  if (!known) return null;
  try {
    return new Set(target.querySelectorAll(selectors.join(",")));
  } catch {
    return null;
  }
};
const sheetTexts = new Map(); // address of a sheet that can't be read -> its selectors, handed in by sheets()
const sheets = new WeakMap(); // style sheet -> [number of rules, selectors or null]
const generatedSelectors = (sheet) => {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch {
    return sheetTexts.get(sheet.href) ?? null;
  }
  const cached = sheets.get(sheet);
  if (cached && cached[0] === rules.length) return cached[1];
  const found = selectorsIn(rules);
  sheets.set(sheet, [rules.length, found]);
  return found;
};
const PSEUDO = /::?(before|after)/;
const EVERY = /::?(before|after)(:[\w-]+)*/g;
const ALONE = /(^|[\s>+~,(])::?(before|after)(:[\w-]+)*/g;
const selectorsIn = (rules) => {
  const found = [];
  for (const rule of rules) {
    if (rule.styleSheet) {
      const imported = generatedSelectors(rule.styleSheet);
      if (!imported) return null;
      found.push(...imported);
      continue;
    }
    const selector = rule.selectorText;
    if (selector !== undefined && PSEUDO.test(selector) && (rule.cssRules?.length || rule.style.content)) {
      if (rule.cssRules?.length) return null;
      found.push(selector.replace(ALONE, "$1*").replace(EVERY, ""));
    } else if (selector !== undefined && rule.cssRules?.length) return null;
    else if (selector === undefined && rule.cssRules?.length && rule.type !== 7) {
      const inner = selectorsIn(rule.cssRules);
      if (!inner) return null;
      found.push(...inner);
    }
  }
  return found;
};

const isReplaced = (tag) => tag === "IMG" || tag === "INPUT" || tag === "IFRAME" || tag === "CANVAS" || tag === "VIDEO"
  || tag === "OBJECT" || tag === "EMBED" || tag === "svg" || tag === "AUDIO" || tag === "SELECT" || tag === "TEXTAREA"
  || tag === "BUTTON" || tag === "METER" || tag === "PROGRESS";
const isScroller = (element, style) => (/auto|scroll|hidden/.test(style.overflowX) && element.scrollWidth > element.clientWidth)
  || (/auto|scroll|hidden/.test(style.overflowY) && element.scrollHeight > element.clientHeight);
const isLinkTarget = (element, tag) => {
  if (tag === "A") return element.hasAttribute("name") || !!element.id;
  return (tag === "SPAN" || tag === "DIV") && !!element.id;
};

// The space that ends a line is not shown; a text that was only that space goes.
const trim = (walk, line) => {
  const row = line.last;
  if (!row) return;
  line.last = null;
  row.name = row.name.slice(0, -1);
  if (row.name === "") {
    row.role = "";
    walk.dropped = true;
  }
};

const transformed = (text, transform) => {
  if (transform === "none") return text;
  if (transform === "uppercase") return text.toUpperCase();
  if (transform === "lowercase") return text.toLowerCase();
  if (transform === "capitalize") return text.replace(/(^|[\s\-([{"'\u2018\u201c])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
  return text;
};

// Whether white space between two elements is kept as text of its own: only between inline text.
const matters = (node) => {
  const before = previousNode(node);
  const after = nextNode(node);
  return !!before && !!after && !standsApart(before, BEFORE, 0) && !standsApart(after, AFTER, 0);
};
const previousNode = (node) => {
  for (let at = node; at && at.nodeType !== 9; at = at.parentNode) {
    const found = at.previousSibling;
    if (found) return found;
  }
  return null;
};
const nextNode = (node) => {
  for (let at = node; at && at.nodeType !== 9; at = at.parentNode) {
    const found = at.nextSibling;
    if (found) return found;
  }
  return null;
};
const standsApart = (node, side, count) => {
  if (!node) return true;
  if (count > 3) return false;
  if (node.nodeType === 3) {
    const data = node.data;
    if (data === "") return false;
    if (isWhite(data)) return true;
    return isWhite(side === AFTER ? data[0] : data[data.length - 1]);
  }
  if (node.nodeType !== 1) return true;
  const tag = node.tagName;
  if (tag === "BR") return true;
  if (tag === "IMG" || (tag === "INPUT" && node.type === "image")) return false;
  if (isReplaced(tag)) return true;
  const style = getComputedStyle(node);
  if (style.display !== "inline") return true;
  const child = side === AFTER ? node.firstChild : node.lastChild;
  if (!child) {
    const beyond = side === AFTER ? nextNode(node) : previousNode(node);
    return !!beyond && standsApart(beyond, side, count + 1);
  }
  return standsApart(child, side, count + 1);
};

const contentText = (content, element) => {
  let text = "";
  for (const part of content.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([^)]+)\)|counter\([^)]*\)|url\([^)]*\)|\/|[\w-]+/g)) {
    if (part[0] === "/") break;
    if (part[0] === "open-quote") text += "\u201c";
    else if (part[0] === "close-quote") text += "\u201d";
    else
    if (part[1] !== undefined) text += part[1].replace(/\\(.)/g, "$1");
    else if (part[2] !== undefined) text += element.getAttribute(part[2].trim()) ?? "";
  }
  return text;
};

const BULLETS = { disc: "\u2022 ", circle: "\u25e6 ", square: "\u25a0 " };
const markerText = (element, style) => {
  const type = style.listStyleType;
  const custom = getComputedStyle(element, "::marker").content;
  if (custom !== "normal" && custom !== "none" && custom !== "") return contentText(custom, element);
  if (type === "none" || custom === "none") return "";
  if (type in BULLETS) return BULLETS[type];
  if (type.startsWith('"')) return type.slice(1, -1);
  return `${counterText(ordinal(element), type)}. `;
};
const ordinal = (element) => {
  const list = element.closest("ol,ul,menu");
  if (!list) return 1;
  const own = element.getAttribute("value");
  if (own !== null && /^\s*-?\d+/.test(own)) return Number.parseInt(own, 10);
  const items = [...list.children].filter((kid) => kid.tagName === "LI");
  const index = items.indexOf(element);
  const step = list.reversed ? -1 : 1;
  for (let at = index - 1; at >= 0; at -= 1) {
    const value = items[at].getAttribute("value");
    if (value !== null && /^\s*-?\d+/.test(value)) return Number.parseInt(value, 10) + step * (index - at);
  }
  const start = list.hasAttribute("start") ? list.start : list.reversed ? items.length : 1;
  return start + step * Math.max(index, 0);
};
const counterText = (number, type) => {
  if (number <= 0) return String(number);
  if (type === "decimal-leading-zero") return String(number).padStart(2, "0");
  if (/^(lower|upper)-(alpha|latin)$/.test(type)) {
    let text = "";
    for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26)) text = String.fromCharCode(97 + ((rest - 1) % 26)) + text;
    return type.startsWith("upper") ? text.toUpperCase() : text;
  }
  if (/^(lower|upper)-roman$/.test(type)) {
    const steps = [[1000, "m"], [900, "cm"], [500, "d"], [400, "cd"], [100, "c"], [90, "xc"], [50, "l"], [40, "xl"], [10, "x"],
      [9, "ix"], [5, "v"], [4, "iv"], [1, "i"]];
    let rest = number;
    let text = "";
    for (const [size, letters] of steps) while (rest >= size) {
      text += letters;
      rest -= size;
    }
    return type.startsWith("upper") ? text.toUpperCase() : text;
  }
  return String(number);
};

const viewportOf = () => {
  const root = document.scrollingElement || document.documentElement;
  return { width: innerWidth, height: innerHeight, scroll_x: scrollX, scroll_y: scrollY,
    page_width: root ? root.scrollWidth : 0, page_height: root ? root.scrollHeight : 0,
    device_pixel_ratio: devicePixelRatio };
};

let ordered = [];
const documentsOf = (view) => {
  let content;
  try {
    content = view.document;
  } catch {
    return [];
  }
  const found = [content];
  for (let index = 0; index < view.length; index += 1) found.push(...documentsOf(view[index]));
  return found;
};
const nodesOf = (root) => {
  const nodes = [];
  const visit = (node) => {
    if (node.nodeType !== 11) nodes.push(node);
    const shadow = node.nodeType === 1 ? node.shadowRoot || closedRoots.get(node) : null;
    if (shadow) visit(shadow);
    for (let kid = node.firstChild; kid; kid = kid.nextSibling) visit(kid);
  };
  visit(root);
  return nodes;
};

const alive = (node) => !!node && node.isConnected && !!(node.nodeType === 9 ? node : node.ownerDocument).defaultView;

globalThis.snapshot = {
  // Whether this Chromium gives scripts its computed roles and names.
  able: "computedRole" in Element.prototype,
  // options: {next, since, frame, depth, x, y, clip, viewportOnly}; clip null = the whole viewport,
  // since = serial of the answer that is at hand: only what differs from it is sent, if it was the last one.
  read(options) {
    nextId = Math.max(nextId, options.next);
    const walk = new Walk(options);
    walk.document(document, options.depth, options.x, options.y, options.clip || [0, 0, innerWidth, innerHeight]);
    return walk.result();
  },
  // The live node of an id; null if it is gone or was never given in this document.
  node(id) {
    const node = known.get(id)?.deref();
    return alive(node) ? node : null;
  },
  // The element to act on for an id: a text stands for its parent, a document for its root.
  element(id) {
    const node = this.node(id);
    if (!node) return null;
    return node.nodeType === 3 ? node.parentElement : node.nodeType === 9 ? node.documentElement : node;
  },
  id(node) {
    return ids.get(node) ?? 0;
  },
  // Top-left corner of the node's own frame in this document's viewport.
  offset(node) {
    let x = 0;
    let y = 0;
    let view = (node.nodeType === 9 ? node : node.ownerDocument).defaultView;
    while (view && view !== globalThis && view.frameElement) {
      const [left, top] = this.content(view.frameElement);
      x += left;
      y += top;
      view = view.frameElement.ownerDocument.defaultView;
    }
    return [x, y];
  },
  content(frame) {
    const rect = frame.getBoundingClientRect();
    const style = getComputedStyle(frame);
    return [rect.x + frame.clientLeft + Number.parseFloat(style.paddingLeft),
      rect.y + frame.clientTop + Number.parseFloat(style.paddingTop)];
  },
  // Top-left corner of an iframe's content in this document's viewport.
  origin(id) {
    const frame = this.node(id);
    const [x, y] = this.offset(frame);
    const [left, top] = this.content(frame);
    return [x + left, y + top];
  },
  // Texts of all style sheets, imported ones too, for the addresses that scripts may not read.
  sheets(addresses, texts) {
    const found = [];
    let known = true;
    for (const text of texts) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      const selectors = selectorsIn(sheet.cssRules);
      if (selectors) found.push(...selectors);
      else known = false;
    }
    for (const address of addresses) sheetTexts.set(address, known ? found : null);
  },
  // Every node of every document here in order, for joining with a protocol snapshot.
  order(next) {
    nextId = Math.max(nextId, next);
    ordered = documentsOf(globalThis).map(nodesOf);
    return JSON.stringify({
      types: ordered.map((nodes) => nodes.map((node) => node.nodeType)),
      ids: ordered.map((nodes) => nodes.map((node) => ids.get(node) ?? 0)),
      holes: ordered.flatMap((nodes, number) => nodes.flatMap((node, place) => node.tagName === "IFRAME" || node.tagName === "FRAME"
        ? [[number, place, ...this.content(node), node.clientWidth, node.clientHeight]] : [])),
      viewport: viewportOf(), url: document.URL, title: document.title, next: nextId,
      loading: document.readyState === "loading",
    });
  },
  // Take over ids given outside, as [document, place in order, part, id]; returns those that had one already.
  assign(given) {
    const changed = [];
    for (const [number, place, part, id] of given) {
      const node = ordered[number][place];
      const parts = partIds.get(node) || new Map();
      if (part && parts.has(part)) changed.push([id, parts.get(part)]);
      else {
        if (part) partIds.set(node, parts.set(part, id));
        else ids.set(node, id);
        known.set(id, new WeakRef(node));
      }
      nextId = Math.max(nextId, id + 1);
    }
    ordered = [];
    return JSON.stringify(changed);
  },
  adopt(host, root) {
    if (closedRoots.has(host)) return false;
    closedRoots.set(host, root);
    return true;
  },
};
