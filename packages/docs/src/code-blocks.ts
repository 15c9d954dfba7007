/** Adds a button to each block of code that copies it, and the tabs of blocks that are the same in several languages. */
const KEPT = 'locmetrics.code-language';

for (const block of document.querySelectorAll<HTMLElement>('.sl-markdown-content pre'))
  addCopyButton(block);

function addCopyButton(block: HTMLElement): void {
  const frame = document.createElement('div');
  frame.className = 'code-frame';
  block.replaceWith(frame);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'code-copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent ?? '');
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  frame.append(block, button);
}

/** Tabs as the ARIA Authoring Practices describe them; the choice holds for all tabs of the site. */
class CodeTabs extends HTMLElement {
  connectedCallback(): void {
    const labels = this.dataset['labels']?.split('|') ?? [];
    const panels = [...this.querySelectorAll<HTMLElement>('.code-frame')];
    const list = document.createElement('div');
    // Starlight would give the tabs the space between paragraphs.
    list.className = 'not-content';
    list.setAttribute('role', 'tablist');
    list.setAttribute('aria-label', 'Language');
    const number = [...document.querySelectorAll('code-tabs')].indexOf(this);
    for (const [index, panel] of panels.entries()) {
      const tab = document.createElement('button');
      const label = labels[index] ?? '';
      Object.assign(tab, { type: 'button', textContent: label, id: `code-${number}-${index}` });
      tab.setAttribute('role', 'tab');
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-labelledby', tab.id);
      tab.addEventListener('click', () => choose(label, this));
      list.append(tab);
    }
    list.addEventListener('keydown', (event) => {
      const tabs: readonly (Element | null)[] = [...list.children];
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      const at = tabs.indexOf(document.activeElement);
      const next = tabs[(at + step + tabs.length) % tabs.length];
      if (!(next instanceof HTMLElement)) return;
      choose(next.textContent ?? '', this);
      next.focus();
    });
    this.prepend(list);
    this.show(readKept() ?? '');
  }

  /** Shows the block with this label, or else the first one. */
  show(label: string): void {
    const tabs = [...this.querySelectorAll<HTMLElement>('[role="tab"]')];
    const panels = [...this.querySelectorAll<HTMLElement>('[role="tabpanel"]')];
    const found = tabs.findIndex((tab) => tab.textContent === label);
    for (const [index, tab] of tabs.entries()) {
      const isShown = index === Math.max(0, found);
      tab.setAttribute('aria-selected', String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      panels[index]?.toggleAttribute('hidden', !isShown);
    }
  }

  has(label: string): boolean {
    return this.dataset['labels']?.split('|').includes(label) === true;
  }
}

/** Keeps the visible part of the page in place while blocks above it change their heights. */
function choose(label: string, chosen: CodeTabs): void {
  const { top } = chosen.getBoundingClientRect();
  localStorage.setItem(KEPT, label);
  for (const tabs of document.querySelectorAll<CodeTabs>('code-tabs')) {
    if (tabs.has(label)) tabs.show(label);
  }
  scrollBy(0, chosen.getBoundingClientRect().top - top);
}

function readKept(): string | null {
  return localStorage.getItem(KEPT);
}

customElements.define('code-tabs', CodeTabs);
