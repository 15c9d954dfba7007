import { DuckDBInstance } from '@duckdb/node-api';
import { duckdbDialect } from '@locmetrics/core/sql/duckdb-dialect';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { announceSeed } from '../support/test-seed.ts';
import { ENGINES } from './engines/engines.ts';
import { useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { NUMBER_EDGES } from './number-edges.ts';
import { defineTable } from './table.ts';

const SEARCHED = [
  0,
  1,
  10,
  0.1,
  0.1 + 0.2,
  1.5,
  0.0001,
  0.00001,
  0.000001,
  1e-7,
  1.25e-7,
  5e-324,
  999999999999999,
  1e15,
  1e16,
  1.5e16,
  1e20,
  123456789012345680000,
  1e21,
  1.5e21,
  1e100,
  1e300,
  Number.MAX_VALUE,
  2 ** 53 + 2,
].flatMap((number) => (number === 0 ? [number] : [number, -number]));

test('the column store writes every double as JavaScript does', async () => {
  const seed = announceSeed('number text');
  const random = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), {
    seed,
    numRuns: 50_000,
  });
  const written = await writeInDuckdb([
    ...NUMBER_EDGES,
    ...NUMBER_EDGES.map((edge) => -edge),
    ...random,
  ]);
  expect(written.filter(({ number, text }) => text !== String(number))).toEqual([]);
  expect(written.length).toBeGreaterThan(50_000);
});

/** The texts with which a search term is compared. */
async function writeInDuckdb(numbers: readonly number[]) {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run('CREATE TABLE numbers (number DOUBLE)');
    const appender = await connection.createAppender('numbers');
    for (const number of numbers) {
      // There is no -0, as in every stored table.
      appender.appendDouble(number + 0);
      appender.endRow();
    }
    appender.closeSync();
    const dialect = duckdbDialect({
      recordTable: () => 'numbers',
      rowColumn: 'rowid',
      foldColumn: (name) => name,
      searchColumn: (name) => name,
    });
    const text = dialect.fieldText({
      name: 'number',
      type: 'float',
      sourceColumn: '',
      description: '',
      exampleValue: '',
      includedByDefault: true,
    });
    const reader = await connection.runAndReadAll(`SELECT number, ${text} AS text FROM numbers`);
    return reader.getRowObjectsJS();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

describeOn(ENGINES)('searching floats by their text, $name engine', (engine) => {
  const { values } = useService(
    engine,
    defineTable({
      name: 'conformance.searched',
      fields: { id: 'integer', ratio: 'float' },
      rows: SEARCHED.map((ratio, index) => ({ id: BigInt(index), ratio })),
    }),
  );

  test.each(SEARCHED)(
    '%d is found by its whole text, among the numbers that contain it',
    async (number) => {
      const term = String(number);
      const holding = SEARCHED.map(String).filter((text) => text.includes(term));
      expect(new Set(await values('ratio', { term }))).toEqual(new Set(holding));
    },
  );

  test.each([
    ['10.0', 'a whole number has no fraction'],
    ['e+16', '1e16 has all its digits'],
    ['e+20', '1e20 has all its digits'],
    ['e-6', '1e-6 has all its zeros'],
    ['e-07', 'an exponent has no leading zero'],
    ['inf', 'no number is infinite'],
    ['_', 'no character stands for any'],
  ])('%s finds nothing, because %s', async (term) => {
    expect(await values('ratio', { term })).toEqual([]);
  });
});
