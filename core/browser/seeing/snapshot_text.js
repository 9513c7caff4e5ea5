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

// A line of text as it is put together: whether it ends in white space or in one of no width; the row whose last space goes
// where nothing follows, and the text of that as it is written.
const newLine = () => ({ space: true, zero: false, last: null, data: "" });

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

// A line end beside a zero-width space is not even a space.
const ZERO_WIDTH = "\u200b";
const collapsed = (data, line) => data.replace(SPACES, (run, at) => {
  const before = at > 0 ? data[at - 1] : line.zero ? ZERO_WIDTH : "";
  const beside = before === ZERO_WIDTH || data[at + run.length] === ZERO_WIDTH;
  return beside && run.includes("\n") && run.length < data.length ? "" : " ";
});
// Whether the white space at the end of a text has a line end in it.
const endsWithLine = (data) => {
  for (let at = data.length - 1; at >= 0 && isWhite(data[at]); at -= 1) if (data[at] === "\n") return true;
  return false;
};

// A node, or what a style writes before or after the content of its host.
const made = (host, which) => ({ host, which });
const CELLS = new Set(["cell", "gridcell", "columnheader", "rowheader"]);

class TextRows extends Rows {
  // A span that only wraps one text: the tree never has it, only its text.
  isTransparent(element) {
    const only = element.firstChild;
    return only !== null && only.nodeType === 3 && only.nextSibling === null && !element.hasAttribute("id") && !isHost(element)
      && this.owned.size === 0 && !this.mayGenerate(element);
  }

  // A new line for a block or an atomic inline box; the outer one sees a break or an object.
  startLine(line, apart) {
    if (!apart) trim(this, line);
    return newLine();
  }

  endLine(line, own, out, inlineBlock) {
    if (own === line) {
      if (inlineBlock && !out) {
        line.space = line.zero = false;
        line.last = null;
      }
      return;
    }
    trim(this, own);
    if (out) return;
    line.space = !inlineBlock;
    line.zero = false;
    line.last = null;
  }

  lineBreak(element, style, depth, env, line) {
    trim(this, line);
    line.space = true;
    line.zero = false;
    line.last = null;
    if (style.visibility !== "visible" || env.inert || env.label) return;
    if (element.hasAttribute("role") && element.computedRole === "none") return;
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
      text = line.zero || data.includes(ZERO_WIDTH) ? collapsed(data, line) : data.replace(SPACES, " ");
      if (line.space && text[0] === " ") text = text.slice(1);
      if (text === "") return;
      if (text[0] === ZERO_WIDTH && line.last && line.last.name !== " " && endsWithLine(line.data)) trim(this, line);
      line.space = text[text.length - 1] === " ";
    } else if (mode === "preserve-breaks") {
      text = data.replace(/[ \t]*\n[ \t]*/g, "\n").replace(/[ \t]+/g, " ");
      if (line.space && text[0] === " ") text = text.slice(1);
      if (text === "") return;
      line.space = /[ \n]$/.test(text);
    } else line.space = false;
    line.last = null;
    line.zero = text[text.length - 1] === ZERO_WIDTH;
    if (env.inert || env.label || !this.visible) return;
    if (text === " " && mode === "collapse" && !this.matters(node, layout, index)) return;
    const row = this.push(idOf(node), "StaticText", transformed(text, this.transform), depth, "");
    this.range.selectNodeContents(node);
    this.place(row, this.range.getBoundingClientRect(), env.clip);
    if (env.editable) row.states = { editable: env.editable };
    if (line.space && mode === "collapse") {
      line.last = row;
      line.data = data;
    }
    if (alone) trim(this, line);
  }

  // Whether white space between two elements is kept as text of its own: only between inline text. The browser decides it
  // when it first comes to it, and holds to that whatever then changes beside it.
  matters(node, layout, index) {
    const before = this.beside(node, BEFORE);
    const after = this.beside(node, AFTER);
    if (!before || !after) return false;
    const displays = layout ? layout.displays : [];
    const ahead = before === layout?.nodes[index - 1] ? displays[index - 1] : "";
    const behind = after === layout?.nodes[index + 1] ? displays[index + 1] : "";
    return !this.standsApart(before, BEFORE, 0, ahead) && !this.standsApart(after, AFTER, 0, behind);
  }

  // What comes before or after a node in the document, what styles write included.
  beside(node, side) {
    for (let at = node; at && at.nodeType !== 9; at = at.parentNode) {
      const found = side === AFTER ? at.nextSibling : at.previousSibling;
      if (found) return found;
      const parent = at.parentElement;
      const which = side === AFTER ? "::after" : "::before";
      if (parent && this.writes(parent, which)) return made(parent, which);
    }
    return null;
  }

  // Whether a style writes anything before or after the content of an element.
  writes(element, which) {
    if (!this.mayGenerate(element)) return false;
    const { content, display } = partStyleOf(element, which);
    return content !== "none" && content !== "normal" && content !== "" && display !== "none";
  }

  // Whether something is told apart from what is beside it without a space.
  standsApart(node, side, count, known) {
    if (!node) return true;
    if (count > 3) return false;
    if (node.which) return this.writtenApart(node, side);
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
    if (tag === "BR") return side === BEFORE || !node.hasAttribute("role");
    if (tag === "IMG" || (tag === "INPUT" && node.type === "image")) return false;
    if (isReplaced(tag)) return true;
    if (isPictured(node, styleOf(node))) return false;
    const display = known || styleOf(node).display;
    if (display !== "inline") return true;
    if (node.hasAttribute("role") && CELLS.has(node.computedRole)) return true;
    const [near, far] = side === AFTER ? ["::before", "::after"] : ["::after", "::before"];
    const child = (this.writes(node, near) && made(node, near)) || (side === AFTER ? node.firstChild : node.lastChild)
      || (this.writes(node, far) && made(node, far));
    return this.standsApart(child || this.beside(node, side), side, count + 1, "");
  }

  writtenApart({ host, which }, side) {
    const { content, display } = partStyleOf(host, which);
    if (display !== "inline") return true;
    const text = contentText(content, host);
    return text !== "" && isWhite(side === AFTER ? text[0] : text[text.length - 1]);
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
      if (!out) {
        line.space = text.endsWith(" ");
        line.zero = false;
        line.last = null;
      }
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
    const text = markerText(element, style, this.counted);
    if (text) this.part(element, "::marker", listed ? "ListMarker" : "StaticText", text, depth, env.clip);
  }
}
