import { openSharedExports } from '@locmetrics/cluster/exports/open-shared-exports';
import { openPostgres, type Postgres } from '@locmetrics/cluster/postgres/open-postgres';
import type { ExportStore, NewExport } from '@locmetrics/server/exports/export-store';
import { beforeEach, expect, test } from 'vitest';
import { usePostgres } from '../postgres/use-postgres.ts';
import { releaseLater } from '../support/release.ts';
import { VALUES_TO_EXPORT } from './values-to-export.ts';

const server = usePostgres();
const NOW = Date.parse('2024-01-01T00:00:00.000Z');
let postgres: Postgres;

beforeEach(async () => {
  postgres = openPostgres(await server().createDatabase());
  releaseLater(postgres.close);
});

/** The exports as a node sees them. */
function openNode(name: string, options = {}): ExportStore {
  return openSharedExports({ postgres, node: `http://${name}.example`, ...options });
}

function newExport(id: string, organisationId = 'acme'): NewExport {
  return {
    ...{ id, organisationId, tokenId: 'token', rights: 'all', createdMs: NOW },
    request: {
      kind: 'records',
      dataReferenceName: 'shop.stores',
      asOf: 'v1',
      ...{ fields: [], filters: [], filterLogic: '', billingContext: '', trackTotalHits: false },
      options: { trimToPeriodOfExistence: 'trim' },
    },
    ...{ format: 'csv', filenamePrefix: 'x-', limit: 0, keepMs: undefined, rows: 10 },
  };
}

const FILES = [{ name: 'x-0.csv', sizeBytes: 5, createdMs: NOW, updatedMs: NOW }];
const DONE = { nowMs: NOW, expiresMs: NOW + 1000, rowsWritten: 10, files: FILES };
const PROGRESS = { nowMs: NOW, rowsWritten: 4, rowsCharged: 4, bytes: 2 };

test('an export is of the node that created it; every node finds, lists and removes it', async () => {
  const [first, second] = [openNode('first'), openNode('second')];
  // A node that has not looked for exports yet counts as one that is away.
  await first.claim('none', NOW);
  expect(await first.add(newExport('one'), 2)).toBe(true);
  expect(await first.add(newExport('two'), 2)).toBe(true);
  expect(await second.add(newExport('three'), 2)).toBe(false);
  expect(await second.claim('by-second', NOW)).toBeUndefined();
  expect(await first.claim('by-first', NOW)).toMatchObject({ id: 'one', attempts: 1 });
  // One of an organisation is written at a time.
  expect(await first.claim('another', NOW)).toBeUndefined();
  expect(await first.renew('one', 'by-first', PROGRESS)).toBe(true);
  expect(await first.renew('one', 'another', PROGRESS)).toBe(false);
  expect(await second.find('one')).toMatchObject({
    ...{ state: 'running', rowsWritten: 4, node: 'http://first.example' },
    request: { dataReferenceName: 'shop.stores', asOf: 'v1' },
  });
  expect([await first.bytes(), await second.bytes()]).toEqual([2, 0]);
  expect(await first.complete('one', 'by-first', DONE)).toBe(true);
  const listed = await second.list('token');
  expect(listed.map(({ id, state, files }) => [id, state, files])).toEqual([
    ['two', 'waiting', []],
    ['one', 'completed', FILES],
  ]);
  expect(await second.list('other')).toEqual([]);
  expect(await first.counts()).toEqual({ waiting: 1, running: 0, completed: 1, failed: 0 });
  expect(await first.expired(NOW + 1000)).toEqual(['one']);
  expect(await second.expired(NOW + 1000)).toEqual([]);
  expect(await second.remove('one')).toBe(true);
  expect(await second.remove('one')).toBe(false);
  expect(await first.find('one')).toBeUndefined();
});

test('an export of metric values is stored with the versions of its datasets and its time to be kept', async () => {
  const node = openNode('first');
  const created = { ...newExport('one'), request: VALUES_TO_EXPORT, keepMs: 3_600_000 };
  await node.add(created, 1);
  expect(await node.find('one')).toMatchObject({ request: VALUES_TO_EXPORT, keepMs: 3_600_000 });
});

test('an export of the first kind, which its request does not name, is one of records', async () => {
  const node = openNode('first');
  await node.add(newExport('one'), 1);
  await postgres.query(`UPDATE export SET request = replace(request, '"kind":"records",', '')`);
  expect((await node.find('one'))?.request).toEqual(newExport('one').request);
});

test('workers of a node that look together claim an export once', async () => {
  const node = openNode('first');
  await node.add(newExport('one'), 1);
  const claims = await Promise.all(
    Array.from({ length: 4 }, (_, worker) => node.claim(`worker-${worker}`, NOW)),
  );
  expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
});

test('an export that was released or whose node has started again is claimed again', async () => {
  const node = openNode('first');
  await node.add(newExport('one'), 1);
  await node.claim('a', NOW);
  await node.release('one', 'a');
  expect(await node.claim('b', NOW)).toMatchObject({ attempts: 1 });
  await node.releaseAll();
  expect(await node.claim('c', NOW)).toMatchObject({ attempts: 2 });
  const failure = { reason: 'DISK_FULL', message: 'Full.' } as const;
  const ended = { nowMs: NOW, expiresMs: NOW + 1000, failure };
  expect(await node.fail('one', 'b', ended)).toBe(false);
  expect(await node.fail('one', 'c', ended)).toBe(true);
  expect(await node.find('one')).toMatchObject({ state: 'failed', failure });
});

test('exports of a node that is gone are written by another one, or fail if its files are gone', async () => {
  const first = openNode('first');
  await first.claim('none', NOW);
  await first.add(newExport('complete'), 2);
  await first.claim('a', NOW);
  await first.complete('complete', 'a', DONE);
  await first.add(newExport('waiting'), 2);
  const patient = openNode('second');
  expect(await patient.claim('b', NOW)).toBeUndefined();
  await postgres.query(
    `UPDATE export_node SET last_seen = last_seen - interval '2 minutes' WHERE url LIKE '%first%'`,
  );
  expect(await patient.claim('c', NOW)).toMatchObject({
    ...{ id: 'waiting', node: 'http://second.example' },
  });
  expect(await patient.find('complete')).toMatchObject({ state: 'completed' });
  await postgres.query(
    `UPDATE export_node SET last_seen = last_seen - interval '1 hour' WHERE url LIKE '%first%'`,
  );
  await openNode('second').claim('d', NOW);
  expect(await patient.find('complete')).toMatchObject({
    ...{ state: 'failed', files: [] },
    failure: { reason: 'EXPORT_ENDED', message: 'The node that had the files is gone.' },
  });
});
