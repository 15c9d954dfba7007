/** Not fields: on a phone, one that gets the focus opens the keyboard. */
const CONTROLS = 'a[href], button:not(:disabled), summary';

/**
 * Moves the focus on when the control that has it is taken away or disabled: to the next control of the same part of the
 * view, or to the one before it. Between the tabs of a thing it stays on the tab; in another view it goes to the content.
 * Returns what ends this.
 */
export function keepFocus(content: HTMLElement): () => void {
  let focused: Element | undefined;
  let tabs: string | null | undefined;
  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    focused = target;
    tabs = target.closest('nav')?.getAttribute('aria-label');
  };
  const observer = new MutationObserver((records) => {
    if (focused === undefined || document.activeElement !== document.body) return;
    const place = findPlace(records, focused);
    if (place === undefined) return;
    focused = undefined;
    const names = tabs;
    // A dialog gives the focus back by itself, in the next frame.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        (currentTab(names) ?? nextControl(place, content) ?? content).focus();
      }),
    );
  });
  addEventListener('focusin', onFocus);
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled'],
  });
  return () => {
    removeEventListener('focusin', onFocus);
    observer.disconnect();
  };
}

/** The nodes around the place of a control that are still there. */
type Place = {
  readonly parent: Element | null;
  readonly before: Node | null;
  readonly after: Node | null;
};

function findPlace(records: readonly MutationRecord[], focused: Element): Place | undefined {
  if (focused.isConnected) {
    if (!focused.matches(':disabled')) return undefined;
    const { parentElement: parent, previousSibling: before, nextSibling: after } = focused;
    return { parent, before, after };
  }
  const removal = records.findLast(({ target, removedNodes }) =>
    target.isConnected ? [...removedNodes].some((node) => node.contains(focused)) : false,
  );
  if (removal === undefined) return undefined;
  const { target, previousSibling, nextSibling } = removal;
  const before = previousSibling?.isConnected === true ? previousSibling : null;
  // The node in the place of the removed one comes first.
  const following = previousSibling === null ? target.firstChild : before?.nextSibling;
  return {
    parent: target instanceof Element ? target : target.parentElement,
    before,
    after: following ?? (nextSibling?.isConnected === true ? nextSibling : null),
  };
}

function currentTab(tabs: string | null | undefined): HTMLElement | null {
  if (tabs === null || tabs === undefined) return null;
  return document.querySelector(`nav[aria-label="${CSS.escape(tabs)}"] [aria-current="page"]`);
}

function nextControl({ parent, before, after }: Place, content: HTMLElement) {
  for (
    let around = parent;
    around !== null && around !== content && content.contains(around);
    around = around.parentElement
  ) {
    const controls = [...around.querySelectorAll<HTMLElement>(CONTROLS)].filter((control) =>
      control.checkVisibility(),
    );
    const next =
      controls.find((control) => after?.contains(control)) ??
      controls.findLast((control) => before?.contains(control)) ??
      controls.find((control) => isBeside(after, control, Node.DOCUMENT_POSITION_FOLLOWING)) ??
      controls.findLast((control) => isBeside(before, control, Node.DOCUMENT_POSITION_PRECEDING)) ??
      controls[0];
    if (next !== undefined) return next;
  }
  return undefined;
}

function isBeside(node: Node | null, control: Node, side: number): boolean {
  return node !== null && (node.compareDocumentPosition(control) & side) !== 0;
}
