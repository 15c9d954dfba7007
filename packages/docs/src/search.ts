/** The part of Pagefind that is used: https://pagefind.app/docs/api/. */
type Pagefind = {
  options(options: { readonly baseUrl: string; readonly excerptLength: number }): Promise<void>;
  /** Null: a later search has begun. */
  debouncedSearch(text: string): Promise<null | { readonly results: readonly Found[] }>;
};

type Found = { data(): Promise<FoundPage> };

type FoundPage = {
  readonly url: string;
  readonly excerpt: string;
  readonly meta: { readonly title?: string };
  readonly sub_results: readonly Section[];
};

type Section = { readonly title: string; readonly url: string; readonly excerpt: string };

const PAGES_MAX = 8;
const SECTIONS_MAX = 3;

/** The search dialog. The index is loaded when it is first opened. */
class SiteSearch extends HTMLElement {
  #index: Promise<Pagefind> | undefined;

  connectedCallback(): void {
    const button = this.querySelector('button');
    const dialog = this.querySelector('dialog');
    const input = this.querySelector('input');
    if (button === null || dialog === null || input === null) return;
    const open = (): void => {
      if (dialog.open) return;
      dialog.showModal();
      input.select();
      void this.#load();
    };
    button.disabled = false;
    button.addEventListener('click', open);
    input.addEventListener('input', () => void this.#search(input.value));
    dialog.addEventListener('click', ({ target }) => {
      if (target === dialog || (target instanceof Element && target.closest('a'))) dialog.close();
    });
    dialog.addEventListener('keydown', (event) => this.#move(event, input));
    // Enter opens the first result; it would close the dialog.
    input.form?.addEventListener('submit', (event) => {
      if (event.submitter !== null && event.submitter === document.activeElement) return;
      event.preventDefault();
      this.querySelector<HTMLAnchorElement>('ol a')?.click();
    });
    document.addEventListener('keydown', (event) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, textarea, select');
      const isShortcut =
        (event.key === 'k' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !isTyping);
      if (!isShortcut) return;
      event.preventDefault();
      open();
    });
  }

  async #load(): Promise<Pagefind> {
    const address = new URL(this.dataset['pagefind'] ?? '', document.baseURI);
    this.#index ??= import(/* @vite-ignore */ address.href).then(async (pagefind: Pagefind) => {
      await pagefind.options({ baseUrl: new URL('..', address).pathname, excerptLength: 18 });
      return pagefind;
    });
    return this.#index;
  }

  async #search(text: string): Promise<void> {
    if (text.trim() === '') return this.#show('', []);
    try {
      const found = await (await this.#load()).debouncedSearch(text);
      if (found === null) return;
      const pages = await Promise.all(found.results.slice(0, PAGES_MAX).map((one) => one.data()));
      const { length } = found.results;
      const count =
        length === 0
          ? `Nothing found for “${text}”.`
          : `${length} ${length === 1 ? 'page' : 'pages'}`;
      this.#show(count, pages);
    } catch {
      this.#show('The search index could not be loaded.', []);
    }
  }

  #show(state: string, pages: readonly FoundPage[]): void {
    const status = this.querySelector('[role="status"]');
    if (status !== null) status.textContent = state;
    this.querySelector('ol')?.replaceChildren(...pages.map(toItem));
  }

  /** The arrow keys move between the input and the results. */
  #move(event: KeyboardEvent, input: HTMLInputElement): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const places = [input, ...this.querySelectorAll<HTMLElement>('ol a')];
    const at = places.findIndex((place) => place.matches(':focus'));
    places[Math.max(0, Math.min(places.length - 1, at + step))]?.focus();
  }
}

function toItem(page: FoundPage): HTMLLIElement {
  const item = document.createElement('li');
  const sections = page.sub_results.filter(({ url }) => url !== page.url).slice(0, SECTIONS_MAX);
  item.append(toLink({ ...page, title: page.meta.title ?? page.url }, 'found-page'));
  for (const section of sections) item.append(toLink(section, 'found-section'));
  return item;
}

function toLink({ title, url, excerpt }: Section, className: string): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = url;
  link.className = className;
  const name = document.createElement('strong');
  name.textContent = title;
  const text = document.createElement('span');
  // Pagefind escapes the text, and marks the words with `<mark>`.
  text.innerHTML = excerpt;
  link.append(name, text);
  return link;
}

customElements.define('site-search', SiteSearch);
