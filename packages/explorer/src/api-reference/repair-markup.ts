/**
 * Repairs the markup that screen readers use: roles and names that the viewer omits or gets wrong. Each repair is for a
 * finding of axe, and does nothing once the viewer has the right markup itself.
 */
export function repairMarkup(root: HTMLElement): void {
  const repairAll = (): void => {
    for (const { selector, repair } of REPAIRS) {
      for (const element of root.querySelectorAll(selector)) repair(element);
    }
  };
  new MutationObserver(repairAll).observe(root, {
    subtree: true,
    childList: true,
    attributeFilter: ['role', 'aria-controls'],
  });
  repairAll();
}

const REPAIRS: readonly {
  readonly selector: string;
  readonly repair: (element: Element) => void;
}[] = [
  {
    // The list of the search is always open; the suggestions of an editor only while one types a variable.
    selector: '[role="combobox"]:not([aria-expanded])',
    repair: (element) =>
      element.setAttribute('aria-expanded', String(element.hasAttribute('aria-controls'))),
  },
  {
    selector: 'button[role="none"]',
    repair: (element) => element.removeAttribute('role'),
  },
  {
    selector: '.cm-content:not([aria-label])',
    repair: (element) =>
      element.setAttribute(
        'aria-label',
        element.getAttribute('contenteditable') === 'true' ? 'Body of the request' : 'Body',
      ),
  },
  {
    // An answer is longer than its frame, and the keyboard must be able to scroll it.
    selector: '.cm-scroller[tabindex="-1"]:has(.cm-content[contenteditable="false"])',
    repair: (element) => element.setAttribute('tabindex', '0'),
  },
  {
    selector: 'button[aria-controls]',
    repair: (element) => {
      const controlled = element.getAttribute('aria-controls') ?? '';
      if (document.getElementById(controlled) === null) element.removeAttribute('aria-controls');
    },
  },
  {
    // Each operation has cards of the same name, which are too many to be landmarks.
    selector: '.scalar-card[role="region"]',
    repair: (element) => element.setAttribute('role', 'group'),
  },
  {
    // The dialog for a request has content and notices of its own.
    selector: '.references-rendered',
    repair: (element) =>
      element.toggleAttribute(
        'inert',
        document.querySelector('.scalar-client[role="dialog"]') !== null,
      ),
  },
  {
    selector: '.scalar-client > section[aria-label^="Notifications"]',
    repair: (element) => element.setAttribute('aria-label', 'Notices of the request'),
  },
];
