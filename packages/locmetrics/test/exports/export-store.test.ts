import { DatabaseSync } from 'node:sqlite';
import { EXPORT_SCHEMA } from '@locmetrics/server/exports/export-schema';
import type { NewExport } from '@locmetrics/server/exports/export-store';
import { openExportStore } from '@locmetrics/server/exports/open-export-store';
import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { VALUES_TO_EXPORT } from './values-to-export.ts';

const inFolder = useTemporaryFolder();

const RECORDS = {
  ...{ dataReferenceName: 'shop.stores', asOf: 'v1', fields: [], filters: [], filterLogic: '' },
  ...{ billingContext: '', trackTotalHits: false },
  options: { trimToPeriodOfExistence: 'trim' },
} as const;

test('an export of metric values is stored with the versions of its datasets and its time to be kept', () => {
  const store = openExportStore(inFolder('exports.sqlite'));
  const created: NewExport = {
    ...{ id: 'one', organisationId: 'acme', tokenId: 'token', rights: 'all', createdMs: 1 },
    request: VALUES_TO_EXPORT,
    ...{ format: 'csv', filenamePrefix: '', limit: 0, keepMs: 3_600_000, rows: 10 },
  };
  store.add(created, 1);
  expect(store.find('one')).toMatchObject(created);
  store.close();
});

test('an export of a store without kinds is one of records, kept as long as the service keeps files', () => {
  const path = inFolder('before.sqlite');
  const before = new DatabaseSync(path);
  before.exec(EXPORT_SCHEMA.migrations[0] ?? '');
  before.exec(`PRAGMA application_id = ${EXPORT_SCHEMA.applicationId}`);
  before.exec('PRAGMA user_version = 1');
  before
    .prepare(
      `INSERT INTO export (id, organisation, token, rights, state, created, updated, request, format,
         filename_prefix, row_limit, rows, rows_written, rows_charged, bytes, files, attempts)
       VALUES ('one', 'acme', 'token', 'all', 'waiting', 1, 1, ?, 'csv', '', 0, 10, 0, 0, 0, '[]', 0)`,
    )
    .run(JSON.stringify(RECORDS));
  before.close();
  const store = openExportStore(path);
  expect(store.find('one')).toMatchObject({
    request: { kind: 'records', ...RECORDS },
    keepMs: undefined,
  });
  store.close();
});
