/* What pressing an element would set off; continues the scope of elements_acting.js. */

const PRESSED = 'a[href], area[href], button, input, select, textarea, summary, label, option, [onclick], [role=button], '
  + '[role=link], [role=menuitem], [role=option], [role=tab], [role=checkbox], [role=radio], [role=switch]';
const sends = (element) => ['button', 'input'].includes(element.localName) && ['submit', 'image'].includes(element.type);

const resolvedIn = (element, address) => {
  try {
    return new URL(address, element.ownerDocument.baseURI).href;
  } catch {
    return address;
  }
};

const calledBy = (element) => {
  const button = element.localName === 'input' && ['submit', 'button', 'image'].includes(element.type);
  const told = ['title', 'aria-label', 'alt'].map((name) => attributeOf(element, name));
  const own = element.matches('form, body, html') ? '' : element.textContent;
  const texts = [element.localName === 'form' ? '' : nameOf(element), button ? element.value : '', own, ...told];
  return { role: roleOf(element), texts: [...new Set(texts.map(short).filter(Boolean))] };
};

const purpose = (element, keys) => {
  const pressed = closestAcross(element, (node) => node.matches(PRESSED)) || element;
  const meant = pressed.localName === 'label' && pressed.control ? pressed.control : pressed;
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

/* At a point of this process's root frame, down into its frames as far as they are of this process. */
const purposeAt = (x, y) => {
  let element = deepestAt(document, x, y);
  for (let inner = element && documentIn(element); inner; inner = element && documentIn(element)) {
    const [left, top] = contentOrigin(element);
    [x, y] = [x - left, y - top];
    element = deepestAt(inner, x, y) || inner.documentElement;
  }
  return element ? purpose(element, false) : NOTHING;
};

/* Of what has the focus, for keys that set it off. */
const purposeOfFocus = () => {
  let element = document.activeElement;
  for (;;) {
    const inner = element && (element.shadowRoot || documentIn(element));
    if (!inner || !inner.activeElement) break;
    element = inner.activeElement;
  }
  return element ? purpose(element, true) : NOTHING;
};

/* Of the form that a bare `Submit` sends. */
const purposeOfForm = () => {
  const form = formOf(null);
  return form ? purpose(fieldsOf(form).find((field) => sends(field) && !disabled(field)) || form, true) : NOTHING;
};

Object.assign(globalThis.webbenchActing, { purpose, purposeAt, purposeOfFocus, purposeOfForm });
