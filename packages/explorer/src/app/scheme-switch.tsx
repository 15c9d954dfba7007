import { useState } from 'react';
import { Button } from '../ui/button.tsx';

type Scheme = 'light' | 'dark';

const SCHEME_KEY = 'locmetrics.scheme';

/** Switches between light and dark; at first the page follows the system. */
export function SchemeSwitch() {
  const [scheme, setScheme] = useState<Scheme>(readScheme);
  const other: Scheme = scheme === 'light' ? 'dark' : 'light';
  const change = (): void => {
    localStorage.setItem(SCHEME_KEY, other);
    document.documentElement.dataset['scheme'] = other;
    setScheme(other);
  };
  return (
    <Button kind="quiet" size="small" aria-label={`Use ${other} colours`} onPress={change}>
      <span aria-hidden="true">{scheme === 'light' ? '☾' : '☀'}</span>
    </Button>
  );
}

function readScheme(): Scheme {
  const kept = localStorage.getItem(SCHEME_KEY);
  if (kept === 'light' || kept === 'dark') {
    document.documentElement.dataset['scheme'] = kept;
    return kept;
  }
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
