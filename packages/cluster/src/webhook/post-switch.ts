import { createHmac } from 'node:crypto';
import type { Switch } from '@locmetrics/data-directory/versions/switch-versions';

/** The address for switches, and the secret that signs the messages. */
export type Webhook = { readonly url: string; readonly secret: string };

export type Answer =
  | { readonly isAccepted: true }
  | {
      readonly isAccepted: false;
      /** Continues the sentence `the webhook …`. */
      readonly reason: string;
      /** Whether it will never be accepted. */
      readonly isFinal: boolean;
    };

const ANSWER_TIMEOUT_MS = 10_000;

/** Sends one switch to the webhook, once. Only the status of the answer is used. */
export async function postSwitch(
  { url, secret }: Webhook,
  {
    id,
    switched,
    nowMs,
    timeoutMs = ANSWER_TIMEOUT_MS,
    signal,
  }: {
    readonly id: string;
    readonly switched: Switch;
    readonly nowMs: number;
    readonly timeoutMs?: number | undefined;
    readonly signal: AbortSignal;
  },
): Promise<Answer> {
  const body = JSON.stringify(toMessage(switched));
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'locmetrics',
        ...signMessage({ id, body, secret, nowMs }),
      },
      body,
      // Only the configured address is trusted with the message.
      redirect: 'manual',
      signal: AbortSignal.any([timeout, signal]),
    });
    await response.body?.cancel();
    if (response.ok) return { isAccepted: true };
    return {
      isAccepted: false,
      reason: `answered ${response.status}${isRedirect(response.status) ? ', and redirects are not followed' : ''}`,
      isFinal: response.status === GONE,
    };
  } catch (error) {
    const isLate = timeout.aborted || signal.aborted;
    const reason = isLate ? 'did not answer in time' : `cannot be reached (${causeOf(error)})`;
    return { isAccepted: false, reason, isFinal: false };
  }
}

/** The receiver does not want further messages. */
const GONE = 410;

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** The member names of Standard Webhooks. The message contains only names, no rows. */
function toMessage({ number, time, by, datasets, withdrawn, removed }: Switch) {
  return {
    type: 'versions.switched',
    timestamp: time,
    data: { switch: number, by, datasets, withdrawn, removed },
  };
}

/** The error of the system, such as ECONNREFUSED, because `fetch failed` alone does not help. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return 'for an unknown reason';
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}

/**
 * The headers of Standard Webhooks 1.0.0. With them a receiver verifies the sender and the time of a body,
 * and detects duplicates.
 */
function signMessage({
  id,
  body,
  secret,
  nowMs,
}: {
  /** The same for every attempt to send the body. */
  readonly id: string;
  readonly body: string;
  /** `whsec_` and the key in base64. */
  readonly secret: string;
  readonly nowMs: number;
}): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
