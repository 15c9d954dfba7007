/** The tabs of this browser with the same page: a new one gets the token of another, and a sign-out ends all of them. */
export type OtherTabs = {
  /** Asks the other tabs for their token; undefined if none answers within the time. Later answers call `onLate`. */
  readonly ask: (options: {
    readonly waitMs: number;
    readonly onLate: (token: string) => void;
  }) => Promise<string | undefined>;
  readonly tellSignOut: () => void;
};

/**
 * Opens the channel to the other tabs. A browser passes its messages between pages of one origin and one profile, and
 * never over the network. The name of the channel has the address of the service, because several may share an origin.
 */
export function openOtherTabs({
  service,
  token,
  onSignOut,
}: {
  readonly service: string;
  /** The token of this tab, if it is signed in. */
  readonly token: () => string | undefined;
  /** Another tab has signed out. */
  readonly onSignOut: () => void;
}): OtherTabs {
  const channel = new BroadcastChannel(`locmetrics.session ${service}`);
  const asked = new Map<string, (token: string) => void>();
  const send = (message: Message): void => channel.postMessage(message);
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!isMessage(data)) return;
    switch (data.kind) {
      case 'ask': {
        const own = token();
        if (own !== undefined) send({ kind: 'answer', to: data.from, token: own });
        return;
      }
      case 'answer': {
        const take = asked.get(data.to);
        asked.delete(data.to);
        take?.(data.token);
        return;
      }
      case 'sign-out':
        asked.clear();
        onSignOut();
        return;
    }
  });
  return {
    ask: ({ waitMs, onLate }) => {
      const from = [...crypto.getRandomValues(new Uint8Array(16))].join('.');
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          resolve(undefined);
          if (asked.has(from)) asked.set(from, onLate);
        }, waitMs);
        asked.set(from, (given) => {
          clearTimeout(timer);
          resolve(given);
        });
        send({ kind: 'ask', from });
      });
    },
    tellSignOut: () => {
      asked.clear();
      send({ kind: 'sign-out' });
    },
  };
}

type Message =
  | { readonly kind: 'ask'; readonly from: string }
  | { readonly kind: 'answer'; readonly to: string; readonly token: string }
  | { readonly kind: 'sign-out' };

/** Other scripts of the origin, or another release of this page, could send anything. */
function isMessage(data: unknown): data is Message {
  if (typeof data !== 'object' || data === null || !('kind' in data)) return false;
  switch (data.kind) {
    case 'ask':
      return 'from' in data && typeof data.from === 'string';
    case 'answer':
      return (
        'to' in data &&
        typeof data.to === 'string' &&
        'token' in data &&
        typeof data.token === 'string'
      );
    default:
      return data.kind === 'sign-out';
  }
}
