// @module-tag slow

import { expect, test } from 'vitest';
import { runCommand } from '../commands/run-command.ts';
import { startService } from '../commands/start-service.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';

const inFolder = useTemporaryFolder();

/** The status of a scrape without a token, with a token of other scopes, and with one of the scope operate. */
async function scrape(metricsHost: string): Promise<readonly unknown[]> {
  const data = ['--data', inFolder('data')];
  await runCommand(['org', 'create', 'Operations', '--id', 'operations', ...data]);
  const create = async (scopes: string): Promise<string> => {
    const given = ['token', 'create', '--org', 'operations', '--name', 'x', '--scope', scopes];
    return (await runCommand([...given, ...data])).data.trim();
  };
  const [other, operate] = [await create('catalog,metrics,usage,admin'), await create('operate')];
  const { metricsUrl: url } = await startService(inFolder('data'), [
    ...['--metrics', `${metricsHost}:0`, '--allow-plaintext'],
  ]);
  const statusOf = async (path: string, token?: string): Promise<unknown> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}${path}`, { headers });
    await answer.arrayBuffer();
    return [answer.status, answer.headers.get('www-authenticate')];
  };
  return [
    await statusOf('/metrics'),
    await statusOf('/metrics', other),
    await statusOf('/metrics', operate),
    await statusOf('/livez'),
  ];
}

test('a metrics listener beyond this machine needs a token of the scope operate', {
  tags: 'slow',
}, async () => {
  // Another form of 127.0.0.1, which does not count as loopback.
  expect(await scrape('0x7f000001')).toEqual([
    [401, 'Bearer realm="locmetrics"'],
    [403, 'Bearer realm="locmetrics", error="insufficient_scope", scope="operate"'],
    [200, null],
    [200, null],
  ]);
});

test('a metrics listener on loopback needs no token', async () => {
  const answered = [200, null];
  expect(await scrape('127.0.0.1')).toEqual([answered, answered, answered, answered]);
});
