import { createHmac } from 'node:crypto';

/**
 * The headers by which a receiver knows who sent a body, when, and whether it has had it already, as the
 * specification of Standard Webhooks 1.0.0 wants them.
 */
export function signMessage({
  id,
  body,
  secret,
  nowMs,
}: {
  /** The same for each time that a body is sent. */
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
