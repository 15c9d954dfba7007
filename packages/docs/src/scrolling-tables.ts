/** A table that is wider than the page scrolls, by keyboard too. */
const tables = document.querySelectorAll<HTMLElement>('.sl-markdown-content table');
const watcher = new ResizeObserver((changes) => {
  for (const { target } of changes) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0');
    else target.removeAttribute('tabindex');
  }
});
for (const table of tables) watcher.observe(table);
