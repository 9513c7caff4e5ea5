/* Reaching elements with the pointer and changing what they hold; continues the scope of elements.js. */

/* ---- points ---- */

const closestAcross = (element, test) => {
  for (let node = element; node; node = composedParent(node))
    if (node.nodeType === Node.ELEMENT_NODE && test(node)) return node;
  return null;
};

const deepestAt = (doc, x, y) => {
  let element = doc.elementFromPoint(x, y);
  for (let shadow = element && shadowOf(element); shadow; shadow = element && shadowOf(element)) {
    const inner = shadow.elementFromPoint(x, y);
    if (!inner || inner === element) break;
    element = inner;
  }
  return element;
};

const takes = (element, hit) => {
  if (!hit) return false;
  if (composedContains(element, hit)) return true;
  const label = closestAcross(hit, (node) => isTag(node, 'label'));
  if (label && label.control === element) return true;
  if (['option', 'area'].includes(localNameOf(element))) return composedContains(hit, element);
  return composedContains(hit, element) && styleOf(element).pointerEvents === 'none';
};

/* Of a disclosure without a heading of its own, the browser's: what its content leaves of it. */
const headingOf = (details) => {
  const rect = details.getBoundingClientRect();
  const content = details.ownerDocument.createRange();
  content.selectNodeContents(details);
  const tops = [...content.getClientRects()].filter(({ width, height }) => width > 0 || height > 0).map(({ top }) => top);
  const bottom = details.open ? Math.min(rect.bottom, ...tops) : rect.bottom;
  return { left: rect.left, right: rect.right, top: rect.top, bottom, width: rect.width, height: bottom - rect.top };
};

/* The box of an area, from the corners, or the middle and radius, that it tells in pixels of its image. */
const areaOf = (area, image) => {
  const rect = image.getBoundingClientRect();
  const numbers = area.coords.split(/[\s,;]+/).map(Number.parseFloat).filter(Number.isFinite);
  const shape = area.shape.toLowerCase();
  let [left, top, right, bottom] = [0, 0, rect.width, rect.height];
  if (shape.startsWith('circ')) {
    const [x, y, radius] = numbers;
    [left, top, right, bottom] = [x - radius, y - radius, x + radius, y + radius];
  } else if (shape !== 'default') {
    const across = numbers.filter((_, at) => at % 2 === 0), down = numbers.filter((_, at) => at % 2 === 1);
    [left, top, right, bottom] = [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)];
  }
  return new DOMRect(rect.left + left, rect.top + top, right - left, bottom - top);
};
const placeOf = (element) => {
  const image = shownBy(element);
  return image === element ? element.getBoundingClientRect() : areaOf(element, image);
};

const rectsOf = (element) => {
  if (isTag(element, 'area')) return [placeOf(element)];
  if (isTag(element, 'details') && ![...element.children].some((kid) => isTag(kid, 'summary'))) return [headingOf(element)];
  const rects = [...element.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0);
  if (rects.length) return rects;
  const range = element.ownerDocument.createRange();
  range.selectNodeContents(element);
  return [...range.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0);
};

const FRACTIONS = [[.5, .5], [.25, .5], [.75, .5], [.5, .25], [.5, .75], [.1, .1], [.9, .9], [.1, .9], [.9, .1]];

const contentOrigin = (frame) => {
  const box = frame.getBoundingClientRect();
  const style = styleOf(frame);
  return [box.x + frame.clientLeft + parseFloat(style.paddingLeft), box.y + frame.clientTop + parseFloat(style.paddingTop)];
};

/* A point of a frame's document in the coordinates of this process's root, if nothing on the way covers it. */
const lifted = (view, x, y) => {
  for (let frame = view.frameElement; frame && view !== window; view = viewOf(frame), frame = view.frameElement) {
    const [left, top] = contentOrigin(frame);
    [x, y] = [x + left, y + top];
    const hit = deepestAt(frame.ownerDocument, x, y);
    if (hit !== frame) return { cover: hit };
  }
  return { point: [x, y] };
};

