import { csvLine } from '@locmetrics/contract/csv';
import { expect, test } from 'vitest';
import { randomNumbers } from '../../locmetrics/test/support/random-numbers.ts';
import { announceSeed } from '../../locmetrics/test/support/test-seed.ts';
import { chooseFileTarget, FileTooLargeError, MEMORY_BYTES_MAX } from '../src/ui/file-target.ts';
import { countCsvRows, countLines } from '../src/views/saving/row-counter.ts';

const CELLS = [
  '',
  'plain',
  'a,b',
  '"',
  '""',
  'one\ntwo',
  'a\r\n"b"\r\n',
  'Zürich',
  '=1+1',
  7,
  null,
];
const ROWS = 2_000;

const random = randomNumbers(announceSeed('rows of CSV'));
const cell = () => CELLS[Math.floor(random() * CELLS.length)] ?? null;

/** The bytes in pieces of random lengths. */
function* cut(text: string): Generator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let from = 0, to = 0; from < bytes.length; from = to) {
    to = from + 1 + Math.floor(random() * 40);
    yield bytes.subarray(from, to);
  }
}

test('the rows of CSV are counted, wherever its pieces end and whatever its cells contain', () => {
  const counter = countCsvRows();
  const lines = Array.from({ length: ROWS }, () => csvLine([cell(), cell(), cell()]));
  for (const piece of cut(`id,"na\r\nme",text\r\n${lines.join('')}`)) counter.add(piece);
  expect(counter.rows()).toBe(ROWS);
});

test('CSV without rows has none, and a row counts when it has ended', () => {
  const counter = countCsvRows();
  const add = (text: string): number => {
    counter.add(new TextEncoder().encode(text));
    return counter.rows();
  };
  expect(['id', ',name\r\n', 'a,b', '\r\n"c', '\r\n', '"\r\n'].map(add)).toEqual([
    0, 0, 0, 1, 1, 2,
  ]);
});

test('the rows of NDJSON are its lines', () => {
  const counter = countLines({ above: 0 });
  for (const piece of cut('{"a":1}\n'.repeat(ROWS))) counter.add(piece);
  expect(counter.rows()).toBe(ROWS);
});

test('a file that is kept in memory has a greatest size', async () => {
  const target = await chooseFileTarget({ name: 'a.csv', extension: 'csv', type: 'text/csv' });
  const tenth = new Blob([new Uint8Array(MEMORY_BYTES_MAX / 10)]);
  for (let count = 0; count < 10; count += 1) await target?.write(tenth);
  await expect(target?.write(new Blob(['1']))).rejects.toThrow(FileTooLargeError);
});
