// The flat tree as it is laid out: rendered children, owned elements, clips, suspected closed roots.

const probed = new WeakMap(); // element -> its size when it was last checked for a closed root
const HOSTS = new Set(["ARTICLE", "ASIDE", "BLOCKQUOTE", "BODY", "DIV", "FOOTER", "H1", "H2", "H3", "H4", "H5", "H6", "HEADER",
  "MAIN", "NAV", "P", "SECTION", "SPAN"]);
const PRUNED = new Set(["HEAD", "STYLE", "SCRIPT", "NOSCRIPT", "TEMPLATE", "MAP", "COL", "COLGROUP", "TITLE", "defs", "symbol",
  "title", "desc", "style", "script", "metadata"]);
// The layout of elements without children, and of those with nothing but one text.
const EMPTY = { nodes: [], styles: [], displays: [], any: false, block: false };
const ONE_TEXT = { nodes: [null], styles: [null], displays: [""], any: true, block: false };

const isInline = (display) => display.startsWith("inline") || display.startsWith("ruby") || display === "contents";
// What floats or is positioned absolutely is never displayed inline.
const isOut = (style, display, position) => display !== "inline"
  && (position === "absolute" || position === "fixed" || style.float !== "none");
const isScroller = (element, style) => (/auto|scroll|hidden/.test(style.overflowX) && element.scrollWidth > element.clientWidth)
  || (/auto|scroll|hidden/.test(style.overflowY) && element.scrollHeight > element.clientHeight);

class LayoutRows extends TextRows {
  // aria-owns: element -> owner, for those that move.
  ownership(root) {
    const owned = new Map();
    for (const owner of root.querySelectorAll("[aria-owns]")) {
      for (const id of owner.getAttribute("aria-owns").trim().split(/\s+/)) {
        const child = root.getElementById(id);
        if (child && !child.contains(owner) && !owned.has(child)) owned.set(child, owner);
      }
    }
    return owned;
  }

  // Children in the flat tree: shadow content, slotted nodes, owned elements in their new place.
  children(element, tag) {
    const shadow = element.shadowRoot || closedRoots.get(element);
    if (shadow) {
      this.shaded = true;
      this.disables ||= shadow.querySelector("[aria-disabled]") !== null;
    }
    let kids = shadow ? shadow.childNodes : element.childNodes;
    if (tag === "SLOT") {
      const assigned = element.assignedNodes();
      if (assigned.length) kids = assigned;
    }
    if (this.owned.size === 0) return kids;
    const list = [...kids].filter((kid) => !this.owned.has(kid));
    if (element.hasAttribute("aria-owns")) {
      for (const [kid, owner] of this.owned) if (owner === element) list.push(kid);
    }
    return list;
  }

  // The rendered children with their styles, and whether they are laid out in lines.
  layout(element, tag, style, display) {
    const moved = tag === "SLOT" || this.owned.size > 0 || isHost(element);
    const simple = moved || tag === "DETAILS" ? null : this.simpleLayout(element, style, display);
    if (simple) return simple;
    const nodes = [];
    const styles = [];
    const displays = [];
    let any = false;
    let block = false;
    if (display !== "inline" && style.contentVisibility === "hidden") return { nodes, styles, displays, any, block };
    const closed = tag === "DETAILS" && !element.open;
    const add = (kid) => {
      const type = kid.nodeType;
      if (type === 3) {
        if (kid.length === 0 || closed) return;
        nodes.push(kid);
        styles.push(null);
        displays.push("");
        any = any || NOT_SPACE.test(kid.data) || keepsSpaces(style);
      } else if (type === 1) {
        if (PRUNED.has(kid.tagName) || (closed && kid.tagName !== "SUMMARY")) return;
        const own = styleOf(kid);
        const shown = own.display;
        if (shown === "none") return;
        if (shown === "") {
          this.suspect(element, true);
          return;
        }
        nodes.push(kid);
        styles.push(own);
        displays.push(shown);
        any = true;
        if (shown === "contents") block = block || this.holdsBlock(kid);
        else if (!block && !isInline(shown) && !isOut(own, shown, own.position)) block = true;
      }
    };
    if (moved) {
      for (const kid of this.children(element, tag)) add(kid);
    } else {
      for (let kid = element.firstChild; kid; kid = kid.nextSibling) add(kid);
    }
    return { nodes, styles, displays, any, block };
  }

  // Of an element with nothing or nothing but one text, null of others.
  simpleLayout(element, style, display) {
    const first = element.firstChild;
    if (!first) return EMPTY;
    const text = first.nodeType === 3 && !first.nextSibling && NOT_SPACE.test(first.data);
    return text && (display === "inline" || style.contentVisibility !== "hidden") ? ONE_TEXT : null;
  }

  holdsBlock(element) {
    for (const kid of this.children(element, element.tagName)) {
      if (kid.nodeType !== 1 || PRUNED.has(kid.tagName)) continue;
      const style = styleOf(kid);
      const display = style.display;
      if (display === "none" || display === "") continue;
      if (display === "contents" ? this.holdsBlock(kid) : !isInline(display) && !isOut(style, display, style.position)) return true;
    }
    return false;
  }

  suspect(element, sure) {
    if (isHost(element)) return;
    if (!sure && !HOSTS.has(element.tagName) && !element.tagName.includes("-")) return;
    const rect = element.getBoundingClientRect();
    if (!sure && (rect.width === 0 || rect.height === 0)) return;
    const size = `${rect.width}x${rect.height}`;
    if (probed.get(element) === size) return;
    probed.set(element, size);
    this.suspects.push(element);
  }

  inside(element, tag, style, display, position, bare, env, label) {
    let editable = env.editable;
    if (tag === "INPUT" || tag === "TEXTAREA" || (!bare && element.hasAttribute("contenteditable"))) editable = editability(element, tag);
    else if (editable && tag in ATOMIC) editable = ATOMIC[tag];
    const overflows = tag !== "INPUT" && display !== "inline" && style.overflowX !== "visible" && tag !== "BODY" && tag !== "HTML";
    if (!overflows && position === "static" && editable === env.editable && label === env.label) return env;
    let clip = this.clipFor(display, position, env);
    if (overflows) {
      const rect = element.getBoundingClientRect();
      clip = intersect(clip, [rect.x + this.x, rect.y + this.y, rect.right + this.x, rect.bottom + this.y]);
    }
    return { ...env, clip, abs: position === "static" ? env.abs : clip, editable, label };
  }

  clipFor(display, position, env) {
    if (display === "inline") return env.clip;
    return position === "absolute" ? env.abs : position === "fixed" ? env.fixed : env.clip;
  }
}
