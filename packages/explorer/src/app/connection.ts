import { SERVICE_URL } from '../session/session.ts';

/** Whether the service answers. While it does not, the page asks for it until it does. */
export type Connection = {
  readonly isLost: () => boolean;
  readonly subscribe: (listener: () => void) => () => void;
  /** A request got no answer. */
  readonly lose: () => void;
  /** Called each time the service answers again. */
  readonly onReturn: (listener: () => void) => void;
};

const ASK_AGAIN_MS = 2000;

export function createConnection(): Connection {
  let isLost = false;
  const listeners = new Set<() => void>();
  const returned: (() => void)[] = [];
  const change = (lost: boolean): void => {
    isLost = lost;
    for (const listener of listeners) listener();
  };
  const askAgain = async (): Promise<void> => {
    const answered = await fetch(`${SERVICE_URL}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!answered) {
      setTimeout(() => void askAgain(), ASK_AGAIN_MS);
      return;
    }
    change(false);
    for (const listener of returned) listener();
  };
  return {
    isLost: () => isLost,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    lose() {
      if (isLost) return;
      change(true);
      setTimeout(() => void askAgain(), ASK_AGAIN_MS);
    },
    onReturn: (listener) => void returned.push(listener),
  };
}
