import { createHmac } from 'node:crypto';

/**
 * The headers of Standard Webhooks 1.0.0. With them a receiver verifies the sender and the time of a body,
 * and detects duplicates.
 */
export function signMessage({
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
