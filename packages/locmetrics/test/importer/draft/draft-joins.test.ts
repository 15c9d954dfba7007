import { expect, test } from 'vitest';
import { checks, totalOf } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

/** Places with an id and a name. */
function shops(header: string, ids: readonly string[]): string {
  const rows = ids.map((id, index) => `${id},Shop ${'ABC'[index]},47.${index + 1},-122,Kent`);
  return `${header},name,lat,lon,county\n${rows.join('\n')}\n`;
}

/** Two months of values of each place. */
function visits(header: string, ids: readonly string[]): string {
  const rows = ids.flatMap((id, index) =>
    ['2024-01', '2024-02'].map((month) => `${id},${month},${10 * (index + 1)}`),
  );
  return `${header},month,visits\n${rows.join('\n')}\n`;
}

test.each([
  ['texts', 'id', ['A', 'B', 'C'], 'shop', ['A', 'B', 'C']],
  ['numbers with other names', 'nr', ['7', '19', '33'], 'where', ['7', '19', '33']],
  ['numbers with a fraction', 'id', ['1', '2', '13'], 'shop', ['1.0', '2.0', '13.0']],
  ['values without zeros', 'id', ['001', '002', '013'], 'shop', ['1', '2', '13']],
  ['places without zeros', 'id', ['1', '2', '13'], 'shop', ['001', '002', '013']],
  ['names', 'id', ['1', '2', '13'], 'shop', ['Shop A', 'Shop B', 'Shop C']],
])('places and values are joined by %s', async (_, header, ids, other, others) => {
  const { text, records, metrics } = await drafted({
    'shops.csv': shops(header, ids),
    'visits.csv': visits(other, others),
  });
  expect(text).toContain('3 of 3 different ids (100%) are features of the layer.');
  expect(text).toContain('layer: shops');
  expect(totalOf(records, 'visits', 'visits')).toBe(120);
  expect(metrics).toHaveLength(1);
});

test.each([
  ['id', ['a-1', 'b-2', 'c-3'], "its id: 'a-1' there is 'A-1'"],
  ['name', ['SHOP A', 'SHOP B', 'SHOP C'], "its name: 'SHOP A' there is 'Shop A'"],
])('an %s in another case is not joined, and one CHECK says so', async (_, others, found) => {
  const { text, metrics } = await drafted({
    'shops.csv': shops('id', ['A-1', 'B-2', 'C-3']),
    'visits.csv': visits('shop', others),
  });
  expect(checks(text)).toEqual([
    `Not joined with town.shops, because 3 values only differ in case or spaces from ${found}. Write both in one way, for example with an expression: upper(…) in both datasets. => shop: { type: string }`,
  ]);
  expect(text).toContain('layer: visits_places');
  expect(metrics).toHaveLength(1);
});

test('values of places that the other file lacks are a CHECK at the metric', async () => {
  const { text } = await drafted({
    'shops.csv': shops('id', ['A', 'B', 'C']),
    'visits.csv': visits('shop', ['A', 'B', 'X']),
  });
  expect(checks(text)).toEqual([
    "2 of 3 different ids (66.7%) are features of the layer, so the metric has no values of the others, such as 'X'. => layer: shops",
  ]);
});
