// Text as it is rendered: white space, lines, transformed letters, generated content.

const SPACES = /[ \t\n\r\f]+/g;
const NOT_SPACE = /[^ \t\n\r\f]/;
const BEFORE = 0;
const AFTER = 1;

const isWhite = (text) => !NOT_SPACE.test(text);
const keepsSpaces = (style) => style.whiteSpaceCollapse.startsWith("preserve") || style.whiteSpaceCollapse === "break-spaces";
const isReplaced = (tag) => tag === "IMG" || tag === "INPUT" || tag === "IFRAME" || tag === "CANVAS" || tag === "VIDEO"
  || tag === "OBJECT" || tag === "EMBED" || tag === "svg" || tag === "AUDIO" || tag === "SELECT" || tag === "TEXTAREA"
  || tag === "BUTTON" || tag === "METER" || tag === "PROGRESS";

// The space that ends a line is not shown; a text that was only that space goes.
const trim = (walk, line) => {
  const row = line.last;
  if (!row) return;
  line.last = null;
  row.name = row.name.slice(0, -1);
  if (row.name === "") {
    row.role = "";
    walk.dropped = true;
  }
};

// An element that a style puts a picture in place of.
const isPictured = (element, style) => !element.firstChild && style.content.startsWith("url(");

const transformed = (text, transform) => {
  if (transform === "none") return text;
  if (transform === "uppercase") return text.toUpperCase();
  if (transform === "lowercase") return text.toLowerCase();
  if (transform === "capitalize") return text.replace(/(^|[\s\-([{"'\u2018\u201c])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
  return text;
};

// Whether white space between two elements is kept as text of its own: only between inline text.
const matters = (node, layout, index) => {
  const before = previousNode(node);
  const after = nextNode(node);
  if (!before || !after) return false;
  const displays = layout ? layout.displays : [];
  const ahead = before === layout?.nodes[index - 1] ? displays[index - 1] : "";
  const behind = after === layout?.nodes[index + 1] ? displays[index + 1] : "";
  return !standsApart(before, BEFORE, 0, ahead) && !standsApart(after, AFTER, 0, behind);
};
const previousNode = (node) => {
  for (let at = node; at && at.nodeType !== 9; at = at.parentNode) {
    const found = at.previousSibling;
    if (found) return found;
  }
  return null;
};
const nextNode = (node) => {
  for (let at = node; at && at.nodeType !== 9; at = at.parentNode) {
    const found = at.nextSibling;
    if (found) return found;
  }
  return null;
};
const standsApart = (node, side, count, known) => {
  if (!node) return true;
  if (count > 3) return false;
  if (node.nodeType === 3) {
    const data = node.data;
    if (data === "") return false;
    if (isWhite(data)) return true;
    // A space that follows this one is the one that goes, but where all are kept.
    if (side === AFTER) return isWhite(data[0]) && keepsSpaces(styleOf(node.parentNode));
    return isWhite(data[data.length - 1]);
  }
  if (node.nodeType !== 1) return true;
  const tag = node.tagName;
  if (tag === "BR") return true;
  if (tag === "IMG" || (tag === "INPUT" && node.type === "image")) return false;
  if (isReplaced(tag)) return true;
  if (isPictured(node, styleOf(node))) return false;
  const display = known || styleOf(node).display;
  if (display !== "inline") return true;
  const child = side === AFTER ? node.firstChild : node.lastChild;
  if (!child) {
    const beyond = side === AFTER ? nextNode(node) : previousNode(node);
    return !!beyond && standsApart(beyond, side, count + 1, "");
  }
  return standsApart(child, side, count + 1, "");
};

class TextRows extends Rows {
  // A span that only wraps one text: the tree never has it, only its text.
  isTransparent(element) {
    const only = element.firstChild;
    return only !== null && only.nodeType === 3 && only.nextSibling === null && element.id === "" && !isHost(element)
      && this.owned.size === 0 && !this.mayGenerate(element);
  }

  // A new line for a block or an atomic inline box; the outer one sees a break or an object.
  startLine(line, apart) {
    if (!apart) trim(this, line);
    return { space: true, last: null };
  }

  endLine(line, own, out, inlineBlock) {
    if (own === line) {
      if (inlineBlock && !out) {
        line.space = false;
        line.last = null;
      }
      return;
    }
    trim(this, own);
    if (out) return;
    line.space = !inlineBlock;
    line.last = null;
  }

  lineBreak(element, style, depth, env, line) {
    trim(this, line);
    line.space = true;
    line.last = null;
    if (style.visibility !== "visible" || env.inert || env.label) return;
    const row = this.push(idOf(element), "LineBreak", "\n", depth, "BR");
    this.place(row, element.getBoundingClientRect(), env.clip);
    if (env.editable) row.states = { editable: "plaintext" };
  }

  // What a style says of text, kept for the next text of the same element.
  textStyle(style) {
    if (style !== this.styled) {
      this.styled = style;
      this.mode = style.whiteSpaceCollapse;
      this.visible = style.visibility === "visible";
      this.transform = style.textTransform;
    }
    return this.mode;
  }

  text(node, style, depth, env, line, alone, layout, index) {
    const data = node.data;
    if (data === "") return;
    const mode = this.textStyle(style);
    let text = data;
    if (mode === "collapse") {
      text = data.replace(SPACES, " ");
      if (line.space && text[0] === " ") text = text.slice(1);
      if (text === "") return;
      line.space = text[text.length - 1] === " ";
    } else if (mode === "preserve-breaks") {
      text = data.replace(/[ \t]*\n[ \t]*/g, "\n").replace(/[ \t]+/g, " ");
      if (line.space && text[0] === " ") text = text.slice(1);
      if (text === "") return;
      line.space = /[ \n]$/.test(text);
    } else line.space = false;
    line.last = null;
    if (env.inert || env.label || !this.visible) return;
    if (text === " " && mode === "collapse" && !matters(node, layout, index)) return;
    const row = this.push(idOf(node), "StaticText", transformed(text, this.transform), depth, "");
    this.range.selectNodeContents(node);
    this.place(row, this.range.getBoundingClientRect(), env.clip);
    if (env.editable) row.states = { editable: env.editable };
    if (line.space && mode === "collapse") line.last = row;
    if (alone) trim(this, line);
  }

  // Whether the element can have generated text before or after its content.
  mayGenerate(element) {
    return !this.generated || this.generated.has(element) || (this.shaded && this.isInShade(element));
  }

  // Whether style sheets of shadow trees may select it: what is in one, its host, and what is slotted.
  isInShade(element) {
    const parent = element.parentElement;
    return element.getRootNode() !== this.doc || isHost(element) || (parent !== null && isHost(parent));
  }

  // Whether what the browser writes before or after its content is a block of its own.
  hasBlockPseudo(element) {
    return this.mayGenerate(element) && ["::before", "::after"].some((which) => {
      const style = getComputedStyle(element, which);
      return style.content !== "none" && style.content !== "normal" && style.display !== "none" && !isInline(style.display)
        && !isOut(style, style.display, style.position);
    });
  }

  pseudo(element, which, depth, env, line) {
    if (!this.mayGenerate(element)) return;
    const style = partStyleOf(element, which);
    const content = style.content;
    if (content === "none" || content === "normal" || content === "" || style.display === "none") return;
    const text = contentText(content, element);
    const block = !isInline(style.display);
    const out = isOut(style, style.display, style.position);
    if (block && !out) trim(this, line);
    const blank = isWhite(text) && style.whiteSpaceCollapse === "collapse";
    const pictures = content.includes(" / ") ? 0 : content.split("url(").length - 1;
    if (((text && !blank) || pictures) && style.visibility === "visible" && !env.inert) {
      const boxed = style.display !== "inline";
      if (boxed) this.part(element, `${which} box`, "generic", "", depth, env.clip);
      const at = depth + (boxed ? 1 : 0);
      for (let number = 0; number < pictures; number += 1) this.part(element, `${which} image${number}`, "image", "", at, env.clip);
      if (text && !blank) this.part(element, which, "StaticText", transformed(text, style.textTransform), at, env.clip);
      if (!out) line.space = text.endsWith(" ");
      line.last = null;
    }
    if (block && !out) line.space = true;
  }

  // In a list that isn't one to the tree, a marker is a text like others.
  marker(element, tag, style, depth, env) {
    if (style.visibility !== "visible" || env.inert || tag === "SUMMARY") return;
    const outer = element.parentElement;
    const listed = !outer || !LISTS.has(outer.tagName) || isList(outer) || (tag === "LI" && element.computedRole === "listitem");
    if (style.listStyleImage !== "none") {
      if (listed) this.part(element, "::marker", "ListMarker", "  ", depth, env.clip);
      this.part(element, "::marker image0", "image", "", depth + (listed ? 1 : 0), env.clip);
      return;
    }
    const text = markerText(element, style);
    if (text) this.part(element, "::marker", listed ? "ListMarker" : "StaticText", text, depth, env.clip);
  }
}
