import type { Value } from '@locmetrics/core/domain/value';
import { describe, expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { whereIn } from './filter-clause.ts';
import { defineTable } from './table.ts';

/** For each type: the stored values, and a value that is not stored. */
const TYPES = [
  {
    field: 'text',
    values: ["it's", '"', '\\', '{a,b}', '[1]', 'NULL', 'a\nb', 'ÄRGER', '😀', ','],
    other: (index: number) => `other ${index}`,
  },
  {
    field: 'whole',
    values: [-(2n ** 63n), -1n, 0n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n],
    other: (index: number) => String(1000 + index),
  },
  {
    field: 'ratio',
    values: [-Number.MAX_VALUE, -5e-324, 0, 0.1, 0.1 + 0.2, 1e21, Number.MAX_VALUE],
    other: (index: number) => String(1000.5 + index),
  },
  {
    field: 'day',
    values: ['0001-01-01', '1582-10-10', '1899-12-31', '2024-02-29', '9999-12-31'],
    other: (index: number) => new Date(index * 86_400_000).toISOString().slice(0, 10),
  },
] as const;
const ROWS = 11;

describeOn(ENGINES)('long lists of values, $name engine', (engine) => {
  const { column } = useService(
    engine,
    defineTable({
      name: 'conformance.lists',
      fields: { id: 'integer', text: 'string', whole: 'integer', ratio: 'float', day: 'date' },
      rows: Array.from({ length: ROWS }, (_, index) => ({
        id: BigInt(index),
        ...Object.fromEntries(TYPES.map(({ field, values }) => [field, values[index] ?? null])),
      })),
    }),
  );
  const found = (field: string, operator: string, values: readonly string[]) =>
    column('id', { filters: [whereIn(field, operator, values)] });
  const ids = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => String(from + index));

  describe.each(TYPES)('of $field', ({ field, values, other }) => {
    const texts = values.map((value: Value) => String(value));
    const others = (length: number) => Array.from({ length }, (_, index) => other(index));

    test.each([10, 49, 50, 51, 100, 1_000])(
      'all stored values are found with %d other values, at both ends of the list',
      async (length) => {
        const all = ids(0, values.length);
        expect(await found(field, 'in', [...others(length), ...texts])).toEqual(all);
        expect(await found(field, 'in', [...texts, ...others(length)])).toEqual(all);
        expect(await found(field, 'not_in', [...texts, ...others(length)])).toEqual([]);
      },
    );

    test.each([10, 49, 50, 51, 100, 1_000])(
      'none of %d other values is found, and not_in does not match the absent value',
      async (length) => {
        expect(await found(field, 'in', others(length))).toEqual([]);
        expect(await found(field, 'not_in', others(length))).toEqual(ids(0, values.length));
      },
    );

    test('a long list without one stored value does not contain that value', async () => {
      const list = [...others(100), ...texts.slice(1)];
      expect(await found(field, 'in', list)).toEqual(ids(1, values.length));
      expect(await found(field, 'not_in', list)).toEqual(['0']);
    });
  });

  test('-0 in a long list is 0', async () => {
    const list = [...ids(100, 200), '-0'];
    expect(await found('ratio', 'in', list)).toEqual(['2']);
    expect(await found('ratio', 'not_in', list)).not.toContain('2');
  });

  test('two long lists combine with AND', async () => {
    const filters = [
      whereIn('text', 'in', [...ids(0, 100), '"', '\\']),
      whereIn('whole', 'not_in', [...ids(10, 100), '-1']),
    ];
    expect(await column('id', { filters })).toEqual(['2']);
  });
});
