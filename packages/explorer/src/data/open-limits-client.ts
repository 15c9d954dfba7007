import { type Client, createClient } from '@locmetrics/client';
import { SERVICE_URL, type Session } from '../session/session.ts';
import { type LimitLeft, readLimitsLeft } from './limits-left.ts';

/** A client that also tells how much of the limits is left. */
export type LimitsClient = {
  readonly client: Client;
  /** The remaining limits of the organisation, from its last answer. */
  readonly readLimits: (signal: AbortSignal) => Promise<readonly LimitLeft[]>;
};

/** A client returns the bodies of answers. What is left of the limits is in their headers. */
export function openLimitsClient({
  token,
  caller,
}: Pick<Session, 'token' | 'caller'>): LimitsClient {
  let headers = new Headers();
  const client = createClient({
    url: SERVICE_URL,
    token,
    billingContext: caller.organisationId,
    fetch: async (address, init) => {
      const answer = await fetch(address, init);
      headers = answer.headers;
      return answer;
    },
  });
  return {
    client,
    async readLimits(signal) {
      const last = headers;
      const { limits } = await client.getCaller({ signal });
      return readLimitsLeft(limits, last);
    },
  };
}
