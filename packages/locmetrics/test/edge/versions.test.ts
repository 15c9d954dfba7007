import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rollBack, withdrawVersion } from '@locmetrics/ingest/publish/roll-back';
import { expect, test } from 'vitest';
import { runCommand } from '../commands/run-command.ts';
import { SHOPS } from './shops.ts';
import { openTestServer, problemOf, useTestServer } from './test-server.ts';

const { data, post } = useTestServer((to) => to.publishFiles(SHOPS, '2024-01-01T10:00:00.000Z'));

const CODES = { dataReferenceName: 'shop.codes', fields: ['label'], pageSize: 1 };

async function publishLabels(first: string, second: string, at: string): Promise<void> {
  const codes = `code,label\n01,${first}\n02,${second}\n`;
  await data().publishFiles({ ...SHOPS, 'codes.csv': codes }, at, 'shop.codes');
}

/** Publishes other codes with the manifest written by `publishFiles`. */
async function publishCodesInAnotherProcess(codes: string): Promise<void> {
  const folder = await data().folder('sources');
  await writeFile(join(folder, 'codes.csv'), codes);
  const manifest = join(folder, 'locmetrics.yaml');
  const { code, messages } = await runCommand([
    'publish',
    manifest,
    'shop.codes',
    '--data',
    data().directory.root,
  ]);
  expect([code, messages]).toEqual([
    0,
    'shop.codes: reading\nshop.codes: checking\nshop.codes: writing\n',
  ]);
}

test('pages of distinct values also stay on the version of the first page', async () => {
  await publishLabels('a', 'b', '2024-01-03T10:00:00.000Z');
  const request = { dataReferenceName: 'shop.codes', field: 'label', pageSize: 1 };
  const began = await post('searchFieldValues', request);
  await publishLabels('x', 'y', '2024-01-04T10:00:00.000Z');
  const next = await post('searchFieldValues', { ...request, pageToken: began.body.nextPageToken });
  expect(next.body).toMatchObject({ values: ['b'], version: began.body.version });
});

test('asOf selects a version by its name or by a day at whose end it was current', async () => {
  await publishLabels('p', 'q', '2024-02-01T10:00:00.000Z');
  const old = await post('listRecords', CODES);
  await publishLabels('r', 's', '2024-02-03T23:59:59.999Z');
  const labels = [
    await post('listRecords', { ...CODES, asOf: old.body.version }),
    await post('listRecords', { ...CODES, as_of: '2024-02-01' }),
    await post('listRecords', { ...CODES, asOf: '2024-02-02' }),
    await post('listRecords', { ...CODES, asOf: '2024-02-03' }),
    await post('listRecords', { ...CODES, asOf: '2999-01-01' }),
  ].map(({ body }) => body.records[0]?.fields['label']);
  expect(labels).toEqual(['p', 'p', 'p', 'r', 'r']);
});

test.each(['../../control.sqlite', '..', '20240101T100000000Z-ZZZZZZZZZZZZ', 'latest'])(
  'asOf %j is not a version',
  async (asOf) => {
    expect(await problemOf(post('listRecords', { ...CODES, asOf }))).toMatchObject({
      reason: 'INVALID_AS_OF',
      errors: [{ pointer: '/asOf' }],
    });
  },
);

test('a version of another dataset is not found', async () => {
  const { body } = await post('listRecords', { dataReferenceName: 'shop.stores' });
  expect(await problemOf(post('listRecords', { ...CODES, asOf: body.version }))).toMatchObject({
    reason: 'VERSION_NOT_FOUND',
  });
});

test('a page token has expired if its version is removed', async () => {
  await publishLabels('k', 'l', '2024-03-01T10:00:00.000Z');
  const began = await post('listRecords', CODES);
  for (const day of ['02', '03', '04']) {
    await publishLabels('m', day, `2024-03-${day}T10:00:00.000Z`);
  }
  const server = await openTestServer(data());
  const request = { ...CODES, pageToken: began.body.nextPageToken };
  expect(await problemOf(server.post('listRecords', request))).toMatchInlineSnapshot(`
    {
      "code": "FAILED_PRECONDITION",
      "detail": "The page token has expired: the data version on which its pages began is gone.",
      "hint": "Send the request without a page token to start again on the current data.",
      "http": "400 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listRecords",
      "reason": "PAGE_TOKEN_EXPIRED",
      "requestId": "request-1",
      "status": 400,
      "title": "The page token has expired",
      "type": "urn:locmetrics:problem:PAGE_TOKEN_EXPIRED",
      "x-request-id": "request-1",
    }
  `);
  await server.close();
});

