/* What elements are called and how they are found again. Runs in the isolated world of a frame process, and
   reaches its same-process frames from there (universal access). elements_acting.js follows in the same scope. */

const state = { found: null, form: null };
const MAX_TEXT = 200;
const EDGE = 1;

const short = (text) => (text || '').replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT);

/* A form's fields shadow its properties of the same names ("id", "matches"), so these are read past them. */
const past = (owner, name) => {
  const { get, value } = Object.getOwnPropertyDescriptor(owner.prototype, name);
  return (node, ...given) => (get ? get.call(node) : value.apply(node, given));
};
const parentOf = past(Node, 'parentNode');
const parentElementOf = past(Node, 'parentElement');
const textOf = past(Node, 'textContent');
const elementChildren = past(Element, 'children');
const elementSlot = past(Element, 'assignedSlot');
const attributeOf = past(Element, 'getAttribute');
const localNameOf = past(Element, 'localName');
const isMatch = past(Element, 'matches');

/* Properties that only HTML's elements have; on others they are missing, or objects of another kind. */
const namespaceOf = past(Element, 'namespaceURI');
const isHtml = (element) => namespaceOf(element) === 'http://www.w3.org/1999/xhtml';
const isTag = (element, name) => isElement(element) && localNameOf(element) === name && isHtml(element);
const textual = (value) => (typeof value === 'string' ? value : '');
const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;
const childrenOf = (node) => [...isElement(node) ? elementChildren(node) : node.children];
const isShadow = (node) => node.nodeType === Node.DOCUMENT_FRAGMENT_NODE && !!node.host;

const composedParent = (node) =>
  (isElement(node) && elementSlot(node)) || parentOf(node) || (isShadow(node) ? node.host : null);

const composedContains = (outer, inner) => {
  for (let node = inner; node; node = composedParent(node)) if (node === outer) return true;
  return false;
};

const viewOf = (element) => element.ownerDocument.defaultView;
const styleOf = (element) => viewOf(element).getComputedStyle(element);

/* A closed root is known where an observation has met it. */
const shadowOf = (element) => element.shadowRoot || (globalThis.snapshot && snapshot.rootOf(element)) || null;

const documentIn = (frame) => {
  try {
    return frame.contentDocument;
  } catch {
    return null;
  }
};

/* The document, its shadow roots, and those of every frame in this process. */
function* roots(root = document) {
  yield root;
  for (const element of root.querySelectorAll('*')) {
    const shadow = shadowOf(element);
    if (shadow) yield* roots(shadow);
    else if (['iframe', 'frame', 'object'].includes(element.localName)) {
      const inner = documentIn(element);
      if (inner) yield* roots(inner);
    }
  }
}

const deepQuery = (selector) => {
  const found = [];
  for (const root of roots()) found.push(...root.querySelectorAll(selector));
  return found;
};

const frameUrlOf = (doc) => (doc.defaultView && doc.defaultView.parent !== doc.defaultView ? doc.URL : '');

/* ---- what an element is called ---- */

// Elements whose computed role is empty have one of Chromium's internal roles in the accessibility tree.
const INTERNAL_ROLES = { __proto__: null, summary: 'DisclosureTriangle', label: 'LabelText', br: 'LineBreak', dl: 'DescriptionList' };
const ROLES = { __proto__: null, a: 'link', button: 'button', select: 'combobox', textarea: 'textbox', img: 'img', form: 'form' };
const INPUT_ROLES = {
  __proto__: null,
  button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio',
  range: 'slider', number: 'spinbutton', search: 'searchbox',
};

const roleOf = (element) =>
  element.computedRole || INTERNAL_ROLES[localNameOf(element)] || attributeOf(element, 'role') ||
  (isTag(element, 'input') ? INPUT_ROLES[element.type] || 'textbox' : ROLES[localNameOf(element)] || 'generic');

/* What a label says, without the field that stands in it: the options of a select aren't its name. */
const labelText = (label) => {
  const texts = label.ownerDocument.createTreeWalker(label, NodeFilter.SHOW_TEXT);
  let said = '';
  while (texts.nextNode())
    if (!texts.currentNode.parentElement.closest('select,textarea,button')) said += texts.currentNode.data;
  return said;
};

const nameOf = (element) => {
  if (element.computedName !== undefined) return element.computedName;
  const labels = element.labels && element.labels.length ? [...element.labels].map(labelText).join(' ') : '';
  return short(attributeOf(element, 'aria-label') || labels || textual(element.alt) || textual(element.title) ||
    (isTag(element, 'input') ? element.value : textOf(element)));
};

const pathOf = (element) => {
  const parts = [];
  for (let node = element; node && node !== element.ownerDocument.documentElement;) {
    const parent = parentOf(node);
    if (!parent) break;
    const twins = childrenOf(parent).filter((child) => localNameOf(child) === localNameOf(node));
    parts.unshift(`${localNameOf(node)}[${twins.indexOf(node)}]`);
    node = isShadow(parent) ? (parts.unshift('#shadow'), parent.host) : parent;
  }
  return parts.join('/');
};

