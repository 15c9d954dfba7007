import { type CurrentFile, readCurrentFile } from '../catalog/current-file.ts';
import type { DataDirectory } from '../catalog/data-directory.ts';
import { takeProcessLock } from '../catalog/process-lock.ts';
import { listSwitches, type Switch } from '../catalog/switch-versions.ts';
import type { Observe } from '../observe/observation.ts';
import { type Answer, postSwitch, type Webhook } from './post-switch.ts';
import {
  newWebhookState,
  readWebhookState,
  replaceWebhookState,
  type WebhookState,
} from './webhook-state.ts';

/** How far a delivery came. */
export type Delivery =
  /** The webhook was told of everything, or what it was not told is given up. */
  | { readonly kind: 'done' }
  /** Another process delivers. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly switch: number; readonly reason: string };

export type DeliverOptions = {
  readonly directory: DataDirectory;
  readonly webhook: Webhook;
  readonly clock: () => number;
  readonly observe: Observe;
  readonly signal: AbortSignal;
  /** How long an answer is waited for; default: 10 s. */
  readonly timeoutMs?: number;
};

/** Who comes back later than this finds out by looking what is current. */
const TOLD_WITHIN_MS = 24 * 3_600_000;

/**
 * Tells the webhook of each switch that it was not told of, in their order, until one is not accepted.
 * One process at a time does so. A process that ends between an answer and the writing of it makes the
 * switch be told again, with the same id.
 */
export async function deliverSwitches(options: DeliverOptions): Promise<Delivery> {
  const { directory } = options;
  const lock = takeProcessLock(directory.webhook.lock);
  if (lock === undefined) return { kind: 'busy' };
  try {
    const current = readCurrentFile(directory.current);
    const known = readWebhookState(directory);
    let state = stateFor(current, known);
    if (state !== known) await replaceWebhookState(directory, state);
    for (const told of listSwitches(current, state.told)) {
      const answer = await deliver(told, `msg_${state.id}_${told.number}`, options);
      if (!answer.isAccepted && !answer.isFinal) {
        return { kind: 'failed', switch: told.number, reason: answer.reason };
      }
      state = { ...state, told: told.number };
      await replaceWebhookState(directory, state);
      options.observe(
        answer.isAccepted
          ? { kind: 'webhook_told', switch: told.number }
          : { kind: 'webhook_given_up', switch: told.number, reason: answer.reason },
      );
    }
    return { kind: 'done' };
  } finally {
    lock.release();
  }
}

/** A webhook that is new begins with the next switch. */
function stateFor(
  { lastSwitch }: CurrentFile,
  known: WebhookState | undefined = newWebhookState(lastSwitch),
): WebhookState {
  // Numbers begin again where everything was published anew; ids never do.
  return known.told <= lastSwitch ? known : newWebhookState(0);
}

async function deliver(
  told: Switch,
  id: string,
  { webhook, clock, signal, timeoutMs }: DeliverOptions,
): Promise<Answer> {
  const nowMs = clock();
  if (nowMs - Date.parse(told.time) > TOLD_WITHIN_MS) {
    return { isAccepted: false, reason: 'did not accept it within 24 hours', isFinal: true };
  }
  return postSwitch(webhook, { id, told, nowMs, timeoutMs, signal });
}
