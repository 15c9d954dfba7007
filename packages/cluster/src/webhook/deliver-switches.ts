import type { CurrentFile } from '@locmetrics/data-directory/versions/current-file';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { listSwitches, type Switch } from '@locmetrics/data-directory/versions/switch-versions';
import type { Observe } from '@locmetrics/server/observe/observation';
import { type DeliveryStore, fileDelivery } from './delivery-store.ts';
import { type Answer, postSwitch, type Webhook } from './post-switch.ts';
import { newWebhookState, type WebhookState } from './webhook-state.ts';

/** The outcome of a delivery. */
export type Delivery =
  /** All switches were accepted or given up. */
  | { readonly kind: 'done' }
  /** Another process is delivering. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly switch: number; readonly reason: string };

export type DeliverOptions = {
  readonly directory: DataDirectory;
  /** Absent: that of the data directory. */
  readonly store?: DeliveryStore | undefined;
  readonly webhook: Webhook;
  readonly clock: () => number;
  readonly observe: Observe;
  readonly signal: AbortSignal;
  /** The timeout of an attempt; default: 10 s. */
  readonly timeoutMs?: number;
};

/** A switch is given up after this time; a receiver that returns later must query the current versions. */
const SENT_WITHIN_MS = 24 * 3_600_000;

/**
 * Delivers the undelivered switches in order, until one is not accepted. Only one process delivers at a
 * time. If a process ends after an answer but before it is recorded, the switch is sent again with the
 * same id.
 *
 * The switching command delivers, and the service retries the rest. The history in `current.json` has the switches to
 * send, so no queue can disagree with it.
 */
export async function deliverSwitches(options: DeliverOptions): Promise<Delivery> {
  const { store = fileDelivery(options.directory) } = options;
  const lock = await store.takeLock(0);
  if (lock === undefined) return { kind: 'busy' };
  try {
    const current = await store.readCurrent();
    const known = await store.readState();
    let state = stateFor(current, known);
    if (state !== known && !(await store.replaceState(known, state))) return { kind: 'busy' };
    for (const switched of listSwitches(current, state.told)) {
      const answer = await deliver(switched, `msg_${state.id}_${switched.number}`, options);
      if (!answer.isAccepted && !answer.isFinal) {
        return { kind: 'failed', switch: switched.number, reason: answer.reason };
      }
      const before = state;
      state = { ...before, told: switched.number };
      if (!(await store.replaceState(before, state))) return { kind: 'busy' };
      options.observe(
        answer.isAccepted
          ? { kind: 'webhook_told', switch: switched.number }
          : { kind: 'webhook_given_up', switch: switched.number, reason: answer.reason },
      );
    }
    return { kind: 'done' };
  } finally {
    await lock.release();
  }
}

/** A new webhook starts with the next switch. */
function stateFor(
  { lastSwitch }: CurrentFile,
  known: WebhookState | undefined = newWebhookState(lastSwitch),
): WebhookState {
  // The switch numbers restart if everything is published from scratch; ids are never reused.
  return known.told <= lastSwitch ? known : newWebhookState(0);
}

async function deliver(
  switched: Switch,
  id: string,
  { webhook, clock, signal, timeoutMs }: DeliverOptions,
): Promise<Answer> {
  const nowMs = clock();
  if (nowMs - Date.parse(switched.time) > SENT_WITHIN_MS) {
    return { isAccepted: false, reason: 'did not accept it within 24 hours', isFinal: true };
  }
  return postSwitch(webhook, { id, switched, nowMs, timeoutMs, signal });
}