/* A point of a view's document in the coordinates of this process's root, covered or not. */
const inRoot = (view, x, y) => {
  for (let frame = view.frameElement; frame && view !== window; view = viewOf(frame), frame = view.frameElement) {
    const [left, top] = contentOrigin(frame);
    [x, y] = [x + left, y + top];
  }
  return [x, y];
};

/* Left, top, width and height of all that an element draws, in this process's root; null where it draws nothing. */
const placeInRoot = (element) => {
  const rects = rectsOf(element);
  if (!rects.length) return null;
  const edge = (pick, of) => pick(...rects.map(of));
  const left = edge(Math.min, (rect) => rect.x), top = edge(Math.min, (rect) => rect.y);
  const right = edge(Math.max, (rect) => rect.x + rect.width), bottom = edge(Math.max, (rect) => rect.y + rect.height);
  return [...inRoot(viewOf(element), left, top), right - left, bottom - top];
};
const contentInRoot = (frame) => inRoot(viewOf(frame), ...contentOrigin(frame));

const OUTLINE = [.5, .25, .75, .1, .9];
const MOST_SHAPES = 8;

/* Points on the outlines of what an SVG element draws: a curve may leave the middle of its box free. */
const drawnPoints = (element) => {
  if (namespaceOf(element) !== 'http://www.w3.org/2000/svg') return [];
  const shapes = [element, ...element.querySelectorAll('*')].filter((node) => node.getTotalLength).slice(0, MOST_SHAPES);
  return shapes.flatMap((shape) => {
    const matrix = shape.getScreenCTM();
    const length = matrix ? shape.getTotalLength() : 0;
    return length ? OUTLINE.map((part) => shape.getPointAtLength(length * part).matrixTransform(matrix)) : [];
  });
};

/* Which of two tells better why an element can't be reached: what contains it cuts it off, and lies under it. */
const laidOver = (first, second, element) =>
  second && (!first || (composedContains(first, element) && !composedContains(second, element))) ? second : first;

const visiblePoint = (element) => {
  const view = viewOf(element);
  let cover = null;
  for (const rect of rectsOf(element).slice(0, 8)) {
    const left = Math.max(rect.left, 0), top = Math.max(rect.top, 0);
    const right = Math.min(rect.right, view.innerWidth), bottom = Math.min(rect.bottom, view.innerHeight);
    if (right - left < EDGE || bottom - top < EDGE) continue;
    for (const [fx, fy] of FRACTIONS) {
      const x = left + (right - left) * fx, y = top + (bottom - top) * fy;
      const hit = deepestAt(element.ownerDocument, x, y);
      const answer = takes(element, hit) ? lifted(view, x, y) : { cover: hit };
      if (answer.point) return answer;
      cover = laidOver(cover, answer.cover, element);
    }
  }
  for (const { x, y } of drawnPoints(element)) {
    if (x < 0 || y < 0 || x >= view.innerWidth || y >= view.innerHeight) continue;
    const answer = takes(element, deepestAt(element.ownerDocument, x, y)) ? lifted(view, x, y) : {};
    if (answer.point) return answer;
  }
  return { cover };
};

const LAYERS = 'dialog, [popover], [role=dialog], [role=alertdialog], [aria-modal=true]';
const FULL = .9;

const SPECK = 4;
const isSpeck = (element) => {
  const { width, height } = element.getBoundingClientRect();
  return width < SPECK || height < SPECK;
};
/* Whether an element shows nothing of itself: something else is drawn for it. */
const showsNothing = (element) => isSpeck(element) || Number(styleOf(element).opacity) === 0;

/* Whether what covers an element lies over the page as a whole, as dialogs and banners do: these can be closed. What a
   component draws over its own field can't, and fills the page where the component is all that is on it. */
const isLayer = (cover, element) => {
  if (composedContains(cover, element)) return false;
  const common = closestAcross(cover, (node) => composedContains(node, element));
  if (!common || common === common.ownerDocument.body || common === common.ownerDocument.documentElement) return true;
  const view = viewOf(element);
  for (let node = cover; node && node !== common; node = composedParent(node)) {
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    const { position } = styleOf(node);
    if (isMatch(node, LAYERS) || position === 'fixed') return true;
    const { width, height } = node.getBoundingClientRect();
    if (position === 'absolute' && !showsNothing(element) && width >= view.innerWidth * FULL && height >= view.innerHeight * FULL) return true;
  }
  return false;
};

