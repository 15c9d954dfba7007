import { type Client, createClient } from '@locmetrics/client';
import { PURPOSE } from '../session/looking.ts';
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
      // So that the answer also says what is left to look at. It costs no rows.
      const asked = new Headers(init?.headers);
      asked.set(...PURPOSE);
      const answer = await fetch(address, { ...init, headers: asked });
      headers = answer.headers;
      return answer;
    },
  });
  return {
    client,
    async readLimits(signal) {
      const last = headers;
      return readLimitsLeft(await client.getCaller({ signal }), last);
    },
  };
}
