/* Innocent words that do something else: no name and no link on the page tells of it. */
for (const trap of document.querySelectorAll('[data-target]'))
  trap.addEventListener('click', () => fetch(trap.dataset.target, { method: 'POST' }));