/* Whether what covers an element is laid over the whole of it by the component that both are of, as a table that is drawn
   on a canvas lays what scrolls over that. */
const isSheetOver = (cover, element) => {
  if (!cover || composedContains(cover, element) || isLayer(cover, element)) return false;
  const { left, top, right, bottom } = placeOf(element);
  const spans = (node) => {
    const rect = node.getBoundingClientRect();
    const across = Math.min(right, rect.right) - Math.max(left, rect.left);
    const down = Math.min(bottom, rect.bottom) - Math.max(top, rect.top);
    return across >= (right - left) * FULL && down >= (bottom - top) * FULL;
  };
  let over = false;
  for (let node = cover; node && !composedContains(node, element); node = composedParent(node)) {
    if (!isElement(node)) continue;
    if (styleOf(node).position === 'sticky') return false;
    over ||= spans(node);
  }
  return over;
};

/* The point at these percents of its width and height, scrolled into view. What lies over the whole of it gets what is
   done there, as it does from a person who points at what shows through. */
const pointInside = (element, [across, down]) => {
  const view = viewOf(element);
  const at = () => {
    const rect = placeOf(element);
    return [rect.left + Math.min(rect.width * across / 100, rect.width - 1), rect.top + Math.min(rect.height * down / 100, rect.height - 1)];
  };
  const seen = (x, y) => x >= 0 && y >= 0 && x < view.innerWidth && y < view.innerHeight;
  let [x, y] = at();
  const show = () => {
    shownBy(element).scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    [x, y] = at();
    if (!seen(x, y)) view.scrollBy({ left: x - view.innerWidth / 2, top: y - view.innerHeight / 2, behavior: 'instant' });
    [x, y] = at();
  };
  const there = () => (seen(x, y) ? deepestAt(element.ownerDocument, x, y) : null);
  if (!seen(x, y)) show();
  let hit = there();
  if (hit && !takes(element, hit) && !isSheetOver(hit, element)) { // such as a bar at the edge of what scrolls
    show();
    hit = there();
  }
  if (takes(element, hit)) return lifted(view, x, y);
  return isSheetOver(hit, element) ? { ...lifted(view, x, y), over: hit } : { cover: hit };
};

const fits = (element) => {
  const rect = placeOf(element);
  const view = viewOf(element);
  return rect.top >= 0 && rect.left >= 0 && rect.bottom <= view.innerHeight && rect.right <= view.innerWidth;
};

/* What is told to cover it is what did before it was scrolled about: in a box of no height, as editors put the field
   that takes their keys in, scrolling moves it away from what they draw over it. */
const reach = (element) => {
  let answer = fits(element) ? visiblePoint(element) : {};
  let { cover } = answer;
  for (const block of ['center', 'start', 'end']) {
    if (answer.point) break;
    shownBy(element).scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
    answer = visiblePoint(element);
    cover = laidOver(cover, answer.cover, element);
  }
  return { ...answer, cover };
};

const labelled = (element) => [...element.labels || []].find((label) => rendered(label) && reach(label).point);

/* ---- what an element can take ---- */

/* The nearest that says anything about it counts. */
const disabled = (element) => {
  const said = closestAcross(element, (node) => attributeOf(node, 'aria-disabled') !== null);
  return isMatch(element, ':disabled') || (!!said && attributeOf(said, 'aria-disabled').toLowerCase() === 'true');
};

const checkedOf = (element) => {
  if (isTag(element, 'input') && ['checkbox', 'radio'].includes(element.type)) return element.checked;
  const value = attributeOf(element, 'aria-checked');
  return value === null ? null : value === 'true';
};

const deepestActive = (doc) => {
  let element = doc.activeElement;
  for (;;) {
    const inner = element && (shadowOf(element) || documentIn(element));
    if (!inner || !inner.activeElement) return element;
    element = inner.activeElement;
  }
};