test('a page token still works in a server that opened the version before its removal', async () => {
  await publishLabels('k', 'l', '2024-04-01T10:00:00.000Z');
  const began = await post('listRecords', CODES);
  await rm(data().directory.version('shop.codes', began.body.version), { recursive: true });
  const next = await post('listRecords', { ...CODES, pageToken: began.body.nextPageToken });
  expect(next.body.records).toEqual([{ fields: { label: 'l' } }]);
});

test('the page tokens of a withdrawn version expire, and asOf refuses it', async () => {
  await publishLabels('k', 'l', '2024-05-01T10:00:00.000Z');
  const began = await post('listRecords', CODES);
  const { version } = began.body;
  await publishLabels('m', 'n', '2024-05-02T10:00:00.000Z');
  const asOf = { ...CODES, asOf: version };
  expect((await post('listRecords', asOf)).body.records).toEqual([{ fields: { label: 'k' } }]);
  const { directory } = data();
  await withdrawVersion({
    directory,
    version,
    clock: () => Date.parse('2024-05-03T10:00:00.000Z'),
  });
  const next = { ...CODES, pageToken: began.body.nextPageToken };
  expect(await problemOf(post('listRecords', next))).toMatchObject({
    reason: 'PAGE_TOKEN_EXPIRED',
  });
  for (const withdrawn of [version, '2024-05-01']) {
    const asked = post('listRecords', { ...CODES, asOf: withdrawn });
    expect(await problemOf(asked)).toMatchObject({ reason: 'VERSION_NOT_FOUND' });
  }
  // The data still exist, but requests cannot query them.
  expect(existsSync(directory.version('shop.codes', version))).toBe(true);
  const anew = await post('listRecords', CODES);
  expect(anew.body.records).toEqual([{ fields: { label: 'm' } }]);
});

test('new requests see a rollback, and asOf follows the history of each day', async () => {
  await publishLabels('a', 'b', '2024-06-01T10:00:00.000Z');
  const before = await post('listRecords', CODES);
  await publishLabels('c', 'd', '2024-06-02T10:00:00.000Z');
  const began = await post('listRecords', CODES);
  await rollBack({
    directory: data().directory,
    datasetName: 'shop.codes',
    version: undefined,
    isTogether: false,
    clock: () => Date.parse('2024-06-03T10:00:00.000Z'),
  });
  const anew = await post('listRecords', CODES);
  expect(anew.body.version).toBe(before.body.version);
  const next = await post('listRecords', { ...CODES, pageToken: began.body.nextPageToken });
  expect(next.body.records).toEqual([{ fields: { label: 'd' } }]);
  const labels = ['2024-06-01', '2024-06-02', '2024-06-03'].map(async (asOf) => {
    const { body } = await post('listRecords', { ...CODES, asOf });
    return body.records[0]?.fields['label'];
  });
  expect(await Promise.all(labels)).toEqual(['a', 'c', 'a']);
});

// This test publishes with the real clock, so it is the last one.
test('pages stay on the version of the first page while another process publishes, and new requests see the new version', async () => {
  await publishLabels('one', 'two', '2024-01-02T10:00:00.000Z');
  const began = await post('listRecords', CODES);
  await publishCodesInAnotherProcess('code,label\n01,uno\n02,due\n03,tre\n');

  const next = await post('listRecords', { ...CODES, pageToken: began.body.nextPageToken });
  expect(next.body.records).toEqual([{ fields: { label: 'two' } }]);
  expect([next.body.version, next.body.totalSize]).toEqual([began.body.version, 2]);

  const anew = await post('listRecords', CODES);
  expect(anew.body.records).toEqual([{ fields: { label: 'uno' } }]);
  expect(anew.body.totalSize).toBe(3);
  expect(anew.body.version).not.toBe(began.body.version);
});
