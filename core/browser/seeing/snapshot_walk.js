// One walk over a frame and its same-process frames: roles, names, states, boxes and text as rows.

const SVG = "http://www.w3.org/2000/svg";
const NAMELESS = new Set(["UL", "OL", "LI", "DL", "NAV", "MAIN", "ARTICLE", "ASIDE", "HEADER", "FOOTER", "FORM", "LABEL", "HR"]);
// Tags that nothing but an attribute lets have the keyboard.
const UNREACHED = new Set(["TD", "TH", "TR", "LI", "UL", "OL", "TABLE", "H1", "H2", "H3", "H4", "H5", "H6", "DL", "DT", "NAV", "MAIN"]);
// Tags whose role is that of their like beside them, where no attribute says otherwise.
const UNIFORM = new Set(["TD", "TR", "LI"]);
// Roles that take their name from their content, and those without any state of their own.
const NAMED_BY_TEXT = new Set(["cell", "columnheader", "rowheader", "heading", "button"]);
const STATELESS = new Set(["cell", "row"]);
// What an address may point to, which nothing in a shadow tree is.
const isLinkTarget = (element, tag, svg) => !svg && tag !== "WBR" && (element.hasAttribute("id") || (tag === "A" && element.hasAttribute("name")))
  && element.getRootNode().nodeType === 9;
const hasHeading = (details) => isHost(details) || [...details.children].some((kid) => kid.tagName === "SUMMARY");
// What the tree leaves out stands in the line all the same.
const passUnseen = (walk, element, style, display, line) => {
  if (isOut(style, display, style.position)) return;
  const text = display === "inline" ? element.textContent : "";
  if (display !== "inline") {
    line.space = !display.startsWith("inline-");
    if (line.space) trim(walk, line);
  } else if (text) line.space = isWhite(text[text.length - 1]) && (line.space || !isWhite(text) || !keepsSpaces(style));
  else return;
  line.zero = false;
  line.last = null;
};
// A box that stands in a line with others.
const isAtomic = (element, tag, style, display, position) =>
  (display.startsWith("inline-") || (display === "inline" && isReplaced(tag))) && !isOut(style, display, position)
  && tag !== "svg" && tag !== "CANVAS" && element.parentNode.childElementCount > 1;
// Columns are boxes in a box: its lines are theirs.
const isInColumns = (style) => style.columnCount !== "auto" || style.columnWidth !== "auto";

// The places of those that the page says are disabled, or are in such a one as they are shown. The nearest one that says
// anything counts.
const disabledIn = (nodes) => {
  if (!nodes.some((node) => node.nodeType === 1 && node.hasAttribute("aria-disabled"))) return [];
  const disabled = new Set();
  return nodes.flatMap((node, place) => {
    const around = disabled.has(parentShown(node));
    if (node.nodeType === 1 ? !isSaidDisabled(node, around) : !around) return [];
    disabled.add(node);
    return [place];
  });
};
// Of the nodes of one document what a person can click or might: [place, reason, looks, own words, box of an area].
const marksIn = (nodes) => {
  const marks = [];
  const modal = [...nodes[0].querySelectorAll("dialog:modal")].pop() || nodes[0].fullscreenElement;
  const boxes = new Map();
  for (const image of nodes[0].querySelectorAll("img[usemap]")) {
    for (const area of areasOf(image)) boxes.set(area, areaBox(area, image));
  }
  // What a closed disclosure holds is not measured: the browser would put a box of it into its tree.
  const folded = new Set();
  nodes.forEach((node, place) => {
    if (node.nodeType !== 1) return;
    const around = node.parentElement || node.parentNode?.host;
    if (folded.has(around) || (around?.tagName === "DETAILS" && !around.open && node.tagName !== "SUMMARY")) {
      folded.add(node);
      return;
    }
    const box = boxes.get(node) ?? null;
    if (box) marks.push([place, 0, "", "", [box.x, box.y, box.width, box.height]]);
    const tag = node.tagName;
    if (tag === "AREA") {
      if (box && areaReason(node)) marks.push([place, areaReason(node), "", ownWords(node), null]);
      return;
    }
    const style = styleOf(node);
    const svg = node.namespaceURI === SVG;
    const hidden = isShownIn(node, '[aria-hidden="true"]');
    const reason = hidden ? hiddenReason(node, tag, style, svg) : clickReason(node, tag, style, svg);
    if (!reason && !node.hasAttribute("role") && !isFocusable(node, tag, tag === "A" && node.isContentEditable)) return;
    if (style.visibility !== "visible" || isShownIn(node, "[inert]")) return;
    if (style.display !== "contents" && !node.checkVisibility()) return;
    if (modal && !modal.contains(node)) return;
    marks.push([place, reason, looksOf(node, style, svg), reason ? ownWords(node) : "", null]);
  });
  return marks;
};

