import { createHmac } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { type Delivery, deliverSwitches } from '@locmetrics/cluster/webhook/deliver-switches';
import { type OpenWebhook, openWebhook } from '@locmetrics/cluster/webhook/open-webhook';
import { startDelivery } from '@locmetrics/cluster/webhook/start-delivery';
import { NOTHING_CURRENT } from '@locmetrics/data-directory/versions/current-file';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import { switchTo, withdraw } from '@locmetrics/data-directory/versions/switch-versions';
import type { Observation } from '@locmetrics/server/observe/observation';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { changeCurrent } from '../versions/change-current.ts';
import { answerWith, openReceiver, type Receiver, SECRET } from './webhook-receiver.ts';

const QUICK = {
  retryMinMs: 20,
  retryMaxMs: 50,
  /** It is read after each look. */
  get pollEveryMs() {
    looks += 1;
    return 10;
  },
};
let looks = 0;
const HOUR_MS = 3_600_000;

let directory: DataDirectory;
let observed: Observation[];
const opened: OpenWebhook[] = [];

beforeEach(async () => {
  directory = dataDirectory(temporaryFolder());
  observed = [];
});

afterEach(async () => {
  for (const webhook of opened.splice(0)) await webhook.close();
});

/** Makes the next version of a dataset current. */
async function makeSwitch(now = Date.now()): Promise<void> {
  await changeCurrent(directory, (current) =>
    switchTo(current, new Map([['shop.stores', `v${current.lastSwitch + 1}`]]), {
      by: 'publish',
      now,
    }),
  );
}

function deliver(
  { url }: Pick<Receiver, 'url'>,
  options: { readonly timeoutMs?: number; readonly now?: number } = {},
): Promise<Delivery> {
  return deliverSwitches({
    directory,
    webhook: { url, secret: SECRET },
    clock: () => options.now ?? Date.now(),
    observe: (observation) => observed.push(observation),
    signal: new AbortController().signal,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  });
}

function open({ url }: Pick<Receiver, 'url'>, timeoutMs = HOUR_MS): OpenWebhook {
  const webhook = openWebhook({
    directory,
    webhook: { url, secret: SECRET },
    clock: Date.now,
    observe: (observation) => observed.push(observation),
    timeoutMs,
    pace: QUICK,
    random: () => 0,
  });
  opened.push(webhook);
  return webhook;
}

test('a switch is sent as a signed message of Standard Webhooks, with only names', async () => {
  const receiver = await openReceiver();
  await startDelivery(directory, 0);
  await makeSwitch();
  await changeCurrent(directory, (current) =>
    withdraw(
      switchTo(current, new Map([['shop.codes', 'c1']]), { by: 'publish', now: Date.now() }),
      { datasetName: 'shop.stores', version: 'v1' },
      { replacement: 'v0', now: Date.now() },
    ),
  );
  expect(await deliver(receiver)).toEqual({ kind: 'done' });
  expect(receiver.received.map(({ message }) => message)).toEqual([
    {
      type: 'versions.switched',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        switch: 1,
        by: 'publish',
        datasets: [{ dataset: 'shop.stores', before: null, version: 'v1' }],
        withdrawn: [],
        removed: [],
      },
    },
    expect.objectContaining({
      data: {
        switch: 2,
        by: 'publish',
        datasets: [{ dataset: 'shop.codes', before: null, version: 'c1' }],
        withdrawn: [],
        removed: [],
      },
    }),
    expect.objectContaining({
      data: {
        switch: 3,
        by: 'withdrawal',
        datasets: [{ dataset: 'shop.stores', before: 'v1', version: 'v0' }],
        withdrawn: [{ dataset: 'shop.stores', version: 'v1' }],
        removed: [],
      },
    }),
  ]);
  const [first] = receiver.received;
  expect(first?.headers['content-type']).toBe('application/json');
  // The check follows the specification, without the library.
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = first?.headers ?? {};
  const signature = createHmac('sha256', 'locmetrics under test, 32 bytes.')
    .update(`${id}.${timestamp}.${first?.body}`)
    .digest('base64');
  expect(first?.headers['webhook-signature']).toBe(`v1,${signature}`);
  const other = new Webhook(Buffer.alloc(32).toString('base64'));
  const headers = { ...first?.headers } as Record<string, string>;
  expect(() => other.verify(first?.body ?? '', headers)).toThrow('No matching signature');
});

test('an accepted switch is not sent again', async () => {
  const receiver = await openReceiver();
  await startDelivery(directory, 0);
  await makeSwitch();
  await deliver(receiver);
  await makeSwitch();
  await deliver(receiver);
  await deliver(receiver);
  expect(receiver.switches()).toEqual([1, 2]);
  expect(observed).toEqual([
    { kind: 'webhook_told', switch: 1 },
    { kind: 'webhook_told', switch: 2 },
  ]);
});

test('a new webhook gets the switches from then on', async () => {
  const receiver = await openReceiver();
  await makeSwitch();
  await deliver(receiver);
  await makeSwitch();
  await deliver(receiver);
  expect(receiver.switches()).toEqual([2]);
});

test('a refused switch is sent again with the same id, before the next one', async () => {
  const receiver = await openReceiver(answerWith(500, 503, 204));
  await startDelivery(directory, 0);
  await makeSwitch();
  await makeSwitch();
  open(receiver);
  await receiver.untilReceived(4);
  expect(receiver.switches()).toEqual([1, 1, 1, 2]);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(2);
  expect(observed.slice(0, 3)).toEqual([
    { kind: 'webhook_failed', switch: 1, reason: 'answered 500', retryMs: 20 },
    { kind: 'webhook_failed', switch: 1, reason: 'answered 503', retryMs: 40 },
    { kind: 'webhook_told', switch: 1 },
  ]);
});

