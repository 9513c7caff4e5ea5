// What the browser writes itself: text of ::before and ::after, markers of lists.

// The class that what a selector selects must have; "" where there is none, or none that is certain.
const CLASS_LAST = /^[^()[\]"'\\]*?\.([\w-]+)(?=$|[.:#*])[^\s>+~()[\]"'\\]*$/;
const classOf = (selector) => CLASS_LAST.exec(selector)?.[1] ?? "";

// Elements that style sheets may give generated text, and perhaps others; null where that can't be told.
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
  const classes = new Set();
  const rest = selectors.flatMap((list) => (/[(["'\\]/.test(list) ? list : list.split(","))).filter((selector) => {
    const name = classOf(selector);
    if (name) classes.add(name);
    return !name;
  });
  try {
    const hosts = new Set(target.querySelectorAll(rest.join(",")));
    for (const name of classes) for (const element of target.getElementsByClassName(name)) hosts.add(element);
    return hosts;
  } catch {
    return null;
  }
};
const sheetTexts = new Map(); // address of a sheet that can't be read -> its selectors, handed in by sheets()
const sheets = new WeakMap(); // style sheet -> [number of rules, selectors or null]
const FEW_RULES = 200; // so many are read anew each time, as scripts change them in place: less than 1 ms
const generatedSelectors = (sheet) => {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch {
    return sheetTexts.get(sheet.href) ?? null;
  }
  const cached = sheets.get(sheet);
  if (cached && rules.length > FEW_RULES && cached[0] === rules.length) return cached[1];
  const found = selectorsIn(rules);
  sheets.set(sheet, [rules.length, found]);
  return found;
};
const PSEUDO = /::?(before|after)/;
const EVERY = /::?(before|after)(:[\w-]+)*/g;
const ALONE = /(^|[\s>+~,(])::?(before|after)(:[\w-]+)*/g;
const isScope = (rule) => "start" in rule && "end" in rule; // @scope: its :scope is no root
const selectorsIn = (rules) => {
  const found = [];
  for (let at = 0, { length } = rules; at < length; at += 1) {
    const rule = rules[at];
    const selector = rule.selectorText;
    if (selector !== undefined) {
      if (rule.cssRules?.length) return null;
      if (PSEUDO.test(selector) && rule.style.content) found.push(selector.replace(ALONE, "$1*").replace(EVERY, ""));
    } else if (rule.styleSheet) {
      const imported = generatedSelectors(rule.styleSheet);
      if (!imported) return null;
      found.push(...imported);
    } else if (rule.cssRules?.length && rule.type !== 7) {
      const inner = selectorsIn(rule.cssRules);
      if (!inner || (inner.length && isScope(rule))) return null;
      found.push(...inner);
    }
  }
  return found;
};

const ESCAPED = /\\(?:([0-9a-fA-F]{1,6})\s?|(.))/g;
const unescaped = (_, code, letter) => (code ? String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff)) : letter);
const contentText = (content, element) => {
  let text = "";
  for (const part of content.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([^)]+)\)|counter\([^)]*\)|url\([^)]*\)|\/|[\w-]+/g)) {
    if (part[0] === "/") text = ""; // what follows is to be read instead
    else if (part[0] === "open-quote") text += "\u201c";
    else if (part[0] === "close-quote") text += "\u201d";
    else
    if (part[1] !== undefined) text += part[1].replace(ESCAPED, unescaped).replace(/\s*\n\s*/g, " ");
    else if (part[2] !== undefined) text += element.getAttribute(part[2].trim()) ?? "";
  }
  return text;
};

const BULLETS = { disc: "\u2022 ", circle: "\u25e6 ", square: "\u25a0 " };
const markerText = (element, style, lists) => {
  const type = style.listStyleType;
  const custom = partStyleOf(element, "::marker").content;
  if (custom !== "normal" && custom !== "none" && custom !== "") return contentText(custom, element);
  if (type === "none" || custom === "none") return "";
  if (type in BULLETS) return BULLETS[type];
  if (type.startsWith('"')) return type.slice(1, -1);
  return `${counterText(ordinal(element, lists), type)}. `;
};
const NUMBER = /^\s*-?\d+/;
const itemsOf = (list, deep) => (deep ? [...list.querySelectorAll("li")].filter((kid) => kid.closest("ol,ul,menu") === list)
  : [...list.children].filter((kid) => kid.tagName === "LI"));
// The numbers of a list's items, deep ones too or only its children.
const numberedItems = (list, deep) => {
  const items = itemsOf(list, deep);
  const numbers = new Map();
  const step = list.reversed ? -1 : 1;
  let next = list.hasAttribute("start") ? list.start : list.reversed ? items.length : 1;
  numbers.set(null, next);
  for (const item of items) {
    const own = item.getAttribute("value");
    if (own !== null && NUMBER.test(own)) next = Number.parseInt(own, 10);
    numbers.set(item, next);
    next += step;
  }
  return numbers;
};
// `lists`: what was counted for the items before: list -> [whether items lie deep in it, its children, deep ones].
const ordinal = (element, lists) => {
  const list = element.closest("ol,ul,menu");
  if (!list) return 1;
  const own = element.getAttribute("value");
  if (own !== null && NUMBER.test(own)) return Number.parseInt(own, 10);
  let known = lists.get(list);
  if (!known) lists.set(list, (known = [[...list.children].some((kid) => kid.tagName !== "LI" && kid.firstElementChild), null, null]));
  const deep = known[0] || element.parentNode !== list;
  const numbers = (known[deep ? 2 : 1] ??= numberedItems(list, deep));
  return numbers.get(element) ?? numbers.get(null);
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
