// @module-tag slow

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { expect, test } from 'vitest';
import { openGrpcClient } from '../edge/grpc/grpc-client.ts';
import { SHOPS } from '../edge/shops.ts';
import { createTestData } from '../edge/test-data.ts';
import { ENTRY_POINT, runCommand } from './run-command.ts';
import { startService } from './start-service.ts';

const HOW_TO = readFileSync(
  fileURLToPath(new URL('../../../../docs/how-to/back-up-and-restore.md', import.meta.url)),
  'utf8',
);

/** The blocks of commands in a section of the how-to. */
function blocksOf(heading: string): readonly string[] {
  const [, section = ''] = HOW_TO.split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
}

/** Runs the commands as written, without the package manager. */
async function walk(heading: string, data: string, backup: string): Promise<void> {
  const blocks = blocksOf(heading);
  expect(blocks.length).toBeGreaterThan(0);
  const command = `"${process.execPath}" "${ENTRY_POINT}"`;
  for (const block of blocks) {
    const script = block.replaceAll('npx locmetrics', command);
    await promisify(execFile)('bash', ['-e', '-u', '-c', script], {
      env: { ...process.env, LOCMETRICS_DATA: data, BACKUP: backup },
    });
  }
}

test('a backup is restored as the how-to says, beside a running service and on another machine', async () => {
  const data = await createTestData();
  await data.publishFiles(SHOPS);
  data.store.close();
  const { root } = data.directory;
  const backup = await data.folder('backup');
  const run = (...given: readonly string[]) => runCommand([...given, '--data', root]);
  const tokenOf = async (name: string) =>
    JSON.parse((await run('token', 'create', '--org', 'acme', '--name', name, '--json')).data);
  const serve = async (directory: string) => {
    const flags = ['--grpc-plaintext', '127.0.0.1:0', '--workers', '2'];
    const serving = await startService(directory, flags);
    return { serving, url: serving.url, grpc: serving.addressOf('grpc') };
  };
  const listOf = async (url: string, token: string, pageToken = '') => {
    const answer = await fetch(`${url}/v3/catalog/listRecords`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      body: JSON.stringify({ dataReferenceName: 'shop.codes', pageSize: 1, pageToken }),
    });
    return { ...Object(await answer.json()), status: answer.status };
  };
  const usageOf = async (url: string) => {
    const headers = { authorization: `Bearer ${data.token}` };
    return Object(await (await fetch(`${url}/v1/usage`, { headers })).json()).total.requests;
  };

  const revoked = await tokenOf('revoked after the backup');
  const { serving, url, grpc } = await serve(root);
  const { nextPageToken } = await listOf(url, data.token);
  await walk('Back up', root, backup);
  const copied = ['control.sqlite', 'current.json', 'usage.sqlite', 'versions'];
  expect(readdirSync(backup).sort()).toEqual(copied);
  expect(statSync(join(backup, 'control.sqlite')).mode & 0o777).toBe(0o600);
  await run('token', 'revoke', revoked.tokenId);
  const created = await tokenOf('made after the backup');
  expect((await listOf(url, revoked.token)).reason).toBe('TOKEN_INVALID');
  expect((await listOf(url, created.token)).status).toBe(200);
  expect(await usageOf(url)).toBe(2);

  await walk('Restore tokens and grants while the service runs', root, backup);
  // The next requests to every worker and both edges. A worker may still be switching.
  const accepted = await Promise.all([...Array(8)].map(() => listOf(url, revoked.token)));
  const refused = await Promise.all([...Array(8)].map(() => listOf(url, created.token)));
  expect([...new Set(accepted.map(({ status, reason }) => reason ?? status))].sort()).not.toContain(
    'TOKEN_INVALID',
  );
  expect(refused.map(({ status }) => status)).not.toContain(200);
  await expect.poll(async () => (await listOf(url, revoked.token)).status).toBe(200);
  expect((await listOf(url, created.token)).reason).toBe('TOKEN_INVALID');
  const { listRecords } = catalogV3.CatalogQuery.method;
  const clientOf = (token: string) => openGrpcClient(grpc, { token });
  const [again, gone] = [clientOf(revoked.token), clientOf(created.token)];
  const request = { dataReferenceName: 'shop.codes' };
  expect((await again.ask(listRecords, request)).message.totalSize).toBeGreaterThan(0n);
  expect((await gone.refusal(listRecords, request)).reason).toBe('TOKEN_INVALID');
  again.close();
  gone.close();
  expect((await listOf(url, data.token, nextPageToken)).status).toBe(200);
  const before = await runCommand(['audit', '--data', join(backup, 'before')]);
  expect(before.data).toMatch(/token\.revoke.*\n/);
  expect(statSync(data.directory.control).mode & 0o777).toBe(0o600);

  const used = await usageOf(url);
  await walk('Restore usage while the service runs', root, backup);
  await listOf(url, data.token);
  await expect.poll(async () => usageOf(url)).toBeGreaterThan(0);
  // Records that are still in `usage/` are merged again, each once.
  expect(await usageOf(url)).toBeLessThanOrEqual(used + 1);

  // Without the file, every request is refused until the file is back; no new file is created.
  const missing = join(root, 'control.sqlite');
  await promisify(execFile)('mv', [missing, `${missing}.away`]);
  expect(await listOf(url, data.token)).toMatchObject({
    status: 503,
    reason: 'CONTROL_STORE_UNUSABLE',
    detail: 'The control store cannot be used: its file is missing.',
  });
  const ready = async () => {
    const answer = await fetch(`${url}/readyz`);
    return [answer.status, Object(await answer.json()).detail];
  };
  await expect
    .poll(ready)
    .toEqual([
      503,
      'Not answering: the control store. The control store cannot be used: its file is missing.',
    ]);
  expect(readdirSync(root)).not.toContain('control.sqlite');
  await promisify(execFile)('mv', [`${missing}.away`, missing]);
  expect((await listOf(url, data.token)).status).toBe(200);
  serving.kill('SIGTERM');
  expect((await serving.ended).code).toBe(0);

  const elsewhere = join(root, '..', 'elsewhere');
  await walk('Restore everything', elsewhere, backup);
  const other = await serve(elsewhere);
  expect((await listOf(other.url, data.token, nextPageToken)).status).toBe(200);
  expect((await listOf(other.url, revoked.token)).status).toBe(200);
  expect((await listOf(other.url, created.token)).reason).toBe('TOKEN_INVALID');
  expect(await usageOf(other.url)).toBe(3);
  other.serving.kill('SIGTERM');
  await other.serving.ended;
  await rm(elsewhere, { recursive: true });
  await data.remove();
});
