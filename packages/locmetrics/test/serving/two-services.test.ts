import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../commands/run-command.ts';
import { startService } from '../commands/start-service.ts';
import { SHOPS } from '../edge/shops.ts';
import { createTestData, ORGANISATION_ID, type TestData } from '../edge/test-data.ts';
import { isRunning, workersOf } from '../soak/process-tree.ts';

let data: TestData;
beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
});
afterAll(async () => {
  await data.remove();
});

const serve = () => startService(data.directory.root, ['--workers', '2']);

async function listCodes(url: string, token: string): Promise<number> {
  const answer = await fetch(`${url}/v3/catalog/listRecords`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ dataReferenceName: 'shop.codes' }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

test('a data directory has one service: a second one is refused with the process of the first, commands are not', {
  tags: 'slow',
}, async () => {
  const { pid, url } = await serve();
  const given = ['--data', data.directory.root, '--http', '127.0.0.1:0', '--grpc', 'off'];
  const refused = await runCommand(['serve', ...given]);
  expect([refused.code, refused.data]).toEqual([1, '']);
  const [message, hint] = refused.messages.split('\n');
  expect(message?.replace(/since [^,]+,/, 'since TIME,')).toBe(
    `${data.directory.root} is already being served, by the process ${pid} on ${hostname()} since TIME, at ${url}.`,
  );
  expect(hint).toBe(
    'Stop that service first, or name another directory with --data: only one service can count the limits of organisations.',
  );
  // Commands that change tokens, grants and versions run beside the service, and it sees the changes.
  const at = ['--data', data.directory.root];
  const created = await runCommand([
    'token',
    'create',
    '--org',
    ORGANISATION_ID,
    '--name',
    'x',
    ...at,
  ]);
  const token = created.data.trim();
  expect(await listCodes(url, token)).toBe(200);
  await data.publishFiles(SHOPS, '2024-01-02T00:00:00.000Z');
  const beside = await Promise.all([
    runCommand(['grant', 'add', ORGANISATION_ID, 'shop.*', ...at]),
    runCommand(['rollback', 'shop.codes', ...at]),
    runCommand(['usage', ...at]),
  ]);
  expect(beside.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect((await runCommand(['token', 'revoke', token, ...at])).code).toBe(0);
  expect(await listCodes(url, token)).toBe(401);
});

test('a service starts at once after another was killed; the workers of the killed one end with it', {
  tags: 'slow',
}, async () => {
  const killed = await serve();
  const workers = workersOf(killed.pid);
  expect(workers).toHaveLength(2);
  killed.kill('SIGKILL');
  const next = await serve();
  expect(await listCodes(next.url, data.token)).toBe(200);
  await expect.poll(() => workers.filter(isRunning)).toEqual([]);
  next.kill('SIGTERM');
  expect((await next.ended).code).toBe(0);
  // No file names a holder of the directory any more.
  expect(existsSync(data.directory.serving.holder)).toBe(false);
});
