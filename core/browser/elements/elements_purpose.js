/* What pressing an element would set off; continues the scope of elements_acting.js. */

const PRESSED = 'a[href], area[href], button, input, select, textarea, summary, label, option, [onclick], [role=button], '
  + '[role=link], [role=menuitem], [role=option], [role=tab], [role=checkbox], [role=radio], [role=switch]';
const sends = (element) => ['button', 'input'].includes(localNameOf(element)) && ['submit', 'image'].includes(element.type);

const resolvedIn = (element, address) => {
  try {
    return new URL(address, element.ownerDocument.baseURI).href;
  } catch {
    return address;
  }
};

const calledBy = (element) => {
  const button = isTag(element, 'input') && ['submit', 'button', 'image'].includes(element.type);
  const told = ['title', 'aria-label', 'alt'].map((name) => attributeOf(element, name));
  const own = isMatch(element, 'form, body, html') ? '' : textOf(element);
  const texts = [localNameOf(element) === 'form' ? '' : nameOf(element), button ? element.value : '', own, ...told];
  return { role: roleOf(element), texts: [...new Set(texts.map(short).filter(Boolean))] };
};

const purpose = (element, keys) => {
  const pressed = closestAcross(element, (node) => isMatch(node, PRESSED)) || element;
  const meant = localNameOf(pressed) === 'label' && pressed.control ? pressed.control : pressed;
  const form = keys || sends(meant) ? formOf(meant) : null;
  const button = form && (sends(meant) ? meant : fieldsOf(form).find((field) => sends(field) && !disabled(field)));
  const parts = [...new Set([pressed, meant, button, form].filter(Boolean))];
  const links = [meant, pressed].map((node) => attributeOf(node, 'href'));
  const sent = form ? [(button && attributeOf(button, 'formaction')) || attributeOf(form, 'action') || ''] : [];
  return {
    controls: parts.map(calledBy),
    addresses: [...links.filter(Boolean), ...sent].map((address) => resolvedIn(element, address)),
  };
};

const NOTHING = { controls: [], addresses: [] };

/* At a point of this world's frame, down into its frames; of another world's frame, its window and the point in it. */
const purposeAt = (x, y) => {
  let element = deepestAt(document, x, y);
  for (let inner = element && documentIn(element); inner; inner = element && documentIn(element)) {
    const [left, top] = contentOrigin(element);
    [x, y] = [x - left, y - top];
    element = deepestAt(inner, x, y) || inner.documentElement;
  }
  const window = element ? snapshot.window(element) : 0;
  if (window) {
    const [left, top] = contentOrigin(element);
    return { ...NOTHING, window, x: x - left, y: y - top };
  }
  return element ? purpose(element, false) : NOTHING;
};

/* Of what has the focus, for keys that set it off. */
const purposeOfFocus = () => {
  const element = deepestActive(document);
  return element ? purpose(element, true) : NOTHING;
};

/* Of the form that a bare `Submit` sends. */
const purposeOfForm = () => {
  const form = formOf(null);
  return form ? purpose(fieldsOf(form).find((field) => sends(field) && !disabled(field)) || form, true) : NOTHING;
};

Object.assign(globalThis.webbenchActing, { purpose, purposeAt, purposeOfFocus, purposeOfForm });