class Walk extends PartRows {
  document(target, depth, x, y, clip) {
    const outer = [this.frame, this.x, this.y, this.doc, this.active, this.owned, this.generated, this.listens, this.disables];
    this.doc = target;
    this.frame = this.options.frame + this.frames.length;
    this.frames.push(target.URL);
    this.x = x;
    this.y = y;
    this.active = target.activeElement;
    for (let inner = this.active; inner; inner = (inner.shadowRoot || closedRoots.get(inner))?.activeElement) this.active = inner;
    this.owned = this.ownership(target);
    this.generated = generatedHosts(target, this.unread);
    this.disables = target.querySelector("[aria-disabled]") !== null;
    const view = target.defaultView;
    const row = this.push(idOf(target), "RootWebArea", target.title, depth, "");
    const page = target.scrollingElement || target.documentElement;
    if (page) {
      this.place(row, { x: -view.scrollX, y: -view.scrollY, width: page.scrollWidth, height: page.scrollHeight }, clip);
    }
    row.states = { focusable: true };
    const hasFocus = target.hasFocus();
    this.listens = hasFocus || depth === 0; // whether what is active here has the keyboard
    if (hasFocus) {
      row.states.focused = true;
      this.focused = row.id;
    }
    const root = target.documentElement;
    if (root) {
      const modal = [...target.querySelectorAll("dialog:modal")].pop() || target.fullscreenElement;
      const env = { clip, abs: clip, fixed: clip, editable: target.designMode === "on" ? "richtext" : "", label: false,
        inert: !!modal, modal: modal || null, painted: false, shut: false, slotted: "", disabled: false };
      const style = getComputedStyle(root);
      this.element(root, style, style.display, depth + 1, env, newLine());
    }
    [this.frame, this.x, this.y, this.doc, this.active, this.owned, this.generated, this.listens, this.disables] = outer;
  }

  element(element, style, display, depth, env, line) {
    if (this.isLate()) {
      this.skipped += 1 + element.getElementsByTagName("*").length;
      return;
    }
    const tag = element.tagName;
    if (tag === "BR") return this.lineBreak(element, style, depth, env, line);
    const listens = heard.get(element) ?? 0;
    const bare = tag !== "INPUT" && !listens && isBare(element);
    if (bare && tag === "SPAN" && display === "inline" && this.isTransparent(element) && !startsHand(element, style)) {
      return this.text(element.firstChild, style, depth, env, line, false);
    }
    if (!bare && element.getAttribute("aria-hidden") === "true" && element !== this.active) {
      if (!env.inert) this.unseen(element, style, depth, env);
      return passUnseen(this, element, style, display, line);
    }
    let inner = env;
    if (!bare && element.inert && !env.inert) inner = { ...env, inert: true };
    if (env.inert && env.modal === element) inner = { ...env, inert: false };
    if (!bare && this.disables && isSaidDisabled(element, env.disabled) !== env.disabled) inner = { ...inner, disabled: !env.disabled };
    const svg = !bare || !(tag in PLAIN_ROLES) ? element.namespaceURI === SVG : false;
    const pictured = (display === "inline" || tag in PLAIN_ROLES) && !isReplaced(tag) && isPictured(element, style);
    const plain = bare && !display.includes("table") && (display !== "list-item" || PLAIN_ROLES[tag] !== "generic")
      && !pictured && PLAIN_ROLES[tag];
    const link = !bare && isPlainLink(element, tag);
    const field = tag === "INPUT" && isPlainField(element);
    const role = plain || (link ? "link" : field ? "textbox" : bare && UNIFORM.has(tag) ? this.roleBeside(element, tag, display)
      : roleOf(element, tag, display));
    if (role === "RubyAnnotation") return;
    const layout = this.layout(element, tag, style, display);
    const position = style.position;
    if (layout.nodes.length === 0 || tag.includes("-")) this.suspect(element, false);
    const focusable = !plain && !env.shut && !(bare && UNREACHED.has(tag)) && display !== "contents"
      && isFocusable(element, tag, env.editable !== "");
    const visible = style.visibility === "visible" && !inner.inert;
    const redundant = tag === "LABEL" && !focusable && !isAtomic(element, tag, style, display, position)
      && isRedundantLabel(element, bare);
    const included = visible && !redundant
      && (focusable || this.includes(element, tag, role, style, display, position, bare, svg, layout));
    const inlineBlock = display.startsWith("inline-") || (display === "inline" && (pictured || isReplaced(tag)));
    const out = isOut(style, display, position);
    const own = display === "inline" || display === "contents" || display === "ruby"
      ? line : this.startLine(line, out || inlineBlock);
    let at = depth;
    inner = this.inside(element, tag, style, display, position, bare, inner, redundant ? true : included ? false : env.label);
    if (included) {
      at += 1;
      const name = plain || (bare && NAMELESS.has(tag)) ? "" : this.nameOf(element, style, link || (bare && NAMED_BY_TEXT.has(role) && !(tag === "BUTTON" && this.isLabelled(element))), field);
      const row = this.push(idOf(element), role || "generic", name, depth, tag);
      if (display !== "contents") this.place(row, element.getBoundingClientRect(), this.clipFor(display, position, env));
      const stateless = plain || (bare && STATELESS.has(role) && !this.disables);
      this.describe(element, tag, role, row, stateless, focusable, inner, style, svg);
      if (this.special(element, tag, role, row, at, inner, layout)) return this.endLine(line, own, out, inlineBlock);
    } else if (visible && !inner.painted) {
      const reason = inner.disabled ? 0 : clickReason(element, tag, style, svg);
      if (reason) this.addClickable(element, tag, style, svg, reason, depth, this.clipFor(display, position, env));
    }
    // What stands in for a drawing is not shown, and the tree keeps it even where nothing can be reached.
    if (tag === "CANVAS") {
      inner = { ...inner, painted: true, inert: false, shut: inner.inert, editable: inner.inert ? "" : inner.editable };
    } else if (inner.editable && isHost(element)) inner = { ...inner, editable: "", slotted: inner.editable };
    else if (inner.slotted && tag === "SLOT" && element.assignedNodes().length > 0) inner = { ...inner, editable: inner.slotted };
    this.kids(element, tag, style, display, layout, at, inner, own);
    return this.endLine(line, own, out, inlineBlock);
  }

