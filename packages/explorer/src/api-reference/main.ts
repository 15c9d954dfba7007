import './page.css';
import { createApiReference } from '@scalar/api-reference';
import { createSessionStore, SERVICE_URL, type SessionState } from '../session/session.ts';
import {
  chooseScheme,
  otherScheme,
  readScheme,
  restoreScheme,
  subscribeToScheme,
} from '../ui/scheme.ts';
import { find } from './find.ts';
import { referenceConfiguration } from './reference-configuration.ts';
import { repairMarkup } from './repair-markup.ts';

restoreScheme();
const store = createSessionStore();
const caller = find('caller');
const scheme = find('scheme');

// The viewer is mounted once the session is known, so that a reader who is signed in never sees an empty token.
await store.open();
const reference = createApiReference(find('reference'), configure(store.current()));
showCaller(store.current());
store.subscribe(() => {
  const state = store.current();
  showCaller(state);
  reference.updateConfiguration(configure(state));
});

repairMarkup(document.body);
scheme.addEventListener('click', () => chooseScheme(otherScheme(readScheme())));
subscribeToScheme(showScheme);
showScheme();

function configure(state: SessionState) {
  const token = state.kind === 'signed-in' ? state.session.token : undefined;
  return referenceConfiguration({ service: SERVICE_URL, token });
}

function showCaller(state: SessionState): void {
  caller.textContent =
    state.kind === 'signed-in'
      ? `Calls use your token ${state.session.caller.tokenName} of ${state.session.caller.organisationName}.`
      : 'Not signed in: enter a token under Authentication.';
}

/** The viewer has a class on the body for a few of its own rules; all colours come from the page. */
function showScheme(): void {
  const now = readScheme();
  scheme.textContent = now === 'light' ? '☾' : '☀';
  scheme.setAttribute('aria-label', `Use ${otherScheme(now)} colours`);
  document.body.classList.toggle('dark-mode', now === 'dark');
  document.body.classList.toggle('light-mode', now === 'light');
}
