import { Agent, request } from 'node:http';
import { request as requestOverTls, Agent as TlsAgent } from 'node:https';

export type SoakAnswer = { readonly status: number; readonly text: string };

/**
 * A stopping server closes idle connections, and a client may just have used one. The client then sends the
 * request again (RFC 9112 § 9.3.1).
 */
export const REUSED_CONNECTION_ENDED = 'a kept connection was ended as it was used again';

const TIMEOUT_MS = 20_000;
const agent = new Agent({ keepAlive: true });
const tlsAgents = new Map<string, TlsAgent>();

/** Sends a request over a keep-alive connection. With a body it is a POST. */
export function sendRequest(
  url: string,
  {
    token,
    body,
    authorities = [],
  }: {
    readonly token: string;
    readonly body?: unknown;
    readonly authorities?: readonly string[];
  },
): Promise<SoakAnswer> {
  const isTls = url.startsWith('https:');
  const options = {
    method: body === undefined ? 'GET' : 'POST',
    agent: isTls ? tlsAgent(authorities) : agent,
    timeout: TIMEOUT_MS,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  };
  return new Promise((resolve, reject) => {
    const send = isTls ? requestOverTls : request;
    const sent = send(url, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.once('error', reject);
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.once('error', (error: Error & { readonly code?: string }) => {
      const isRetried = sent.reusedSocket && error.code === 'ECONNRESET';
      reject(isRetried ? new Error(REUSED_CONNECTION_ENDED) : error);
    });
    sent.once('timeout', () => sent.destroy(new Error(`No answer in ${TIMEOUT_MS} ms.`)));
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Clients with other trusted certificates have other connections. Unused connections are closed. */
function tlsAgent(authorities: readonly string[]): TlsAgent {
  const key = authorities.join('\n');
  const known = tlsAgents.get(key);
  if (known !== undefined) return known;
  for (const [other, old] of [...tlsAgents].slice(0, -3)) {
    old.destroy();
    tlsAgents.delete(other);
  }
  const made = new TlsAgent({ keepAlive: true, ca: [...authorities], servername: 'localhost' });
  tlsAgents.set(key, made);
  return made;
}
