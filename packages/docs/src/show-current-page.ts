/** Scrolls the navigation, so that the current page is in sight however long the list is. */
const pane = document.querySelector('#starlight__sidebar');
const current = pane?.querySelector('[aria-current="page"]');
if (pane && current) {
  const { top, bottom } = current.getBoundingClientRect();
  const frame = pane.getBoundingClientRect();
  if (bottom > frame.bottom) pane.scrollTop += top - frame.top - frame.height / 2;
}
