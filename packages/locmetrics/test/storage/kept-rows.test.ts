import { openKeptRows } from '@locmetrics/column-store/engine/kept-rows';
import type { SqlParameter, SqlStatement } from '@locmetrics/core/sql/sql-dialect';
import { expect, test } from 'vitest';

function statement(text: string, ...parameters: readonly SqlParameter[]): SqlStatement {
  return { text, parameters };
}

/** Kept rows that say in which run they were read. */
function openRows(limits: Parameters<typeof openKeptRows>[0] = {}) {
  const kept = openKeptRows(limits);
  let runs = 0;
  const read = async (of: SqlStatement, texts: readonly string[] = []) => {
    const rows = await kept.rowsOf(of, async () => {
      runs += 1;
      return [[runs, ...texts]];
    });
    return rows[0]?.[0];
  };
  return { ...kept, read };
}

test('the same statement runs once, until all is cleared', async () => {
  const kept = openRows();
  const first = statement('SELECT 1', { type: 'string', value: 'Bern' });
  expect(await kept.read(first)).toBe(1);
  expect(await kept.read(statement('SELECT 1', { type: 'string', value: 'Bern' }))).toBe(1);
  kept.clear();
  expect(await kept.read(first)).toBe(2);
});

test('statements differ by their text, and by the values and the types of their parameters', async () => {
  const kept = openRows();
  const different = [
    statement('SELECT 1'),
    statement('SELECT 2'),
    statement('SELECT 1', { type: 'integer', value: 5n }),
    statement('SELECT 1', { type: 'integer', value: -5n }),
    statement('SELECT 1', { type: 'float', value: 5 }),
    statement('SELECT 1', { type: 'string', value: '5' }),
    statement('SELECT 1', { type: 'integer', value: [5n] }),
    statement('SELECT 1', { type: 'string', value: ['5'] }),
    statement('SELECT 1', { type: 'string', value: ['a', 'b'] }),
    statement('SELECT 1', { type: 'string', value: ['a,b'] }),
    statement('SELECT 1', { type: 'string', value: 'a' }, { type: 'string', value: 'b' }),
    statement('SELECT 1', { type: 'string', value: 'b' }, { type: 'string', value: 'a' }),
  ];
  const all = different.map((_, index) => index + 1);
  for (const round of ['computed', 'kept']) {
    const found = [];
    for (const one of different) found.push(await kept.read(one));
    expect(found, round).toEqual(all);
  }
});

test('the least recently used rows are dropped, and large ones are not kept', async () => {
  const kept = openRows({ bytesMax: 3000, bytesOfOneMax: 1500 });
  const [first, second, third] = [1, 2, 3].map((number) => statement(`SELECT ${number}`));
  if (first === undefined || second === undefined || third === undefined) return expect.fail();
  const large = ['x'.repeat(1000)];
  expect(await kept.read(first, large)).toBe(1);
  expect(await kept.read(second, large)).toBe(2);
  expect(await kept.read(first, large)).toBe(1);
  expect(await kept.read(third, large)).toBe(3);
  expect(await kept.read(first, large)).toBe(1);
  expect(await kept.read(second, large)).toBe(4);
  const tooLarge = ['x'.repeat(1600)];
  expect(await kept.read(statement('SELECT 4'), tooLarge)).toBe(5);
  expect(await kept.read(statement('SELECT 4'), tooLarge)).toBe(6);
});

test('a statement that fails is run again', async () => {
  const kept = openRows();
  const failing = kept.rowsOf(statement('SELECT 1'), () => Promise.reject(new Error('lost')));
  await expect(failing).rejects.toThrow('lost');
  expect(await kept.read(statement('SELECT 1'))).toBe(1);
});