test('a switch is sent again if the receiver does not answer', async () => {
  const receiver = await openReceiver((response, index) => {
    if (index > 0) response.writeHead(200).end('thanks');
  });
  await startDelivery(directory, 0);
  await makeSwitch();
  open(receiver, 100);
  await receiver.untilReceived(2);
  expect(receiver.switches()).toEqual([1, 1]);
  expect(observed[0]).toMatchObject({ kind: 'webhook_failed', reason: 'did not answer in time' });
});

test('a delivery to a receiver that does not answer ends when the webhook is closed', async () => {
  const silent = await openReceiver(() => {});
  await startDelivery(directory, 0);
  await makeSwitch();
  const webhook = open(silent);
  await silent.untilReceived(1);
  await webhook.close();
  expect(observed).toEqual([]);
});

test('a switch is sent again if the receiver is not reachable, and the reason is reported', async () => {
  await startDelivery(directory, 0);
  await makeSwitch();
  expect(await deliver({ url: 'http://127.0.0.1:1/' })).toMatchObject({
    kind: 'failed',
    switch: 1,
    reason: expect.stringMatching(/^cannot be reached \((ECONNREFUSED|bad port)\)$/),
  });
});

test('a redirect is not followed', async () => {
  const target = await openReceiver();
  const receiver = await openReceiver((response) => {
    response.writeHead(307, { location: target.url }).end();
  });
  await startDelivery(directory, 0);
  await makeSwitch();
  expect(await deliver(receiver)).toEqual({
    kind: 'failed',
    switch: 1,
    reason: 'answered 307, and redirects are not followed',
  });
  expect(target.received).toEqual([]);
});

test('after the answer 410 that switch is not sent again, but the next one is', async () => {
  const receiver = await openReceiver(answerWith(410, 204));
  await startDelivery(directory, 0);
  await makeSwitch();
  await makeSwitch();
  expect(await deliver(receiver)).toEqual({ kind: 'done' });
  expect(receiver.switches()).toEqual([1, 2]);
  expect(observed).toEqual([
    { kind: 'webhook_given_up', switch: 1, reason: 'answered 410' },
    { kind: 'webhook_told', switch: 2 },
  ]);
});

test('a switch is no longer sent a day after it was made', async () => {
  const receiver = await openReceiver(answerWith(500));
  await startDelivery(directory, 0);
  const now = Date.now();
  await makeSwitch(now - 24 * 3_600_000);
  expect(await deliver(receiver, { now })).toMatchObject({ kind: 'failed' });
  expect(await deliver(receiver, { now: now + 1 })).toEqual({ kind: 'done' });
  expect(receiver.switches()).toEqual([1]);
  expect(observed).toEqual([
    { kind: 'webhook_given_up', switch: 1, reason: 'did not accept it within 24 hours' },
  ]);
});

test('two simultaneous deliveries send every switch once, in order', async () => {
  const receiver = await openReceiver();
  await startDelivery(directory, 0);
  open(receiver);
  open(receiver);
  for (let count = 0; count < 20; count += 1) await makeSwitch();
  await expect.poll(() => observed.length).toBe(20);
  for (const webhook of opened.splice(0)) await webhook.close();
  expect(receiver.switches()).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  expect(await deliver(receiver)).toEqual({ kind: 'done' });
  expect(receiver.received).toHaveLength(20);
});

test('a switch that is made during the delivery of another is sent too', async () => {
  const receiver = await openReceiver((response, index) => {
    // The first answer is sent after the second switch is made.
    const answering = index === 0 ? makeSwitch() : Promise.resolve();
    void answering.then(() => response.writeHead(204).end());
  });
  await startDelivery(directory, 0);
  await makeSwitch();
  open(receiver);
  await receiver.untilReceived(2);
  expect(receiver.switches()).toEqual([1, 2]);
});

test('after a new start of the data directory, switches are sent from the first on, with new ids', async () => {
  const receiver = await openReceiver();
  await startDelivery(directory, 0);
  await makeSwitch();
  await makeSwitch();
  await deliver(receiver);
  await changeCurrent(directory, () => NOTHING_CURRENT);
  await makeSwitch();
  await deliver(receiver);
  expect(receiver.switches()).toEqual([1, 2, 1]);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(3);
});

test('a damaged state is reported once, and delivery continues as soon as it is removed', async () => {
  const receiver = await openReceiver();
  await writeFile(directory.webhook.state, '{"format": 1, "told": ');
  await makeSwitch();
  open(receiver);
  await expect.poll(() => observed.length).toBe(1);
  const before = looks;
  await expect.poll(() => looks).toBeGreaterThan(before + 3);
  expect(observed).toEqual([{ kind: 'webhook_unusable', error: expect.any(Error) }]);
  await rm(directory.webhook.state);
  await expect.poll(() => readFile(directory.webhook.state, 'utf8').catch(() => '')).toContain('1');
  await makeSwitch();
  await receiver.untilReceived(1);
  expect(receiver.switches()).toEqual([2]);
});

test('no observation and no file contains the secret', async () => {
  const receiver = await openReceiver(answerWith(500, 410, 204));
  await startDelivery(directory, 0);
  await makeSwitch();
  await makeSwitch();
  open(receiver);
  await receiver.untilReceived(3);
  await expect.poll(() => observed.length).toBe(3);
  const kept = await readFile(directory.webhook.state, 'utf8');
  const said = JSON.stringify(observed) + kept;
  expect(said).not.toContain(SECRET.slice('whsec_'.length, -4));
  expect(said).not.toContain('locmetrics under test');
});
