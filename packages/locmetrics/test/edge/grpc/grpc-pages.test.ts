import { catalogV3 } from '@locmetrics/contract/grpc';
import { encodeBoundedPage, writeEach } from '@locmetrics/core/encoding/bounded-page';
import { expect, test } from 'vitest';
import { notes } from '../notes.ts';
import { useTestServer } from '../test-server.ts';

/** A page over gRPC ends before 3.5 MiB, so that a client with the usual limit of 4 MiB can read it. */
const PAGE_MAX_BYTES = 3.5 * 2 ** 20;
const NOTES = 500;
/** About 9 MB of text in 500 rows. One row is so large that it needs its own page. */
const noteOf = (index: number): string =>
  index === 250 ? 'é'.repeat(1_850_000) : `${index} `.repeat(5000);

const { ask } = useTestServer((to) => to.publishFiles(notes(NOTES, noteOf)));
const { listRecords, searchFieldValues } = catalogV3.CatalogQuery.method;
const dataReferenceName = 'long.notes';

test('records too large for one message are split into more pages, none lost and none twice', async () => {
  const ids: string[] = [];
  const sizes: number[] = [];
  let pageToken = '';
  do {
    const { message, bytes } = await ask(listRecords, {
      dataReferenceName,
      pageSize: 10_000,
      pageToken,
    });
    ids.push(...message.records.map(({ fields }) => fields['id'] ?? ''));
    sizes.push(bytes);
    expect(message.totalSize).toBe(BigInt(NOTES));
    pageToken = message.nextPageToken;
  } while (pageToken !== '');
  expect(ids).toEqual(Array.from({ length: NOTES }, (_, index) => String(index)));
  expect(sizes.length).toBeGreaterThan(3);
  // The row that is larger than a page is returned too.
  expect(sizes.filter((bytes) => bytes > PAGE_MAX_BYTES)).toHaveLength(1);
  expect(Math.max(...sizes)).toBeLessThan(4 * 2 ** 20);
});

test('records ordered by a long text are paged too', async () => {
  const options = { orderBy: { fieldName: 'note', direction: catalogV3.OrderDirection.DESC } };
  const ids: string[] = [];
  let pageToken = '';
  do {
    const { message } = await ask(listRecords, {
      dataReferenceName,
      fields: [{ name: 'id' }, { name: 'note' }],
      filters: [{ fieldName: 'id', operator: '!=', value: '250' }],
      options,
      pageSize: 10_000,
      pageToken,
    });
    ids.push(...message.records.map(({ fields }) => fields['id'] ?? ''));
    pageToken = message.nextPageToken;
  } while (pageToken !== '');
  expect(ids).toHaveLength(NOTES - 1);
  expect(new Set(ids).size).toBe(NOTES - 1);
});

test('distinct values too large for one message are split into more pages', async () => {
  const values: string[] = [];
  let pages = 0;
  let pageToken = '';
  do {
    const { message } = await ask(searchFieldValues, {
      dataReferenceName,
      field: { name: 'note' },
      filters: [{ fieldName: 'id', operator: '!=', value: '250' }],
      pageSize: 10_000,
      pageToken,
    });
    values.push(...message.values);
    pages += 1;
    pageToken = message.nextPageToken;
  } while (pageToken !== '');
  expect(pages).toBeGreaterThan(2);
  expect(new Set(values).size).toBe(NOTES - 1);
  expect(values).toHaveLength(NOTES - 1);
});

test('a page drops rows to make room for a longer token', async () => {
  const tokenBytes = (sentRows: number): number => (sentRows === 4 ? 0 : sentRows * 500_000);
  const { framed, sentRows } = await encodeBoundedPage({
    rows: writeEach([1, 2, 3, 4], () => new Uint8Array(1_000_000)),
    rowField: 1,
    encodeRest: (rows) => new Uint8Array(tokenBytes(rows)),
  });
  expect(sentRows).toBe(2);
  expect(framed).toHaveLength(5 + 2 * 1_000_004 + 1_000_000);
});

test('a page without rows has only the rest of its message', async () => {
  const { framed, sentRows } = await encodeBoundedPage({
    rows: writeEach([], () => new Uint8Array()),
    rowField: 1,
    encodeRest: () => Uint8Array.of(1, 2),
  });
  expect([[...framed], sentRows]).toEqual([[0, 0, 0, 0, 2, 1, 2], 0]);
});