const TYPED_IN = 'input, textarea, [contenteditable]';
/* Keys go to it: a frame keeps its active element while another has the keyboard. */
const isActive = (element) => element.getRootNode().activeElement === element && element.ownerDocument.hasFocus();

const isInert = (element) => !!closestAcross(element, (node) => node.inert === true);

const facts = (element) => ({
  tag: isHtml(element) ? localNameOf(element) : `${localNameOf(element)}, which is not HTML`,
  type: textual(element.type), editable: element.isContentEditable === true || !!element.editContext, context: !!element.editContext,
  disabled: disabled(element), readOnly: element.readOnly === true || attributeOf(element, 'aria-readonly') === 'true',
  rendered: rendered(element), speck: isSpeck(element), painted: !!closestAcross(element, (node) => node !== element && isTag(node, 'canvas')), checked: checkedOf(element), multiple: element.multiple === true,
  focused: isActive(element),
  inert: isInert(element), behind: isInert(element) && deepQuery('dialog[open], [aria-modal=true]').some(rendered),
});

/* Everything before an event is sent: facts, fingerprint, and a point where the element itself is hit. */
const prepare = (element, pointer) => {
  if (!element.isConnected) return { gone: true };
  if (isTag(element, 'label') && element.control && pointer === 'control') element = element.control;
  const answer = { facts: facts(element) };
  if (pointer && answer.facts.rendered) {
    const reached = Array.isArray(pointer) ? pointInside(element, pointer) : reach(element);
    if (reached.point && reached.over) answer.over = describe(reached.over);
    const label = reached.point || Array.isArray(pointer) ? null : labelled(element);
    answer.point = reached.point || (label ? visiblePoint(label).point : null);
    if (!answer.point && reached.cover) {
      answer.cover = describe(reached.cover);
      answer.closable = isLayer(reached.cover, element);
      [state.covered, state.cover] = [element, reached.cover];
    }
  } else if (pointer) {
    const label = labelled(element);
    if (label) answer.point = visiblePoint(label).point;
  }
  answer.fingerprint = fingerprint(element);
  return answer;
};

/* Where a cross-process frame's content begins, having made (x, y) of it visible; what covers that point. */
const frameOffset = (frame, x, y) => {
  const view = viewOf(frame);
  let [left, top] = contentOrigin(frame);
  const outside = () => left + x < 0 || top + y < 0 || left + x >= view.innerWidth || top + y >= view.innerHeight;
  if (outside()) {
    view.scrollBy({ left: left + x - view.innerWidth / 2, top: top + y - view.innerHeight / 2, behavior: 'instant' });
    [left, top] = contentOrigin(frame);
  }
  const hit = deepestAt(frame.ownerDocument, left + x, top + y);
  const outer = hit === frame ? lifted(view, left + x, top + y) : { cover: hit };
  if (!outer.point) return { cover: outer.cover ? describe(outer.cover) : 'the edge of its frame' };
  return { point: outer.point };
};

/* ---- changing values ---- */

const changed = (element) => {
  element.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
};

/* Text that a page draws by itself is held in an object of its own. */
const ownText = (element) => (element.editContext ? element.editContext.text : element.value);
const valueOf = (element) => (element.isContentEditable ? element.innerText : textual(ownText(element)));

const setValue = (element, value) => {
  element.focus({ preventScroll: true });
  const before = valueOf(element);
  if (element.isContentEditable) element.replaceChildren(...(value ? [value] : []));
  else element.value = value;
  if (valueOf(element) !== before) changed(element);
  return valueOf(element);
};

/* Puts a slider one step beside a value, as one that is dragged there passes by. The key that goes the last step, "" where
   there is none: it stands there already, or nothing is beside it. */
const stepBeside = (element, value) => {
  element.focus({ preventScroll: true });
  const before = element.value;
  element.value = value;
  const wanted = element.value;
  let key = '';
  if (wanted !== before && Number(wanted) === Number(value) && element.step.toLowerCase() !== 'any') {
    element.stepDown();
    if (element.value !== wanted) key = 'ArrowUp';
    else {
      element.stepUp();
      if (element.value !== wanted) key = 'ArrowDown';
    }
  }
  if (!key) element.value = before;
  else if (element.value !== before) element.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  return key;
};

