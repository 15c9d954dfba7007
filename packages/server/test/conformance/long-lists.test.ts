import { describe, expect, test } from 'vitest';
import { ENGINES } from './engines.ts';
import { whereIn } from './filter-clause.ts';
import { useService } from './service-under-test.ts';
import { defineTable } from './table.ts';

const VISITS = defineTable({
  name: 'conformance.visits',
  fields: { id: 'string', city: 'string', visits: 'integer', score: 'float', day: 'date' },
  rows: [
    { id: 'a', city: 'Zug', visits: 2n ** 53n + 1n, score: 0.1, day: '1899-12-31' },
    { id: 'b', city: 'Uri', visits: 7n, score: 8.331, day: '2023-01-31' },
    { id: 'c', city: null, visits: null, score: null, day: null },
  ],
});

const NUMBERS = Array.from({ length: 2000 }, (_, index) => index + 10_000);
const DAYS = Array.from({ length: 300 }, (_, index) =>
  new Date(Date.UTC(1990, 0, 1 + index)).toISOString().slice(0, 10),
);

describe.each(ENGINES)('long lists of values, $name engine', (engine) => {
  const { column } = useService(engine, VISITS);
  const ids = (field: string, operator: string, values: readonly string[]) =>
    column('id', { filters: [whereIn(field, operator, values)] });

  test.each([
    { field: 'city', values: [...NUMBERS.map((number) => `city ${number}`), 'Zug'] },
    { field: 'visits', values: [...NUMBERS.map(String), '9007199254740993'] },
    { field: 'score', values: [...NUMBERS.map(String), '0.1'] },
    { field: 'day', values: [...DAYS, '1899-12-31'] },
  ])('of $field match exactly, and never an absent value', async ({ field, values }) => {
    expect(await ids(field, 'in', values)).toEqual(['a']);
    expect(await ids(field, 'not_in', values)).toEqual(['b']);
    expect(await ids(field, 'in', values.slice(0, -1))).toEqual([]);
    expect(await ids(field, 'not_in', values.slice(0, -1))).toEqual(['a', 'b']);
  });
});