  // A row of its own, around nothing, for what a person can click and the browser's tree leaves out.
  addClickable(element, tag, style, svg, reason, depth, clip) {
    const rect = element.getBoundingClientRect();
    if (rect.width === 0 || rect.height === 0) return;
    const row = this.push(idOf(element), tag === "IMG" || svg ? "image" : "generic", ownWords(element), depth, tag);
    this.place(row, rect, clip);
    row.added = true;
    row.clickable = reason;
    row.attributes = attributesOf(element);
    if (!row.name) row.looks = looksOf(element, style, svg);
  }

  // What a person can click where the page hides it from the browser's tree.
  unseen(element, style, depth, around) {
    if (style.display === "none" || element.inert || this.isLate()) return;
    const env = this.disables ? { ...around, disabled: isSaidDisabled(element, around.disabled) } : around;
    const tag = element.tagName;
    const svg = element.namespaceURI === SVG;
    const shut = env.painted || env.disabled;
    const reason = style.visibility === "visible" && !shut ? hiddenReason(element, tag, style, svg) : 0;
    if (reason) this.addClickable(element, tag, style, svg, reason, depth, env.clip);
    if (tag === "DETAILS" && !element.open) return;
    for (const kid of this.children(element, tag)) {
      if (kid.nodeType === 1 && !PRUNED.has(kid.tagName)) this.unseen(kid, styleOf(kid), depth, env);
    }
  }

  // The browser's own name, which takes long, only where nothing simpler gives the same.
  nameOf(element, style, byText, field) {
    return (byText && !this.mayGenerate(element) && (textName(element, style) || this.onlyName(element)))
      || (field && labelName(element)) || element.computedName;
  }

  // A button in a label is named by that, though not by its own text there. Which labels it has, the browser would look for
  // in the whole page, for each button anew.
  isLabelled(button) {
    for (let at = button.closest("label"); at; at = at.parentElement?.closest("label")) if (at.control === button) return true;
    if (!button.id) return false;
    const root = button.getRootNode();
    let named = this.named.get(root);
    if (!named) this.named.set(root, (named = new Set([...root.querySelectorAll("label[for]")].map((label) => label.htmlFor))));
    return named.has(button.id) && button.labels.length > 0;
  }

  // The same of an element that holds nothing but a link or button with one text.
  onlyName(element) {
    const only = element.firstElementChild;
    if (!only || only.nextSibling || only.previousSibling || this.mayGenerate(only)) return undefined;
    const tag = only.tagName;
    if (!(tag === "A" ? isPlainLink(only, tag) : tag === "BUTTON" && isBare(only))) return undefined;
    const style = styleOf(only);
    return style.display !== "none" && style.visibility === "visible" ? textName(only, style) : undefined;
  }

  // The role of the first such element beside it, which the browser is asked for.
  roleBeside(element, tag, display) {
    const parent = element.parentNode;
    const known = this.roles.get(parent);
    if (known && known[0] === tag && known[1] === display) return known[2];
    const role = roleOf(element, tag, display);
    this.roles.set(parent, [tag, display, role]);
    return role;
  }

