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
