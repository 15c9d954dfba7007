/** The colours of the page: those that the reader chose, or else those of the system. */
export type Scheme = 'light' | 'dark';

const SCHEME_KEY = 'locmetrics.scheme';
const SYSTEM_DARK = '(prefers-color-scheme: dark)';

/** The scheme that the page has now. */
export function readScheme(): Scheme {
  const { scheme } = document.documentElement.dataset;
  if (isScheme(scheme)) return scheme;
  return matchMedia(SYSTEM_DARK).matches ? 'dark' : 'light';
}

export function otherScheme(scheme: Scheme): Scheme {
  return scheme === 'light' ? 'dark' : 'light';
}

/** Uses a scheme from now on, on all pages of this browser. */
export function chooseScheme(scheme: Scheme): void {
  localStorage.setItem(SCHEME_KEY, scheme);
  document.documentElement.dataset['scheme'] = scheme;
}

/** Uses the scheme that was chosen before, if one was. */
export function restoreScheme(): void {
  const kept = localStorage.getItem(SCHEME_KEY);
  if (isScheme(kept)) document.documentElement.dataset['scheme'] = kept;
}

export function subscribeToScheme(listener: () => void): () => void {
  const system = matchMedia(SYSTEM_DARK);
  const chosen = new MutationObserver(listener);
  system.addEventListener('change', listener);
  chosen.observe(document.documentElement, { attributeFilter: ['data-scheme'] });
  return () => {
    system.removeEventListener('change', listener);
    chosen.disconnect();
  };
}

function isScheme(text: unknown): text is Scheme {
  return text === 'light' || text === 'dark';
}
