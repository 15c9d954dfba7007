/** An element of the page, which has it from the start. */
export function find(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element '${id}'.`);
  return element;
}
