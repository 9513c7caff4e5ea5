// What our isolated world offers. Joined behind the files that it is built from, and run once per document.

globalThis.snapshot = {
  // Whether this Chromium gives scripts its computed roles and names.
  able: "computedRole" in Element.prototype,
  // options: {next, since, frame, depth, x, y, clip, viewportOnly}; clip null = the whole viewport,
  // since = serial of the answer that is at hand: only what differs from it is sent, if it was the last one.
  read(options) {
    nextId = Math.max(nextId, options.next);
    const walk = new Walk(options);
    walk.document(document, options.depth, options.x, options.y, options.clip || [0, 0, innerWidth, innerHeight]);
    return walk.result();
  },
  // The live node of an id; null if it is gone or was never given in this document.
  node(id) {
    const node = known.get(id)?.deref();
    return alive(node) ? node : null;
  },
  // The element to act on for an id: a text stands for its parent, a document for its root.
  element(id) {
    const node = this.node(id);
    if (!node) return null;
    return node.nodeType === 3 ? node.parentElement : node.nodeType === 9 ? node.documentElement : node;
  },
  id(node) {
    return ids.get(node) ?? 0;
  },
  // Top-left corner of the node's own frame in this document's viewport.
  offset(node) {
    let x = 0;
    let y = 0;
    let view = (node.nodeType === 9 ? node : node.ownerDocument).defaultView;
    while (view && view !== globalThis && view.frameElement) {
      const [left, top] = this.content(view.frameElement);
      x += left;
      y += top;
      view = view.frameElement.ownerDocument.defaultView;
    }
    return [x, y];
  },
  content(frame) {
    const rect = frame.getBoundingClientRect();
    const style = getComputedStyle(frame);
    return [rect.x + frame.clientLeft + Number.parseFloat(style.paddingLeft),
      rect.y + frame.clientTop + Number.parseFloat(style.paddingTop)];
  },
  // Top-left corner of an iframe's content in this document's viewport.
  origin(id) {
    const frame = this.node(id);
    const [x, y] = this.offset(frame);
    const [left, top] = this.content(frame);
    return [x + left, y + top];
  },
  // Texts of all style sheets, imported ones too, for the addresses that scripts may not read; null: not known.
  sheets(addresses, texts) {
    const found = [];
    let known = texts !== null;
    for (const text of texts ?? []) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      const selectors = selectorsIn(sheet.cssRules);
      if (selectors) found.push(...selectors);
      else known = false;
    }
    for (const address of addresses) sheetTexts.set(address, known ? found : null);
  },
  // Every node of every document here in order, for joining with a protocol snapshot.
  order(next) {
    nextId = Math.max(nextId, next);
    ordered = documentsOf(globalThis).map(nodesOf);
    return JSON.stringify({
      types: ordered.map((nodes) => nodes.map((node) => node.nodeType)),
      ids: ordered.map((nodes) => nodes.map((node) => ids.get(node) ?? 0)),
      holes: ordered.flatMap((nodes, number) => nodes.flatMap((node, place) => node.tagName === "IFRAME" || node.tagName === "FRAME"
        ? [[number, place, ...this.content(node), node.clientWidth, node.clientHeight]] : [])),
      viewport: viewportOf(), url: document.URL, title: document.title, next: nextId,
      loading: document.readyState === "loading",
    });
  },
  // Take over ids given outside, as [document, place in order, part, id]; returns those that had one already.
  assign(given) {
    const changed = [];
    for (const [number, place, part, id] of given) {
      const node = ordered[number][place];
      const parts = partIds.get(node) || new Map();
      if (part && parts.has(part)) changed.push([id, parts.get(part)]);
      else {
        if (part) partIds.set(node, parts.set(part, id));
        else ids.set(node, id);
        known.set(id, new WeakRef(node));
      }
      nextId = Math.max(nextId, id + 1);
    }
    ordered = [];
    return JSON.stringify(changed);
  },
  adopt(host, root) {
    if (closedRoots.has(host)) return false;
    closedRoots.set(host, root);
    return true;
  },
};
