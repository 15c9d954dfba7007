import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Field } from '@locmetrics/core/domain/field';
import { openRowFile, type RowFile } from '@locmetrics/row-store/engine/open-row-file';
import { rowsOfVisits } from '@locmetrics/row-store/engine/rows-of-visits';
import { openBlockEncoder } from '@locmetrics/row-store/record-block';
import {
  BLOCK_SIZES,
  createBlocksSql,
  createTablesSql,
  ORDINAL_TYPE,
  POINTS_TABLE,
  type RowFacts,
} from '@locmetrics/row-store/row-file';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ID = { name: 'id', type: 'string' } as Field;

/** Reads a row file of four records in one block, with one block of points, whose second block is lost. */
function readFile<Result>(read: (file: RowFile) => Result): Result {
  const folder = temporaryFolder();
  const path = join(folder, 'rows.sqlite');
  const database = new DatabaseSync(path);
  for (const statement of createTablesSql(ID)) database.exec(statement);
  const ids = ['a', 'b', 'c', 'd'];
  const block = openBlockEncoder(['string']).encode([ids], ids.length);
  database.prepare('INSERT INTO blocks VALUES (0, ?)').run(block);
  database.exec(`INSERT INTO series VALUES ('a', 0, ${ids.length})`);
  database.exec(createBlocksSql(POINTS_TABLE));
  const points = openBlockEncoder([ORDINAL_TYPE]).encode([[3n, 1n]], 2);
  database.prepare(`INSERT INTO ${POINTS_TABLE} VALUES (0, ?)`).run(points);
  const facts: RowFacts = {
    fields: [ID],
    sizes: { ...BLOCK_SIZES, singles: ids.length },
    seriesField: ID.name,
    records: 8,
    isSparse: true,
    longestSeries: 1,
    covered: [],
    orders: [],
    searches: [],
    points: 4,
    counters: {},
  };
  database.prepare('INSERT INTO facts VALUES (?)').run(JSON.stringify(facts));
  database.close();
  const file = openRowFile(path);
  try {
    return read(file);
  } finally {
    file.close();
  }
}

test('single records are read in the asked order, also twice from one block', () => {
  const rowsOf = (ordinals: readonly number[]) =>
    readFile((file) => rowsOfVisits(file.readRecords(ordinals, [ID]), ordinals.length, [ID]));
  expect(rowsOf([2, 0, 3, 2])).toEqual([['c'], ['a'], ['d'], ['c']]);
  expect(rowsOf([])).toEqual([]);
});

test('a key is found in its block, and its record is read from it', () => {
  const found = readFile((file) => {
    const range = file.findSeries('c');
    return [range, range && file.readBlocks(range, [ID]), file.findSeries('bb')];
  });
  expect(found).toEqual([{ row: 2, end: 3 }, [{ row: 2, count: 1, columns: [['c']] }], undefined]);
});

test('a lost block is an error, not a smaller answer', () => {
  expect(() => readFile((file) => file.readRecords([1, 5], [ID]))).toThrow('no record 5');
  const read = (...blocks: number[]) =>
    readFile((file) => file.readEntries(POINTS_TABLE, blocks).map(({ count }) => count));
  expect(read(0)).toEqual([2]);
  expect(() => read(0, 1)).toThrow('points has 1 of 2 blocks');
});
