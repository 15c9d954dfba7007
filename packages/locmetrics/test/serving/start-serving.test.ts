// @module-tag slow

import { connect, createServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linesOf, type RunningCommand, startCommand } from '../commands/run-command.ts';
import { SHOPS } from '../edge/shops.ts';
import { createTestData, type TestData } from '../edge/test-data.ts';
import { freePort, listenLocally } from '../support/listen-locally.ts';

let data: TestData;
beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
});
afterAll(() => data.remove());

/** After the first answer, so many more attempts show that the port does not close again. */
const ANSWERS = 20;

test('a starting service refuses connections until it answers, and resets none', {
  tags: 'slow',
  timeout: 600_000,
}, async () => {
  const [http, grpc, metrics] = [await freePort(), await freePort(), await freePort()];
  const running = startCommand([
    'serve',
    ...['--http', `127.0.0.1:${http}`, '--grpc', `127.0.0.1:${grpc}`],
    ...['--metrics', `127.0.0.1:${metrics}`],
    ...['--data', data.directory.root, '--workers', '2', '--access-log', 'off'],
  ]);
  const outcomes = await Promise.all([
    untilAnswered(running, () => askLive(http)),
    untilAnswered(running, () => shakeHands(grpc)),
    untilAnswered(running, () => askLive(metrics)),
  ]);
  for (const seen of outcomes) {
    expect([...seen.keys()]).toEqual(['ECONNREFUSED', 'answered']);
  }
});

test('a service whose port is used ends with a message, and with its workers', async () => {
  const { port } = await listenLocally(createServer());
  const running = startCommand([
    'serve',
    ...['--http', '127.0.0.1:0', '--grpc', `127.0.0.1:${port}`],
    ...['--data', data.directory.root, '--workers', '2', '--access-log', 'off'],
  ]);
  const { code, messages } = await running.ended;
  expect(code).toBe(1);
  // The workers have started before, each with a line of the log.
  expect(messages.replace(/^(\{.*\}\n)+/, '')).toBe(
    `--grpc: listen EADDRINUSE: address already in use 127.0.0.1:${port}\nAnother program already listens on this address. Choose another address, such as --grpc 127.0.0.1:${port + 1}, or port 0 for a free one.\n`,
  );
  for (const { kind, pid } of linesOf(running)) {
    if (kind === 'worker_started') expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  }
}, 600_000);

/** Each outcome in the order in which it was first seen, with its count. */
async function untilAnswered(
  { child }: RunningCommand,
  attempt: () => Promise<string>,
): Promise<ReadonlyMap<string, number>> {
  const outcomes = new Map<string, number>();
  while ((outcomes.get('answered') ?? 0) < ANSWERS && child.exitCode === null) {
    const outcome = await attempt();
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    await setImmediate();
  }
  return outcomes;
}

function askLive(port: number): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port }).setEncoding('utf8');
  socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  let text = '';
  socket.on('data', (more: string) => {
    text += more;
  });
  return new Promise((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
    socket.once('close', () =>
      resolve(/^HTTP\/1.1 200 .*"live"/s.test(text) ? 'answered' : `closed after '${text}'`),
    );
  });
}

function shakeHands(port: number): Promise<string> {
  const socket = connectTls({
    host: '127.0.0.1',
    port,
    ALPNProtocols: ['h2'],
    rejectUnauthorized: false,
  });
  return new Promise((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
    socket.once('secureConnect', () => {
      socket.destroy();
      resolve('answered');
    });
  });
}
