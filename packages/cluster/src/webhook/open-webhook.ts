import { stampOf } from '@locmetrics/data-directory/files/durable-file';
import { type DeliverOptions, deliverSwitches } from './deliver-switches.ts';

/** Delivers switches to the webhook while the service runs, whichever process makes them. */
export type OpenWebhook = {
  /** The next command or service delivers the remaining switches. */
  readonly close: () => Promise<void>;
};

/** The polling interval for switches, and the retry delays. */
export type Pace = {
  readonly pollEveryMs: number;
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
};

const PACE: Pace = { pollEveryMs: 1000, retryMinMs: 5000, retryMaxMs: 3_600_000 };

export function openWebhook({
  pace = PACE,
  random = Math.random,
  ...options
}: Omit<DeliverOptions, 'signal'> & {
  readonly pace?: Pace;
  /** From 0 up to 1. */
  readonly random?: () => number;
}): OpenWebhook {
  const { directory, observe } = options;
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  let isUnusable = false;
  /** The stamp of `current.json` when all its switches were delivered. */
  let sentStamp: string | undefined;
  let failures = 0;
  let retryAtMs = 0;

  const deliver = async (): Promise<void> => {
    const stamp = stampOf(directory.current);
    if (stamp === sentStamp || performance.now() < retryAtMs) return;
    const delivery = await deliverSwitches({
      ...options,
      signal: ending.signal,
      observe: (observation) => {
        failures = 0;
        observe(observation);
      },
    });
    if (delivery.kind === 'done') {
      sentStamp = stamp;
      failures = 0;
    } else if (delivery.kind === 'failed' && !ending.signal.aborted) {
      const retryMs = waitMs(failures, pace, random());
      failures += 1;
      retryAtMs = performance.now() + retryMs;
      observe({
        kind: 'webhook_failed',
        switch: delivery.switch,
        reason: delivery.reason,
        retryMs,
      });
    }
  };

  const poll = async (): Promise<void> => {
    try {
      await deliver();
      isUnusable = false;
    } catch (error) {
      if (!isUnusable) observe({ kind: 'webhook_unusable', error });
      isUnusable = true;
    }
    if (ending.signal.aborted) return;
    timer = setTimeout(() => {
      polling = poll();
    }, pace.pollEveryMs);
  };
  polling = poll();

  return {
    close: async () => {
      ending.abort();
      clearTimeout(timer);
      await polling;
    },
  };
}

/** Exponential backoff, with jitter of up to a half so that senders do not retry at the same time. */
function waitMs(failures: number, { retryMinMs, retryMaxMs }: Pace, random: number): number {
  const longest = Math.min(retryMinMs * 2 ** failures, retryMaxMs);
  return Math.round(longest * (1 - random / 2));
}
