import { type Client, createClient, type ServiceError } from '@locmetrics/client';
import { createLooking, type Looking } from './looking.ts';
import { openOtherTabs } from './other-tabs.ts';

/**
 * The token of the tab, its client and its caller. The token is kept in the storage of the tab alone, until the tab is
 * closed; a new tab of the same browser asks the others for theirs.
 */
export type Session = {
  readonly token: string;
  readonly client: Client;
  readonly caller: Caller;
  /** How what the page shows is counted; its requests go through it. */
  readonly looking: Looking;
};

export type Caller = Awaited<ReturnType<Client['getCaller']>>;

/** Whether somebody is signed in. `ended` says why the last session ended, if it did. */
export type SessionState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'signed-out'; readonly ended: string | undefined }
  | { readonly kind: 'signed-in'; readonly session: Session };

/**
 * The address of the service: that of the page, without what follows the last slash. A page in a folder below the
 * service names the way up in `data-service` of its `html` element.
 */
export const SERVICE_URL = new URL(
  `${document.documentElement.dataset['service'] ?? '.'}/`,
  document.baseURI,
).href.replace(/\/$/, '');

export type SessionStore = {
  readonly current: () => SessionState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Signs in with a token. Throws the error of the client if the service refuses it. */
  readonly signIn: (token: string) => Promise<void>;
  readonly signOut: () => void;
  /** Ends the session because the service no longer accepts its token. */
  readonly end: (error: ServiceError) => void;
  /** Signs in with what the address, the tab or another tab has, if anything. */
  readonly open: () => Promise<void>;
};

const TOKEN_KEY = 'locmetrics.token';
/** A new tab asks for a token after this time; a later answer of another tab still signs it in. */
const ANSWER_WAIT_MS = 300;
/** `#sign-in=<code>`: a code that works once; `#token=<token>`: a token. */
const ADDRESS_SECRET = /^#(sign-in|token)=(.+)$/;

export function createSessionStore(): SessionStore {
  let state: SessionState = { kind: 'opening' };
  const listeners = new Set<() => void>();
  const change = (next: SessionState): void => {
    state = next;
    for (const listener of listeners) listener();
  };
  const signIn = async (token: string): Promise<void> => {
    const caller = await createClient({ url: SERVICE_URL, token }).getCaller();
    const billingContext = caller.organisationId;
    sessionStorage.setItem(TOKEN_KEY, token);
    const looking = createLooking();
    const fetch = looking.fetch;
    const client = createClient({ url: SERVICE_URL, token, billingContext, fetch });
    change({ kind: 'signed-in', session: { token, client, caller, looking } });
  };
  const signOut = (ended?: string): void => {
    sessionStorage.removeItem(TOKEN_KEY);
    change({ kind: 'signed-out', ended });
  };
  const others = openOtherTabs({
    service: SERVICE_URL,
    token: () => (state.kind === 'signed-in' ? state.session.token : undefined),
    onSignOut: () => signOut(),
  });
  const askOthers = (): Promise<string | undefined> =>
    others.ask({
      waitMs: ANSWER_WAIT_MS,
      // Another tab was busy. The reader may have signed in meanwhile.
      onLate: (token) => {
        if (state.kind === 'signed-out') signIn(token).catch(() => undefined);
      },
    });
  return {
    current: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    signIn,
    signOut: () => {
      others.tellSignOut();
      signOut();
    },
    end: (error) => {
      if (state.kind === 'signed-in') signOut(`${error.detail} Sign in again to continue.`);
    },
    async open() {
      try {
        const token =
          (await takeFromAddress()) ?? sessionStorage.getItem(TOKEN_KEY) ?? (await askOthers());
        if (token === undefined) signOut();
        else await signIn(token);
      } catch (error) {
        signOut(error instanceof Error ? error.message : String(error));
      }
    },
  };
}

/** Takes a secret out of the address before anything else can read it; returns the token that it stands for. */
async function takeFromAddress(): Promise<string | undefined> {
  const [, kind, secret] = ADDRESS_SECRET.exec(location.hash) ?? [];
  if (secret === undefined) return undefined;
  history.replaceState(null, '', `${location.pathname}#/`);
  const text = decodeURIComponent(secret);
  return kind === 'token' ? text : exchangeCode(text);
}

/** A sign-in code works once, from the machine of the service. */
async function exchangeCode(code: string): Promise<string> {
  const answer = await fetch(`${SERVICE_URL}/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const body: { readonly token?: string; readonly detail?: string; readonly hint?: string } =
    await answer.json();
  if (body.token !== undefined) return body.token;
  throw new Error([body.detail, body.hint].filter(Boolean).join(' '));
}
