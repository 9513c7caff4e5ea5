// Rows: one per node of the answer, and how they travel.

const tenths = (value) => Math.round(value * 10);
const intersect = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
// JSON inside JSON: with ` for ", nothing needs escaping on its way through two pipes.
const unquoted = (text) => text.replaceAll("`", "\\u0060").replaceAll('"', "`");

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
    this.clickable = 0; // why, by its place in REASONS
    this.added = false; // the browser's tree leaves it out
    this.looks = "";
    this.value = null;
    this.states = null;
    this.attributes = null;
  }

  equals(other) {
    return this.id === other.id && this.x === other.x && this.y === other.y && this.width === other.width
      && this.height === other.height && this.name === other.name && this.role === other.role && this.depth === other.depth
      && this.tag === other.tag && this.frame === other.frame && this.placed === other.placed
      && this.offscreen === other.offscreen && this.clickable === other.clickable && this.added === other.added
      && this.looks === other.looks && this.value === other.value && alike(this.states, other.states) && alike(this.attributes, other.attributes);
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
    const flags = (row.added ? 1 : 0) | (row.offscreen ? 2 : 0) | (row.placed ? 4 : 0) | (row.clickable << 3);
    const extra = row.value !== null || row.attributes || row.looks
      ? extras.push([row.value, row.attributes ?? {}, row.looks]) : 0;
    const state = row.states ? states.place(JSON.stringify(row.states)) : 0;
    text += `${text ? "," : ""}[${row.id},${roles.place(row.role)},${row.depth},${names.place(row.name)},${row.x},${row.y},${
      row.width},${row.height},${flags},${tags.place(row.tag)},${state},${extra},${row.frame}]`;
  }
  return [`[${text}]`, { names: names.values, roles: roles.values, tags: tags.values.map((tag) => tag.toLowerCase()),
    states: states.values.map((entry) => JSON.parse(entry)), extras }];
};

let answered = []; // rows of the last answer
let serial = 0; // its number

const viewportOf = () => {
  const root = document.scrollingElement || document.documentElement;
  return { width: innerWidth, height: innerHeight, scroll_x: scrollX, scroll_y: scrollY,
    page_width: root ? root.scrollWidth : 0, page_height: root ? root.scrollHeight : 0,
    device_pixel_ratio: devicePixelRatio };
};

// Collects the rows of one reading.
class Rows {
  constructor(options) {
    this.options = options;
    this.rows = [];
    this.frames = [];
    this.remotes = [];
    this.suspects = [];
    this.focused = null;
    this.range = document.createRange();
    this.dropped = false;
    this.styled = null; // the style that textStyle() told of last
    this.shaded = false; // whether a shadow root was met
    this.unread = new Set();
    this.roles = new Map(); // parent -> tag, display and role of a child of it
    this.named = new Map(); // root -> ids that labels there are for
    this.counted = new Map(); // list -> numbers of its items
    this.disables = false; // whether something in the document, or in a shadow root met so far, is said to be disabled
    this.end = options.milliseconds === null ? Infinity : performance.now() + options.milliseconds;
    this.late = false;
    this.looks = 0;
    this.skipped = 0; // elements that there was no time for
  }

  // Whether time is up; the clock is looked at now and then.
  isLate() {
    this.looks += 1;
    if (!this.late && this.looks % 256 === 0) this.late = performance.now() > this.end;
    return this.late;
  }

  result() {
    if (this.dropped) this.rows = this.rows.filter((row) => row.role !== "");
    const rows = this.options.viewportOnly ? this.visibleRows() : this.bounded();
    const left = this.skipped + (this.options.viewportOnly ? 0 : this.rows.length - rows.length);
    if (!this.options.viewportOnly && rows.length < this.rows.length) {
      const there = new Set(rows.map((row) => row.id));
      this.remotes = this.remotes.filter((remote) => there.has(remote.id));
    }
    const [fresh, runs] = difference(rows, this.options.since === serial ? answered : []);
    answered = rows;
    serial += 1;
    const [table, rest] = packed(fresh);
    const answer = unquoted(JSON.stringify({
      ...rest, runs, serial, frames: this.frames, focused: this.focused, url: document.URL, title: document.title,
      viewport: viewportOf(), remotes: this.remotes, left, suspects: this.suspects.length, sheets: [...this.unread],
      next: nextId, loading: document.readyState === "loading",
    }));
    return `{\`rows\`:${table},${answer.slice(1)}`;
  }

  // The first rows, as many as are asked for, and of the others those in the viewport.
  bounded() {
    const most = this.options.most;
    if (most === null || this.rows.length <= most) return this.rows;
    return [...this.rows.slice(0, most), ...this.visibleRows(most)];
  }

  // Rows in the viewport from this one on, and the rows above them that give the nesting.
  visibleRows(first = 0) {
    const kept = [];
    let wanted = -1; // depth of the nearest kept row's parent
    for (let index = this.rows.length - 1; index >= first; index -= 1) {
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
}
