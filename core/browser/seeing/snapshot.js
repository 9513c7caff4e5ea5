// What our isolated world offers. Joined behind the files that it is built from, and run once per document.

globalThis.snapshot = {
  // Whether this Chromium gives scripts its computed roles and names.
  able: "computedRole" in Element.prototype,
  // options: {next, since, frame, depth, x, y, clip, viewportOnly, most, milliseconds}; clip null = the whole
  // viewport, most = number of rows that are enough, milliseconds = time that there is, null = any of them,
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
  // The shadow root of an element, a closed one as well where it was handed in.
  rootOf(element) {
    return element.shadowRoot || closedRoots.get(element) || null;
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
  // Numbers of the windows whose documents this world can't reach.
  windows() {
    if (!length) return [];
    const [nodes, frames] = documentsHere();
    return frames.filter(([, , inside]) => inside < 0).map(([number, place]) => windowOf(nodes[number][place])).filter(Boolean);
  },
  // Number of the window in an element, 0 where it is no frame, or one that this world reaches.
  window(element) {
    return isFrame(element) && !contentOf(element) ? windowOf(element) : 0;
  },
  // The frame element that a window is in, null where it is gone.
  frameOf(number) {
    const frame = frameElements.get(number)?.deref();
    return frame && alive(frame) && windowOf(frame) === number ? frame : null;
  },
  // Top-left corner of a window's content in this document's viewport, null where it is gone.
  origin(number) {
    const frame = this.frameOf(number);
    if (!frame) return null;
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
    const [nodes, frames] = documentsHere();
    ordered = nodes;
    return JSON.stringify({
      types: ordered.map((nodes) => nodes.map((node) => node.nodeType)),
      focus: ordered.map(([root]) => root.hasFocus()),
      ids: ordered.map((nodes) => nodes.map((node) => ids.get(node) ?? 0)),
      holes: frames.map(([number, place, inside]) => {
        const frame = ordered[number][place];
        return { document: number, place, inside, window: inside < 0 ? windowOf(frame) : 0, content: this.content(frame),
          size: [frame.clientWidth, frame.clientHeight] };
      }),
      marks: ordered.flatMap((nodes, number) => marksIn(nodes).map((mark) => [number, ...mark])),
      disabled: ordered.map(disabledIn),
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
    slots = new Map();
    return JSON.stringify(changed);
  },
  // Take over which elements hear clicks, as [backend id, how], and take back which don't any more.
  hear(given, gone, ...elements) {
    for (const id of gone) {
      const element = heardBy.get(id)?.deref();
      if (element) heard.delete(element);
      heardBy.delete(id);
    }
    given.forEach(([id, how], place) => {
      heard.set(elements[place], how);
      heardBy.set(id, new WeakRef(elements[place]));
    });
  },
  adopt(host, root) {
    if (closedRoots.has(host)) return false;
    closedRoots.set(host, root);
    return true;
  },
};
