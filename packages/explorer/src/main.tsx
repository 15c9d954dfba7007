import '@fontsource-variable/inter/wght.css';
import './ui/theme.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { createSessionStore } from './session/session.ts';
import { restoreScheme } from './ui/scheme.ts';

restoreScheme();
const store = createSessionStore();
// Before anything is drawn, so that a secret in the address is gone at once.
void store.open();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root.');
createRoot(root).render(
  <StrictMode>
    <App store={store} />
  </StrictMode>,
);