const chooseOptions = (element, wanted) => {
  const options = [...element.options];
  const offered = options.slice(0, 12).map((option) => short(option.label));
  const same = (a, b) => short(a).toLowerCase() === short(b).toLowerCase();
  const chosen = [];
  for (const text of wanted) {
    const option = options.find((o) => o.value === text) || options.find((o) => short(o.label) === short(text))
      || options.find((o) => same(o.label, text) || same(o.value, text));
    if (!option) return { missing: text, offered, more: options.length - offered.length };
    if (option.disabled || (option.parentElement.localName === 'optgroup' && option.parentElement.disabled))
      return { unavailable: text };
    chosen.push(option);
  }
  element.focus({ preventScroll: true });
  const before = options.map((option) => option.selected).join();
  if (element.multiple) for (const option of options) option.selected = chosen.includes(option);
  else if (chosen.length) chosen[chosen.length - 1].selected = true;
  else element.selectedIndex = -1;
  if (options.map((option) => option.selected).join() !== before) changed(element);
  const wantedNow = new Set(element.multiple ? chosen : chosen.slice(-1));
  const held = [...element.options].filter((option) => option.selected);
  const holds = held.length === wantedNow.size && held.every((option) => wantedNow.has(option));
  return holds || !element.isConnected ? {} : { held: held.map((option) => short(option.label)) };
};

/* Notes what a field holds at most from now on: a page may take a text, and empty the field at once. */
const heed = (element) => {
  if (state.heeding) state.heeding.abort();
  state.heeding = new AbortController();
  state.held = '';
  const look = () => {
    if (textual(element.value).length > state.held.length) state.held = element.value;
  };
  viewOf(element).addEventListener('input', look, { capture: true, signal: state.heeding.signal });
};

const MOST_SHOWN = 200000;

/* The smallest element around a field and what is drawn over it, such as a code editor; null where that is the page. */
const editorAround = (element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  const cover = state.covered === element ? state.cover : null;
  const hit = cover || deepestAt(element.ownerDocument, left + width / 2, top + height / 2);
  const around = hit && closestAcross(element, (node) => node !== element && composedContains(node, hit));
  const { body, documentElement } = element.ownerDocument;
  if (around && around !== body && around !== documentElement) return around;
  return element.editContext ? body : null; // it has no text of its own: the page shows that somewhere
};

/* What such an editor shows; null where there is none. It is looked for before the text changes: it draws lines anew. */
const drawnOver = (element, before) => {
  if (before) state.editor = editorAround(element);
  return state.editor ? textual(state.editor.innerText).slice(0, MOST_SHOWN) : null;
};

/* Hands a text to an editor as a paste does. Whether it took it: one that doesn't lets the event go on. */
const paste = (element, text) => {
  const { ClipboardEvent, DataTransfer } = viewOf(element);
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const init = { clipboardData, bubbles: true, cancelable: true, composed: true };
  return !element.dispatchEvent(new ClipboardEvent('paste', init));
};

/* After typing: what the field, or the one that was put in its place, holds and held; and which one the page gave
   the keyboard to meanwhile, "" where it is none other. */
const typedInto = (element) => {
  state.heeding.abort();
  const active = element.ownerDocument.hasFocus() ? deepestActive(element.ownerDocument) : null;
  const other = active && !composedContains(element, active) && isMatch(active, TYPED_IN) ? active : null;
  if (other && !element.isConnected) return { value: valueOf(other), held: state.held, instead: '' };
  return { value: valueOf(element), held: state.held, instead: other ? describe(other) : '' };
};

const placeCaret = (element, everything) => {
  if (!isActive(element)) element.focus({ preventScroll: true });
  heed(element);
  if (element.isContentEditable) {
    const selection = viewOf(element).getSelection();
    selection.selectAllChildren(element);
    if (!everything) selection.collapseToEnd();
  } else if (everything) element.select();
  else {
    try {
      element.setSelectionRange(element.value.length, element.value.length);
    } catch {
      return { done: false, value: element.value };
    }
  }
  return { done: true, value: element.isContentEditable ? element.innerText : element.value };
};

