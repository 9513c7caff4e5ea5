// What a person can click though no role says so, why, and how it looks where the page gives it no name.

const PRESSED = 1; // listens to a press of the mouse: the browser's tree keeps such an element
const HANDLED = 2; // a person's click does something: not the root where a framework hears everything
const heard = new WeakMap(); // element -> which of these, handed in by hear()
const heardBy = new Map(); // backend id -> WeakRef(element), for taking it back
// Why something is clickable, by its place here.
const REASONS = ["", "href", "role", "listener", "cursor", "label", "shape", "focus"];
const CLICK_ATTRIBUTES = ["onclick", "onmousedown", "onmouseup"];
const hasClickAttribute = (element) => element.hasAttributes() && CLICK_ATTRIBUTES.some((name) => element.hasAttribute(name));
const SHAPES = new Set(["rect", "circle", "ellipse", "polygon", "polyline", "path", "line", "text", "image", "use"]);
const SMALLEST_DRAWING = 48; // CSS px; below it, a drawing is one icon, whatever it is made of

// Where the hand begins that the mouse turns into: what is inside only has it from there.
const startsHand = (element, style) => {
  if (style.cursor !== "pointer") return false;
  const parent = element.parentElement || element.getRootNode().host;
  return !parent || styleOf(parent).cursor !== "pointer";
};
// A label that is all a person sees of its field.
const standsForField = (label) => {
  const field = label.control;
  if (!field || field.disabled) return false;
  if (!field.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return true;
  const { width, height } = field.getBoundingClientRect();
  return width < 2 || height < 2;
};
// A drawing that hears clicks tells its parts apart by what was hit.
const isHeardShape = (element) => {
  if (!SHAPES.has(element.localName)) return false;
  const root = element.ownerSVGElement;
  if (!root) return false;
  for (let at = element.parentElement; at; at = at.parentElement) {
    if (heard.get(at) & HANDLED || hasClickAttribute(at)) {
      const { width, height } = root.getBoundingClientRect();
      return width >= SMALLEST_DRAWING && height >= SMALLEST_DRAWING && root.querySelectorAll([...SHAPES].join()).length > 1;
    }
    if (at === root) return false;
  }
  return false;
};
// Number of the reason that is no matter of role or focus, 0 = none.
const clickReason = (element, tag, style, svg) => {
  if (tag === "HTML" || tag === "BODY" || tag === "BR") return 0;
  let reason = 0;
  if (heard.get(element) & HANDLED || hasClickAttribute(element)) reason = 3;
  else if (startsHand(element, style)) reason = 4;
  else if (tag === "LABEL" && standsForField(element)) reason = 5;
  else if (svg && isHeardShape(element)) reason = 6;
  return reason && style.pointerEvents !== "none" ? reason : 0;
};
// The same of what the page hides from the browser's tree: links and controls of HTML count there as well. Behind an
// open dialog nothing does.
const hiddenReason = (element, tag, style, svg) => {
  if (element.ownerDocument.querySelector('[aria-modal="true"]')) return 0;
  if (style.pointerEvents !== "none" && element.matches("a[href], button, input, select, textarea, summary")) {
    return element.disabled ? 0 : tag === "A" ? 1 : 2;
  }
  if (element.isContentEditable && element.hasAttribute("contenteditable")) return 7;
  return clickReason(element, tag, style, svg);
};

// Names of colours, by their hue in degrees from here on.
const HUES = [[0, "red"], [16, "orange"], [45, "yellow"], [70, "green"], [165, "cyan"], [195, "blue"], [255, "purple"],
  [290, "magenta"], [330, "pink"], [345, "red"]];
const colourWord = (colour) => {
  const [red, green, blue, alpha = 1] = (colour.match(/^rgba?\(.*\)$/) ? colour.match(/[\d.]+/g) : []).map(Number);
  if (red === undefined || alpha < 0.1) return "";
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  if (most < 50) return "black";
  if (range < 30) return most > 230 ? "white" : "grey";
  const sector = most === red ? (green - blue) / range : most === green ? 2 + (blue - red) / range : 4 + (red - green) / range;
  const hue = (sector * 60 + 360) % 360;
  if (hue >= 10 && hue < 45 && most < 170) return "brown";
  return HUES.findLast(([from]) => from <= hue)[1];
};
const SIDES = { 3: "triangle", 4: "quadrilateral", 5: "pentagon", 6: "hexagon" };
const shapeWord = (element) => {
  const tag = element.localName;
  if (tag === "rect") return element.width.baseVal.value === element.height.baseVal.value ? "square" : "rectangle";
  if (tag === "polygon") return SIDES[element.points.numberOfItems] || "polygon";
  return tag === "use" ? "symbol" : tag;
};
// Words of classes, ids and file names that say what something is, not how it is made.
const MADE_OF = new Set(["fa", "fas", "far", "fab", "fal", "icon", "icons", "ico", "glyphicon", "ui", "btn", "material", "mdi", "bi",
  "svg", "img", "image", "sprite", "widget", "corner", "all", "state", "default", "helper", "clearfix", "css", "js", "sc", "data",
  "png", "jpg", "jpeg", "gif", "webp", "https", "http", "www", "symbols", "outlined", "solid", "regular", "xs", "sm", "md", "lg", "xl"]);
const MOST_WORDS = 4;
const LONGEST_TEXT = 80;
const LONGEST_SOURCE = 300;
const plainWords = (text) => text.slice(0, LONGEST_SOURCE).replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z]+/)
  .filter((word) => word.length > 1 && word.length < 20 && !MADE_OF.has(word));
