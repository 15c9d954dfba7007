import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { serveLocally } from '../support/listen-locally.ts';

export const SECRET = `whsec_${Buffer.from('locmetrics under test, 32 bytes.').toString('base64')}`;

export type Received = {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body as the library of Standard Webhooks returns it after it verified the signature. */
  readonly message: unknown;
};

export type Receiver = {
  readonly url: string;
  readonly received: readonly Received[];
  /** The numbers of the received switches, in order. */
  readonly switches: () => readonly number[];
  /** Waits until this number of requests has arrived. */
  readonly untilReceived: (count: number) => Promise<void>;
};

/** Answers the request with a number, counted from 0, or does not answer it. */
export type Answering = (response: ServerResponse, index: number) => void;

export const answerWith =
  (...statuses: readonly number[]): Answering =>
  (response, index) => {
    response.writeHead(statuses[index] ?? statuses.at(-1) ?? 204).end();
  };

/** Opens a receiver of a webhook on a free port, until the test ends. */
export async function openReceiver(answer = answerWith(204)): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const { url } = await serveLocally((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const message = new Webhook(SECRET).verify(body, headers);
      const id = headers['webhook-id'] ?? '';
      answer(response, received.push({ id, headers: request.headers, body, message }) - 1);
      for (const look of waiting) look();
    });
  });
  return {
    url: `${url}/switches`,
    received,
    switches: () => received.map(({ body }) => JSON.parse(body).data.switch),
    untilReceived: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (received.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