/* Elements of no known language have no focus of their own. */
const focus = (element) => {
  if (isTag(element, 'form')) HTMLElement.prototype.focus.call(element, { preventScroll: true });
  else if (element.focus) element.focus({ preventScroll: true });
  return isMatch(element, ':focus, :focus-within');
};

/* ---- files ---- */

/* The first file field in an element, or the one that a label is for. */
const fileFieldIn = (element) => {
  const own = isTag(element, 'label') ? element.control : null;
  const fields = [own, ...element.querySelectorAll('input[type=file]')];
  const field = fields.find((one) => one && one.type === 'file' && !disabled(one));
  state.found = field || null;
  return { found: !!field, several: !!field && field.multiple };
};

/* Notes the last event of what is dragged over the element's document from now on. A drop that the page lets pass, at the
   last of its listeners, is held back: the browser would open the file. */
const heedDrag = (element) => {
  if (state.heedingDrag) state.heedingDrag.abort();
  state.heedingDrag = new AbortController();
  state.dragged = null;
  const { signal } = state.heedingDrag;
  const view = viewOf(element);
  const hold = (event) => {
    if (event.defaultPrevented || !(event.cancelBubble || event.currentTarget === view)) return;
    state.dragged = null;
    event.preventDefault();
  };
  const note = (event) => {
    state.dragged = event;
    if (event.type !== 'drop') return;
    for (const target of event.composedPath()) target.addEventListener('drop', hold, { once: true, signal });
  };
  for (const kind of ['dragover', 'drop']) view.addEventListener(kind, note, { capture: true, signal });
};

/* Whether the page took an event of this kind for itself, which is how it says that it takes what is dragged. */
const tookDrag = (kind) => !!state.dragged && state.dragged.type === kind && state.dragged.defaultPrevented;

/* ---- scrolling, forms, HTML ---- */

const pageOf = (doc) => doc.scrollingElement || doc.documentElement;

const scrolls = (element) => {
  const larger = { x: element.scrollWidth > element.clientWidth, y: element.scrollHeight > element.clientHeight };
  if (element === pageOf(element.ownerDocument)) return larger.x || larger.y;
  const style = styleOf(element);
  return (/auto|scroll|overlay/.test(style.overflowY) && larger.y) || (/auto|scroll|overlay/.test(style.overflowX) && larger.x);
};

const scroller = (element) => {
  const page = pageOf(element ? element.ownerDocument : document);
  if (!element && scrolls(page)) return page;
  const start = element || deepestAt(document, innerWidth / 2, innerHeight / 2);
  return closestAcross(start, (node) => node !== node.ownerDocument.body && scrolls(node)) || page;
};

/* As a wheel does at a point: the innermost there that can still move that way, through frames that can be reached. */
const scrollAt = ([x, y], dx, dy, viewports) => {
  const documents = [document];
  const starts = [deepestAt(document, x, y)];
  for (let frame = starts[0]; frame && isTag(frame, 'iframe') && frame.contentDocument;) {
    const { left, top } = frame.getBoundingClientRect();
    [x, y] = [x - left - frame.clientLeft, y - top - frame.clientTop];
    documents.unshift(frame.contentDocument);
    frame = deepestAt(frame.contentDocument, x, y);
    starts.unshift(frame);
  }
  const isPane = (node) => node !== pageOf(node.ownerDocument) && node !== node.ownerDocument.body && scrolls(node);
  const moves = (node) => isPane(node) && shift(node, dx, dy, viewports);
  return documents.some((doc, at) => closestAcross(starts[at], moves) !== null || shift(pageOf(doc), dx, dy, viewports));
};

const scroll = (element, dx, dy, viewports) => shift(scroller(element), dx, dy, viewports);

const shift = (moving, dx, dy, viewports) => {
  const before = [moving.scrollLeft, moving.scrollTop];
  moving.scrollBy({
    left: viewports ? dx * moving.clientWidth : dx, top: viewports ? dy * moving.clientHeight : dy, behavior: 'instant',
  });
  return moving.scrollLeft !== before[0] || moving.scrollTop !== before[1];
};