const fileOf = (address) => (address.startsWith("data:") ? "" : address.split(/[?#]/)[0].split("/").pop());
// How something without a name looks: its text, its colour and shape, or the words by which its author styles it.
const looksOf = (element, style, svg) => {
  const text = element.textContent;
  if (text.length < 10 * LONGEST_TEXT && NOT_SPACE.test(text)) {
    const short = text.replace(/\s+/g, " ").trim();
    if (short.length <= LONGEST_TEXT) return short;
  }
  const words = [];
  if (svg && SHAPES.has(element.localName)) {
    words.push(colourWord(style.fill) || colourWord(style.stroke), shapeWord(element));
    if (element.localName === "use") words.push(...plainWords(element.href.baseVal.split("#").pop()));
  } else {
    if (!element.firstChild) words.push(colourWord(style.backgroundColor));
    const drawn = element.localName === "img" ? element : element.querySelector(":scope > img, :scope > svg use");
    words.push(...plainWords(element.getAttribute("class") || ""));
    if (drawn?.localName === "img") words.push(...plainWords(fileOf(drawn.src)));
    else if (drawn) words.push(...plainWords(drawn.href.baseVal.split("#").pop()));
    const own = words.filter(Boolean).length;
    if (!own && element.firstElementChild) words.push(...plainWords(element.firstElementChild.getAttribute("class") || ""));
    if (!own) words.push(...plainWords(element.id));
  }
  return [...new Set(words.filter(Boolean))].slice(0, MOST_WORDS).join(" ");
};
// The name of something that the browser's tree doesn't name.
const ownWords = (element) => {
  for (const name of ["aria-label", "title", "alt"]) {
    const given = element.getAttribute(name);
    if (given) return given;
  }
  return element.textContent.slice(0, 10 * LONGEST_TEXT).replace(/\s+/g, " ").trim().slice(0, LONGEST_TEXT);
};

// Where an area of an image lies in its document's viewport: [left, top, width, height], null for one that takes no room.
const areaBox = (area, image) => {
  const rect = image.getBoundingClientRect();
  const numbers = area.coords.split(/[\s,;]+/).map(Number.parseFloat).filter(Number.isFinite);
  const kind = area.shape.toLowerCase();
  let box = [0, 0, rect.width, rect.height];
  if (kind.startsWith("circ")) {
    const [x, y, radius] = numbers;
    box = [x - radius, y - radius, 2 * radius, 2 * radius];
  } else if (kind !== "default") {
    const across = numbers.filter((_, at) => at % 2 === 0);
    const down = numbers.filter((_, at) => at % 2 === 1);
    const [left, top] = [Math.min(...across), Math.min(...down)];
    box = [left, top, Math.max(...across) - left, Math.max(...down) - top];
  }
  if (!box.every(Number.isFinite) || box[2] <= 0 || box[3] <= 0) return null;
  return { x: rect.x + box[0], y: rect.y + box[1], width: box[2], height: box[3] };
};
// What the tree has of an image's areas: links, and what hears clicks or takes the keyboard, which is one by its role.
const areaReason = (area) => {
  if (area.hasAttribute("href")) return 1;
  return heard.get(area) & HANDLED || hasClickAttribute(area) || isFocusable(area, "AREA", false) ? 2 : 0;
};
// The image that shows an area: the first in its document that uses its map.
const areasOf = (image) => {
  const name = image.getAttribute("usemap")?.split("#")[1];
  if (!name) return [];
  const map = [...image.ownerDocument.getElementsByTagName("map")].find((one) => one.name === name || one.id === name);
  return map ? [...map.areas] : [];
};
