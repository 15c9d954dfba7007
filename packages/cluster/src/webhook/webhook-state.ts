import { randomBytes } from 'node:crypto';
import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import { replaceDurably } from '@locmetrics/data-directory/files/durable-file';
import { parseFormat } from '@locmetrics/data-directory/files/parse-format';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { readIfPresent } from '@locmetrics/data-directory/versions/version-file';

/** `webhook.json`: the delivery state of the webhook. */
export type WebhookState = {
  readonly format: 1;
  /** Part of the message ids, so that those of two data directories differ. */
  readonly id: string;
  /** The number of the last switch that was accepted or given up. */
  readonly told: number;
};

export function readWebhookState({ webhook }: DataDirectory): WebhookState | undefined {
  const text = readIfPresent(webhook.state);
  if (text === undefined) return undefined;
  const file = parseFormat(text, { path: webhook.state, hint: DAMAGED_HINT });
  if ('id' in file && typeof file.id === 'string' && 'told' in file) {
    if (typeof file.told === 'number') return { format: 1, id: file.id, told: file.told };
  }
  throw new DataDirectoryError(
    `${webhook.state} is damaged: it does not contain the delivery state of the webhook.`,
    DAMAGED_HINT,
  );
}

const DAMAGED_HINT = 'Remove it: later switches are then delivered, but no earlier ones.';

/** The caller must hold the lock. */
export async function replaceWebhookState(
  { webhook }: DataDirectory,
  state: WebhookState,
): Promise<void> {
  await replaceDurably(webhook.state, `${JSON.stringify(state)}\n`);
}

export function newWebhookState(told: number): WebhookState {
  return { format: 1, id: randomBytes(8).toString('hex'), told };
}