const wheelTurns = [[.5, .5], [.5, .1], [.5, .9], [.1, .5], [.9, .5], [.1, .1], [.9, .9], [.02, .02], [.98, .98]];

/* Where a wheel would scroll what `scroll` scrolls, how far (CSS px), and what there is to do where it does not. */
const wheelSpot = (element, dx, dy, viewports) => {
  const moving = scroller(element);
  const across = viewports ? dx * moving.clientWidth : dx;
  const down = viewports ? dy * moving.clientHeight : dy;
  const turned = (x, y) => closestAcross(deepestAt(document, x, y),
    (node) => node === moving || (node !== node.ownerDocument.body && scrolls(node))) === moving;
  const spot = wheelTurns.map(([x, y]) => [innerWidth * x, innerHeight * y]).find(([x, y]) => turned(x, y));
  state.wheel = { moving, before: [moving.scrollLeft, moving.scrollTop], left: moving.scrollLeft + across, top: moving.scrollTop + down };
  return { spot: spot || null, across, down };
};

/* CSS px that are still to go; what can't scroll that far is there at its end. */
const wheelLeft = () => {
  const { moving, left, top } = state.wheel;
  const least = (wanted, end) => Math.min(Math.max(wanted, 0), end);
  return Math.max(
    Math.abs(least(left, moving.scrollWidth - moving.clientWidth) - moving.scrollLeft),
    Math.abs(least(top, moving.scrollHeight - moving.clientHeight) - moving.scrollTop),
  );
};

/* The rest of the way, after the wheel; whether anything moved since `wheelSpot`. */
const wheelRest = () => {
  const { moving, before, left, top } = state.wheel;
  moving.scrollTo({ left, top, behavior: 'instant' });
  return moving.scrollLeft !== before[0] || moving.scrollTop !== before[1];
};

const formOf = (element) => {
  const isForm = (node) => isTag(node, 'form');
  if (element) return isForm(element) ? element : element.form || closestAcross(element, isForm);
  const forms = deepQuery('form');
  return forms.find((form) => form.querySelector('[type=submit],button:not([type])')) || forms[0] || null;
};

const formElements = past(HTMLFormElement, 'elements');
const isUnchecked = past(HTMLFormElement, 'noValidate');
const sendForm = past(HTMLFormElement, 'requestSubmit');
const fieldsOf = (form) => [...formElements(form)];

const submitControl = (element) => {
  const form = formOf(element);
  state.form = form;
  if (!form) return { form: false };
  const controls = fieldsOf(form).filter((e) => ['submit', 'image'].includes(e.type) && !disabled(e) && rendered(e));
  state.found = controls[0] || null;
  const invalid = isUnchecked(form) || (controls[0] && controls[0].formNoValidate) ? [] :
    fieldsOf(form).filter((e) => e.willValidate && !e.validity.valid);
  return {
    form: true, control: controls.length > 0,
    invalid: invalid.slice(0, 5).map((e) => `${e.name || describe(e)}: ${e.validationMessage}`),
  };
};

const CONTROLS = 'input[name], select[name], textarea[name]';

const bare = (element) => {
  const copy = element.cloneNode(true);
  copy.querySelectorAll('script, style, link, noscript').forEach((node) => node.remove());
  const walker = document.createTreeWalker(copy, NodeFilter.SHOW_COMMENT);
  const comments = [];
  while (walker.nextNode()) comments.push(walker.currentNode);
  comments.forEach((node) => node.remove());
  return copy;
};

const cutAt = (html, limit) => (html.length > limit ? `${html.slice(0, limit - 1)}…` : html);

/* The largest element, up to `limit` characters, around all controls of a field's name that holds no control of
   another name and is not the whole page; where that says nothing in words, the next one out that does. Of anything else its own HTML. */
