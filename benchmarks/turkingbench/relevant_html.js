// A function expression for `Environment.probe`: ({name, limit}) => the HTML that a field's question is in, or null.
(argument) => {
  const fields = Array.from(document.getElementsByName(argument.name));
  if (fields.length === 0) return null;
  const own = new Set(fields);

  const cleaned = (element) => {
    const copy = element.cloneNode(true);
    copy.querySelectorAll("script, style, link, noscript").forEach((node) => node.remove());
    const walker = document.createTreeWalker(copy, NodeFilter.SHOW_COMMENT);
    const comments = [];
    while (walker.nextNode()) comments.push(walker.currentNode);
    comments.forEach((node) => node.remove());
    return copy;
  };
  const markup = (element) => cleaned(element).outerHTML.replace(/\s+/g, " ");
  const saysSomething = (element) => cleaned(element).textContent.trim().length > 0;
  const isShared = (element) =>
    Array.from(element.querySelectorAll("input[name], select[name], textarea[name]")).some(
      (field) => !own.has(field) && field.type !== "hidden",
    );

  let holder = fields[0];
  while (holder.parentElement && !fields.every((field) => holder.contains(field))) holder = holder.parentElement;
  let html = markup(holder);
  while (holder.parentElement && holder.parentElement !== document.documentElement) {
    const parent = holder.parentElement;
    if (isShared(parent) && saysSomething(holder)) break;
    const larger = markup(parent);
    if (larger.length > argument.limit) break;
    holder = parent;
    html = larger;
  }
  return html.length > argument.limit ? html.slice(0, argument.limit - 1) + "…" : html;
}
