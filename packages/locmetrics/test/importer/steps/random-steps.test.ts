// @module-tag sized

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';
import { valuesOf } from '../import-by-manifest.ts';

const RUNS = testCount('STEPS', { few: 3, all: 100 });
const seed = announceSeed('random steps');

/** A decimal as a whole number of thousandths, as a file may write it. */
const randomNumber = fc.record({
  thousandths: fc.oneof(
    fc.bigInt({ min: -9999n, max: 9999n }),
    fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
  ),
  hasPlus: fc.boolean(),
  spaces: fc.constantFrom('', ' '),
});
const randomGroups = fc.array(
  fc.record({
    place: fc.constantFrom('a', 'A', 'b', 'ß', ''),
    day: fc.constantFrom('1', '2'),
    number: fc.option(randomNumber),
  }),
  { minLength: 1, maxLength: 40 },
);

function writeNumber(thousandths: bigint): string {
  const digits = String(thousandths < 0n ? -thousandths : thousandths).padStart(4, '0');
  return `${thousandths < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}

/** The shortest text of a number of ten-thousandths. */
function plainNumber(tenThousandths: bigint): string {
  const digits = String(tenThousandths < 0n ? -tenThousandths : tenThousandths).padStart(5, '0');
  const fraction = digits.slice(-4).replace(/0+$/, '');
  const text = `${digits.slice(0, -4)}${fraction === '' ? '' : `.${fraction}`}`;
  return tenThousandths < 0n ? `-${text}` : text;
}

const AGGREGATE = `files: p.csv
rows:
  - aggregate:
      by: { place: "coalesce(place, '-')", day: day }
      values:
        sum: { sum: n }
        mean: { mean: n }
        median: { median: n }
        min: { min: n }
        max: { max: n }
        count: { count: n }
        all: { count: '*' }
key: [place, day]
fields:
  place: { type: string }
  day: { type: string }
  sum: { type: string }
  mean: { type: float }
  median: { type: string }
  min: { type: string }
  max: { type: string }
  count: { type: integer }
  all: { type: integer }`;

test('aggregations are those of a plain computation', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(randomGroups, async (rows) => {
      const lines = rows.map(({ place, day, number }) => {
        const text = number === null ? '' : writeNumber(number.thousandths);
        const plus = number?.hasPlus === true && !text.startsWith('-') ? '+' : '';
        return `${place},${day},${number?.spaces ?? ''}${plus}${text}`;
      });
      const groups = Map.groupBy(rows, ({ place, day }) => `${place === '' ? '-' : place},${day}`);
      const expected = [...groups].map(([key, group]) => {
        const numbers = group
          .flatMap(({ number }) => (number === null ? [] : number.thousandths))
          .toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
        const half = (numbers.length - 1) / 2;
        const [lower = 0n, upper = 0n] = [numbers[Math.floor(half)], numbers[Math.ceil(half)]];
        const sum = numbers.reduce((total, number) => total + number, 0n);
        const numbersOf = [
          sum * 10n,
          (lower + upper) * 5n,
          (numbers[0] ?? 0n) * 10n,
          (numbers.at(-1) ?? 0n) * 10n,
        ];
        const [total, median, least, greatest] = numbersOf.map((number) =>
          numbers.length === 0 ? null : plainNumber(number),
        );
        const mean = numbers.length === 0 ? null : Number(plainNumber(sum * 10n)) / numbers.length;
        return [
          ...key.split(','),
          total,
          mean,
          median,
          least,
          greatest,
          String(numbers.length),
          String(group.length),
        ];
      });
      const found = await valuesOf(AGGREGATE, { 'p.csv': `place,day,n\n${lines.join('\n')}\n` });
      const withMean = found.map((row) =>
        row.map((value, index) => (index === 3 && value !== null ? Number(value) : value)),
      );
      expect(withMean.toSorted(byKey)).toEqual(expected.toSorted(byKey));
    }),
    { numRuns: RUNS, seed },
  );
});

function byKey(left: readonly unknown[], right: readonly unknown[]): number {
  const [one, other] = [left, right].map((row) => `${String(row[0])},${String(row[1])}`);
  return (one ?? '') < (other ?? '') ? -1 : 1;
}

const randomKey = fc.constantFrom(
  '1',
  '01',
  '001',
  ' 1',
  '2',
  '12',
  'a',
  'A',
  'é',
  'ab c',
  ' ',
  '',
);
const randomJoin = fc.record({
  rows: fc.array(fc.record({ one: randomKey, two: randomKey }), { minLength: 1, maxLength: 30 }),
  file: fc.uniqueArray(fc.record({ one: randomKey, two: randomKey }), {
    maxLength: 20,
    selector: ({ one, two }) => JSON.stringify(keyOf(one, two) ?? [one, two]),
  }),
  leavesOut: fc.boolean(),
});

/** The key as it is compared; none if a part is blank. */
function keyOf(one: string, two: string): string | undefined {
  if (one.trim() === '' || two.trim() === '') return undefined;
  const padded = /^[0-9]{1,2}$/.test(one.trim()) ? one.trim().padStart(2, '0') : one.trim();
  return `${padded}/${two.trim()}`;
}

test('a join finds what a map finds', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(randomJoin, async ({ rows, file, leavesOut }) => {
      const declaration = `files: p.csv
rows:
  - join: { file: q.csv, on: { one: q1, two: q2 }, pad: [2, 1], unmatched: ${leavesOut ? 'leave_out' : 'keep'} }
key: [number]
fields:
  number: { type: integer }
  found: { type: string }`;
      const known = new Map(
        file.flatMap(({ one, two }, index) => {
          const key = keyOf(one, two);
          return key === undefined ? [] : [[key, `f${index}`] as const];
        }),
      );
      const expected = rows.flatMap(({ one, two }, index) => {
        const found = known.get(keyOf(one, two) ?? '') ?? null;
        return found === null && leavesOut ? [] : [[String(index), found]];
      });
      // Something is always found, because a dataset without rows is refused.
      const own = [...rows.map(({ one, two }, index) => `${index},${one},${two}`), '99,x,y'];
      const other = [...file.map(({ one, two }, index) => `${one},${two},f${index}`), 'x,y,last'];
      expect(
        await valuesOf(declaration, {
          'p.csv': `number,one,two\n${own.join('\n')}\n`,
          'q.csv': `q1,q2,found\n${other.join('\n')}\n`,
        }),
      ).toEqual([...expected, ['99', 'last']]);
    }),
    { numRuns: RUNS, seed },
  );
});

const randomElement = fc.oneof(
  fc.integer({ min: -(10 ** 9), max: 10 ** 9 }),
  fc.constantFrom('n/a', 7.5, '12', -0.25, ''),
);
const randomLists = fc.integer({ min: 1, max: 30 }).chain((length) =>
  fc.array(
    fc.record({
      list: fc.array(randomElement, { minLength: length, maxLength: length }),
      map: fc.dictionary(fc.constantFrom('a', 'B', 'ß', '"q"', 'a/b', ' ', '01'), randomElement),
      space: fc.constantFrom(undefined, 1),
    }),
    { minLength: 1, maxLength: 20 },
  ),
);

test('lists and maps become the rows of a plain computation', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(randomLists, fc.boolean(), async (rows, isJson) => {
      const number = (value: number | string) =>
        value === '' || value === 'n/a' ? null : String(value);
      const lists = rows.flatMap(({ list }, row) =>
        list.map((value, index) => [
          String(row),
          new Date(Date.UTC(2024, 1, 27 + index)).toISOString().slice(0, 10),
          number(value),
        ]),
      );
      const maps = rows.flatMap(({ map }, row) =>
        Object.entries(map).flatMap(([key, value]) =>
          key.trim() === '' ? [] : [[String(row), key, number(value)]],
        ),
      );
      const quote = (value: unknown, space: number | undefined) =>
        `"${JSON.stringify(value, undefined, space).replaceAll('"', '""')}"`;
      const text = isJson
        ? rows.map(({ list, map }, row) => JSON.stringify({ row, list, map }))
        : [
            'row,list,map',
            ...rows.map(
              ({ list, map, space }, row) => `${row},${quote(list, space)},${quote(map, space)}`,
            ),
          ];
      const file = isJson ? 'p.ndjson' : 'p.csv';
      const declaration = (step: string) => `files: ${file}
read: { nulls: [n/a] }
rows:
  - unpivot: { name: name, ${step} }
  - where: trim(name) <> ''
key: [row, name]
fields:
  row: { type: integer }
  name: { type: string }
  n: { type: string }`;
      const files = { [file]: `${text.join('\n')}\n` };
      const byText = (found: readonly (readonly (string | null)[])[]) =>
        found.map((row) => JSON.stringify(row)).toSorted();
      expect(
        byText(
          await valuesOf(declaration('list: { n: list }, start: "DATE \'2024-02-27\'"'), files),
        ),
      ).toEqual(byText(lists));
      // A dataset without rows is refused.
      if (maps.length === 0) return;
      expect(byText(await valuesOf(declaration('map: { n: map }'), files))).toEqual(byText(maps));
    }),
    { numRuns: RUNS, seed },
  );
});