const selectorIn = (element, root) => {
  const unique = (selector) => {
    const found = root.querySelectorAll(selector);
    return found.length === 1 && found[0] === element;
  };
  const quoted = (value) => `"${CSS.escape(value)}"`;
  const tag = CSS.escape(localNameOf(element));
  const own = [];
  if (attributeOf(element, 'id')) own.push(`#${CSS.escape(attributeOf(element, 'id'))}`);
  for (const attribute of ['data-testid', 'name', 'aria-label', 'href', 'placeholder', 'value', 'title']) {
    const value = attributeOf(element, attribute);
    if (value && value.length < 120) own.push(`${tag}[${attribute}=${quoted(value)}]`);
  }
  const name = attributeOf(element, 'name');
  const value = attributeOf(element, 'value');
  if (name && value) own.push(`${tag}[name=${quoted(name)}][value=${quoted(value)}]`);
  for (const selector of own) if (unique(selector)) return selector;
  let selector = '';
  for (let node = element; node; node = parentElementOf(node)) {
    const id = attributeOf(node, 'id');
    const parent = parentOf(node);
    const tag = localNameOf(node);
    let step = id ? `#${CSS.escape(id)}` : CSS.escape(tag);
    const alike = (parent ? childrenOf(parent) : [node]).filter((other) => localNameOf(other) === tag);
    if (!id && alike.length > 1) step += `:nth-of-type(${alike.indexOf(node) + 1})`;
    selector = selector ? `${step} > ${selector}` : step;
    if (unique(selector)) return selector;
  }
  return selector;
};

/* Shadow roots are crossed by " >>> ", which is ours and not CSS. */
const selectorOf = (element) => {
  const root = element.getRootNode();
  const own = selectorIn(element, root);
  return isShadow(root) ? `${selectorOf(root.host)} >>> ${own}` : own;
};

const bySelector = (selector, frameUrl) => {
  const documents = [...roots()].filter((root) => !isShadow(root));
  const same = documents.filter((doc) => frameUrlOf(doc) === frameUrl);
  let scopes = same.length ? same : documents;
  const steps = selector.split(' >>> ');
  try {
    steps.forEach((step, index) => {
      const found = scopes.flatMap((scope) => [...scope.querySelectorAll(step)]);
      scopes = index < steps.length - 1 ? found.map(shadowOf).filter(Boolean) : found;
    });
  } catch {
    return [];
  }
  return scopes;
};

const boxOf = (element) => {
  const box = element.getBoundingClientRect();
  return [box.x, box.y, box.width, box.height];
};

const fingerprint = (element) => ({
  role: roleOf(element), name: short(nameOf(element)), path: pathOf(element), selector: selectorOf(element),
  box: boxOf(element), frame_url: frameUrlOf(element.ownerDocument),
  secret: isTag(element, 'input') && element.type === 'password',
});

const describe = (element) => {
  const id = attributeOf(element, 'id') ? `#${attributeOf(element, 'id')}` : '';
  const classes = !id && element.classList.length ? `.${element.classList[0]}` : '';
  const text = short(nameOf(element) || textOf(element)).slice(0, 60);
  return `${localNameOf(element)}${id}${classes}${text ? ` "${text}"` : ''}`;
};

/* ---- finding ---- */

/* The image that shows an area: the first in its document that uses its map. */
const imageOf = (area) => {
  const map = closestAcross(area, (node) => isTag(node, 'map'));
  const names = map ? [map.name, map.id].filter(Boolean) : [];
  return [...area.ownerDocument.querySelectorAll('img[usemap]')].find((image) =>
    names.includes((attributeOf(image, 'usemap') || '').split('#')[1])) || null;
};
/* What has the place of an element: an area has that of its image. */
const shownBy = (element) => (isTag(element, 'area') ? imageOf(element) || element : element);

const rendered = (element) => {
  if (isTag(element, 'area')) {
    const image = imageOf(element);
    return !!image && rendered(image);
  }
  if (element.checkVisibility && !element.checkVisibility({ visibilityProperty: true })) return false;
  return element.getClientRects().length > 0 || styleOf(element).display === 'contents';
};

const byField = (field, option) => {
  const named = deepQuery(`[name="${CSS.escape(field)}"]`);
  const found = option ? named.filter((element) => element.getAttribute('value') === option || element.value === option) : named;
  return [...found.filter(rendered), ...found.filter((element) => !rendered(element))];
};

const byRoleAndName = (role, name, path) => {
  const alike = [];
  for (const root of roots())
    for (const element of root.querySelectorAll('*'))
      if (roleOf(element) === role && short(nameOf(element)) === name) alike.push(element);
  const exact = alike.filter((element) => pathOf(element) === path);
  if (exact.length) return { elements: exact, sure: true };
  return { elements: alike, sure: alike.length === 1 };
};

const byBox = (role, box) => {
  let best = null;
  let least = Infinity;
  for (const root of roots())
    for (const element of root.querySelectorAll('*')) {
      if (role ? roleOf(element) !== role : !isMatch(element, 'a,button,input,select,textarea,[tabindex],[role]')) continue;
      const [x, y, width, height] = boxOf(element);
      const distance = Math.hypot(x + width / 2 - box[0] - box[2] / 2, y + height / 2 - box[1] - box[3] / 2)
        + Math.abs(width - box[2]) / 2 + Math.abs(height - box[3]) / 2;
      if (width && height && distance < least) [best, least] = [element, distance];
    }
  return best && least <= 200 ? [best] : [];
};

/* Candidates in this document for one way of naming; `sure` is false where it had to be guessed. */
const find = (way, ref) => {
  let answer = { elements: [], sure: true };
  if (way === 'field') answer.elements = byField(ref.field, ref.option);
  else if (way === 'selector') {
    answer.elements = bySelector(ref.selector, ref.frame_url || '');
    const first = answer.elements[0];
    const same = first && (!ref.role || roleOf(first) === ref.role) && (!ref.name || short(nameOf(first)) === ref.name);
    answer.sure = answer.elements.length === 1 && same;
  } else if (way === 'role+name+path') answer = byRoleAndName(ref.role, ref.name, ref.path);
  else if (way === 'box') answer = { elements: byBox(ref.role, ref.box), sure: false };
  state.found = answer.elements[0] || null;
  const there = !!state.found && frameUrlOf(state.found.ownerDocument) === (ref.frame_url || '');
  return { count: answer.elements.length, sure: answer.sure, there };
};