const relevantHtml = (element, limit = 6000) => {
  const markup = (node) => bare(node).outerHTML.replace(/\s+/g, ' ');
  if (!isMatch(element, CONTROLS)) return cutAt(markup(element), limit);
  const fields = [...element.getRootNode().querySelectorAll(CONTROLS)].filter((field) => field.name === element.name);
  const isShared = (node) => [...node.querySelectorAll(CONTROLS)].some((e) => e.name !== element.name && e.type !== 'hidden');
  const saysSomething = (node) => bare(node).textContent.trim().length > 0;
  let holder = element;
  while (parentElementOf(holder) && !fields.every((field) => holder.contains(field))) holder = parentElementOf(holder);
  let html = markup(holder);
  for (let outer = parentElementOf(holder); outer && outer !== holder.ownerDocument.documentElement; outer = parentElementOf(holder)) {
    const isLast = outer === holder.ownerDocument.body || isShared(outer);
    if (isLast && saysSomething(holder)) break;
    const larger = markup(outer);
    if (larger.length > limit) break;
    holder = outer;
    html = larger;
  }
  return cutAt(html, limit);
};

/* [name, relevant HTML] of the page's named fields in document order; "" once `room` characters or `patience` ms are spent. */
const relevantHtmlOfFields = (most, room, patience) => {
  const end = performance.now() + patience;
  const shown = deepQuery(CONTROLS).filter((e) => e.name && !['hidden', 'submit', 'image', 'reset'].includes(e.type));
  return [...new Set(shown.map((e) => e.name))].slice(0, most).map((name) => {
    const html = room > 0 && performance.now() < end ? relevantHtml(byField(name)[0]) : '';
    room -= html.length;
    return [name, room < 0 ? '' : html];
  });
};

/* ---- settling ---- */

const animating = () => document.getAnimations ? document.getAnimations().some((animation) => {
  const timing = animation.effect && animation.effect.getComputedTiming();
  return animation.playState === 'running' && timing && timing.endTime - (animation.currentTime || 0) < 1000;
}) : false;

const GROWING_MS = 300;

/* Resolves once the document did not change for `calm` ms, at the latest after `cap` ms; answers how it ended: "calm",
   "growing" where elements were still put into it, "changing" where only others of its parts did. */
const quiet = (calm, cap) => new Promise((resolve) => {
  const start = performance.now();
  let last = start;
  let grown = -Infinity;
  const observer = new MutationObserver((changes) => {
    last = performance.now();
    if (changes.some((change) => [...change.addedNodes].some(isElement))) grown = last;
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  const look = () => {
    const now = performance.now();
    const late = now - start >= cap;
    if (!late && (now - last < calm || animating())) return setTimeout(look, Math.max(4, calm - (now - last)));
    observer.disconnect();
    if (!late) return resolve('calm');
    return resolve(now - grown < GROWING_MS ? 'growing' : 'changing');
  };
  setTimeout(look, calm);
});

/* Whether a click or a key has come to the element's document since it was loaded, as the browser knows it. */
const touched = (element) => viewOf(element).navigator.userActivation.hasBeenActive;

/* Resolves once what comes next was drawn; a page in the background draws nothing, so that has an end. */
const drawn = () => new Promise((resolve) => {
  setTimeout(resolve, 200);
  requestAnimationFrame(() => requestAnimationFrame(resolve));
});

globalThis.webbenchActing = {
  state, find, prepare, frameOffset, placeInRoot, contentInRoot, setValue, stepBeside, chooseOptions, placeCaret, typedInto, valueOf, checkedOf, focus, touched, drawn, scroll, scrollAt, wheelSpot, wheelLeft, wheelRest,
  submitControl, relevantHtml, relevantHtmlOfFields, quiet, describe, fileFieldIn, heedDrag, tookDrag, isActive, drawnOver,
  paste,
  wholeHtml: (limit) => cutAt(document.documentElement.outerHTML, limit),
  sliderValue: (element) => element.getAttribute('aria-valuenow'),
  /* Whether a number is none that its ends rule out. */
  sliderHolds: (element, wanted) => !(wanted < attributeOf(element, 'aria-valuemin')) && !(wanted > (attributeOf(element, 'aria-valuemax') ?? Infinity)),
  submitForm: () => sendForm(state.form),
  scrollTo: (element) => element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' }),
  optionNamed: (text) => {
    const same = (element) => short(nameOf(element)).toLowerCase() === short(text).toLowerCase();
    state.found = deepQuery('[role=option]').find((element) => rendered(element) && same(element)) || null;
    return !!state.found;
  },
};