  describe(element, tag, role, row, stateless, focusable, env, style, svg) {
    const focused = element === this.active && element !== this.doc.body;
    if (focused && this.listens) this.focused = row.id;
    if (stateless) {
      if (env.editable) row.states = { editable: env.editable };
    } else {
      const states = statesOf(element, role, tag, focusable, focused, env);
      for (const _ in states) {
        row.states = states;
        break;
      }
      const value = valueOf(element, role, tag);
      if (value !== undefined) row.value = value;
    }
    const control = CONTROL_ROLES.has(role);
    if (!row.states?.disabled && !env.painted && !env.disabled) {
      row.clickable = control ? (role === "link" && element.hasAttribute("href") ? 1 : 2)
        : clickReason(element, tag, style, svg) || (focusable ? 7 : 0);
    }
    if (row.clickable || control) row.attributes = attributesOf(element);
    else if (tag === "LABEL" && element.htmlFor) row.attributes = { for: element.htmlFor };
    if (row.clickable && !row.name) row.looks = looksOf(element, style, svg);
  }

  kids(element, tag, style, display, layout, depth, env, line) {
    const container = display.endsWith("flex") || display.endsWith("grid");
    const { nodes, styles, displays } = layout;
    const details = tag === "DETAILS" && element.open;
    let inner = depth;
    this.pseudo(element, "::before", depth, env, line);
    if (display === "list-item" && tag !== "FIELDSET") this.marker(element, tag, style, depth, env);
    if (tag === "DETAILS" && style.visibility === "visible" && !env.inert && !hasHeading(element)) this.heading(element, style, depth, env);
    for (let index = 0; index < nodes.length; index += 1) {
      const kid = nodes[index] || element.firstChild;
      if (details && inner === depth && this.opens(element, layout, index, depth, env)) inner += 1;
      if (styles[index]) this.element(kid, styles[index], displays[index], kid.tagName === "SUMMARY" ? depth : inner, env, line);
      else if (container) {
        if (NOT_SPACE.test(kid.data)) this.text(kid, style, inner, env, newLine(), true);
      } else this.text(kid, style, inner, env, line, false, layout, index);
    }
    this.pseudo(element, "::after", depth, env, line);
  }

  // The box around an open disclosure's content is a node where it holds lines of text.
  opens(details, layout, index, depth, env) {
    const { nodes, styles, displays } = layout;
    const content = (at) => nodes[at].tagName !== "SUMMARY" && (styles[at] || NOT_SPACE.test(nodes[at].data));
    if (!content(index)) return false;
    for (let at = index; at < nodes.length; at += 1) {
      if (content(at) && styles[at] && !isInline(displays[at]) && !isOut(styles[at], displays[at], styles[at].position)) return false;
    }
    this.part(details, "content", "generic", "", depth, env.clip);
    return true;
  }

  includes(element, tag, role, style, display, position, bare, svg, layout) {
    if (role === "none" || (tag === "EMBED" && !element.src)) return false;
    if (svg) {
      if (tag === "svg" && element.firstElementChild) return true;
      for (const kid of element.children) if (kid.localName === "title" || kid.localName === "desc") return true;
      if (tag === "a" || tag === "text") return true;
    }
    if (tag === "THEAD" || tag === "TFOOT" || tag === "HEADER" || tag === "FOOTER" || tag === "OPTGROUP" || tag === "LEGEND"
      || tag === "HGROUP" || tag === "SECTION" || tag === "DETAILS" || tag === "FIELDSET" || tag === "OUTPUT")
      return true;
    if (tag === "HTML") return false;
    if (KEPT_ROLES.has(role)) return tag === "A" ? role !== "generic" : true;
    if (tag === "LABEL") return true;
    if (!bare && (element.hasAttribute("role") || element.title || hasAria(element))) return true;
    if (!bare && (heard.get(element) & PRESSED || hasClickAttribute(element))) return true;
    if (element.isContentEditable && element.getAttribute("contenteditable") !== null) return true;
    if (role === "image") return !svg && element.getAttribute("alt") !== "";
    if (isLinkTarget(element, tag, svg)) return true;
    if (display === "contents") return false;
    if (isAtomic(element, tag, style, display, position)) return true;
    if (tag === "SPAN") return false;
    if (tag === "IFRAME" || tag === "FRAME" || tag === "OBJECT" || tag === "EMBED") return true;
    if (tag === "CANVAS" && element.firstElementChild) return true;
    if (tag === "CANVAS") return element.width > 1 && element.height > 1;
    if (position !== "static") return true;
    if (tag !== "BODY" && isScroller(element, style)) return true;
    const flow = display === "block" || display === "inline-block" || display === "list-item" || display === "table-cell"
      || display === "flow-root" || display === "table-caption";
    return flow && layout.any && !layout.block && !svg && !isInColumns(style) && !this.hasBlockPseudo(element);
  }
}
