// Ids of DOM nodes, and which nodes a document has.

const ids = new WeakMap(); // Node -> id
const partIds = new WeakMap(); // host -> Map(part -> id), for boxes of the browser's own making
const known = new Map(); // id -> WeakRef(Node)
const closedRoots = new WeakMap(); // host -> closed shadow root, handed in by adopt()
const isHost = (element) => element.shadowRoot !== null || closedRoots.has(element);
let nextId = 1;

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

// The computed style of an element, which is live: asked for once, it tells every time what holds then.
const stylesOf = new WeakMap();
const styleOf = (element) => {
  let style = stylesOf.get(element);
  if (style === undefined) stylesOf.set(element, (style = getComputedStyle(element)));
  return style;
};
// The same of what the browser makes itself beside its content: "::before", "::after" or "::marker".
const partStyles = new Map([["::before", new WeakMap()], ["::after", new WeakMap()], ["::marker", new WeakMap()]]);
const partStyleOf = (element, part) => {
  const styles = partStyles.get(part);
  let style = styles.get(element);
  if (style === undefined) styles.set(element, (style = getComputedStyle(element, part)));
  return style;
};

// The document inside a frame element, null for one that this world can't reach: of another process or origin.
const contentOf = (frame) => {
  try {
    return frame.contentDocument?.defaultView ? frame.contentDocument : null;
  } catch {
    return null;
  }
};
// An object may hold a page, too, or a picture, which has no window.
const isFrame = (node) => {
  const tag = node.tagName;
  return tag === "IFRAME" || tag === "FRAME" || (tag === "OBJECT" && !!node.contentWindow);
};
// Numbers of the windows in frame elements: another document in it is the same window, a frame put in anew another.
const windowNumbers = new WeakMap(); // window -> number
const frameElements = new Map(); // number -> WeakRef(frame element)
const windowOf = (frame) => {
  const view = frame.contentWindow;
  if (!view) return 0;
  let number = windowNumbers.get(view);
  if (number === undefined) windowNumbers.set(view, (number = frameElements.size + 1));
  if (frameElements.get(number)?.deref() !== frame) frameElements.set(number, new WeakRef(frame));
  return number;
};

let ordered = [];
let slots = new Map();
// The nodes as they are shown: what is in a shadow root in place of its host's own, what is put into a slot there.
// Those of a slot, by node, are noted: a closed root doesn't tell which of its slots a node stands in.
const nodesOf = (root) => {
  const nodes = [];
  const visit = (node) => {
    if (node.nodeType !== 11) nodes.push(node);
    const shadow = node.nodeType === 1 ? node.shadowRoot || closedRoots.get(node) : null;
    if (shadow) return visit(shadow);
    const put = node.tagName === "SLOT" ? node.assignedNodes() : [];
    if (put.length > 0) {
      for (const one of put) slots.set(one, node);
      put.forEach(visit);
    } else for (let kid = node.firstChild; kid; kid = kid.nextSibling) visit(kid);
  };
  visit(root);
  return nodes;
};
// A form's fields shadow its properties of the same names.
const nodeParent = Object.getOwnPropertyDescriptor(Node.prototype, "parentNode").get;
const isMatching = Element.prototype.matches;
// The element that a node that was found stands in as it is shown.
const parentShown = (node) => {
  const parent = slots.get(node) || nodeParent.call(node);
  return parent?.nodeType === 1 ? parent : parent?.host ?? null;
};
const isShownIn = (element, selector) => {
  for (let at = element; at; at = parentShown(at)) if (isMatching.call(at, selector)) return true;
  return false;
};
// This world's documents, each with its nodes, and where the frames in them lie: [document, place, document inside or -1].
const documentsHere = () => {
  slots = new Map();
  const documents = [document];
  const found = [];
  const frames = [];
  for (let number = 0; number < documents.length; number += 1) {
    found.push(nodesOf(documents[number]));
    found[number].forEach((node, place) => {
      if (!isFrame(node)) return;
      const content = contentOf(node);
      frames.push([number, place, content ? documents.push(content) - 1 : -1]);
    });
  }
  return [found, frames];
};
const alive = (node) => !!node && node.isConnected && !!(node.nodeType === 9 ? node : node.ownerDocument).defaultView;
