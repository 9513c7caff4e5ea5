/* What a person does to a document, told as it happens. Follows elements.js in the same scope, in an isolated
   world: the page sees neither our listeners nor what they tell. */

const TEXTS = 'input:not([type=checkbox],[type=radio],[type=button],[type=submit],[type=reset],[type=image],[type=range],[type=file]),textarea,[contenteditable]';
const told = new WeakMap();

const tell = (kind, element, value) => webbenchDone(JSON.stringify({ kind, ref: fingerprint(element), value }));

/* The element itself, not the page's wrapper around a shadow root. */
const origin = (event) => event.composedPath().find((node) => node.nodeType === Node.ELEMENT_NODE) || null;

const heldBy = (field) => (field.isContentEditable ? field.innerText : field.value);

/* Only what is not told yet: Enter tells the text before the key, and `change` would tell it again. */
const tellText = (field) => {
  const text = heldBy(field);
  if (told.get(field) === text) return;
  told.set(field, text);
  tell('type', field, text);
};

const changed = (event) => {
  const field = origin(event);
  if (!event.isTrusted || !field) return;
  if (field.localName === 'select') tell('select', field, [...field.selectedOptions].map((option) => short(option.label)));
  else if (field.matches('input[type=checkbox],input[type=radio]')) tell('check', field, field.checked);
  else if (field.matches('input[type=range]')) tell('range', field, Number(field.value));
  else if (field.matches(TEXTS)) tellText(field);
};

/* A click into a field only puts the cursor there; one on a label is a click on its field. */
const clicked = (event) => {
  const element = origin(event);
  if (!event.isTrusted || !element || element.closest('select,option')) return;
  const label = element.closest('label');
  if (element.matches(`${TEXTS},input[type=checkbox],input[type=radio],input[type=range],input[type=file]`)) return;
  if (label && label.control) return;
  const named = element.closest('a[href],button,input,summary,[role],[onclick],[tabindex]') || element;
  tell('click', named, event.detail);
};

const pressed = (event) => {
  const field = origin(event);
  if (!event.isTrusted || !field || event.key !== 'Enter' || event.isComposing) return;
  if (field.localName !== 'input' || !field.matches(TEXTS)) return;
  tellText(field);
  tell('enter', field, null);
};

addEventListener('change', changed, true);
addEventListener('click', clicked, true);
addEventListener('keydown', pressed, true);
