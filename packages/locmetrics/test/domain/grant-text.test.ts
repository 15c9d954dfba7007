import { WHOLE_LENS, wholeGrant } from '@locmetrics/core/domain/grant';
import { filterText, grantTexts } from '@locmetrics/core/domain/grant-text';
import { expect, test } from 'vitest';
import { readFilterFlag } from '../../src/commands/grant/read-filter-flag.ts';
import { where, whereIn } from '../conformance/filter-clause.ts';

test.each([
  [where('city', '==', 'A'), 'city == A'],
  [where('city', '==', ' A "B" '), 'city == " A ""B"" "'],
  [where('city', '!=', '"'), 'city != """"'],
  [where('city', '==', 'Washington, D.C.'), 'city == Washington, D.C.'],
  [where('count', '>=', '5'), 'count >= 5'],
  [where('zip', 'is_not_empty'), 'zip is_not_empty'],
  [whereIn('city', 'in', ['A', 'B C']), 'city in A,B C'],
  [whereIn('city', 'not_in', ['A, B', 'C']), 'city not_in "A, B",C'],
  [whereIn('city', 'in', ['[A', ' B', '6" pipe']), 'city in "[A"," B","6"" pipe"'],
])('a filter is written in the form that grant add parses: %o', (clause, text) => {
  expect(filterText(clause)).toBe(text);
  expect(readFilterFlag(text)).toEqual(clause);
});

test('a list of many values is cut', () => {
  expect(filterText(whereIn('city', 'in', ['A', 'B', 'C', 'D', 'E', 'F', 'G']))).toBe(
    'city in A,B,C,D,E and 2 more',
  );
});

test('a grant is written part by part', () => {
  const texts = grantTexts({
    ...wholeGrant('', 'town/*'),
    filters: [where('state', '==', 'CA')],
    fields: ['visits', 'city'],
    lens: {
      ...WHOLE_LENS,
      period: { start: '2024-01-01' },
      addressComponents: [{ component: 'city', values: ['A'] }],
      dimensions: [{ dimensionId: 'age', values: ['20-29'] }],
      features: ['1', '2'],
      relatedAddressComponents: [{ component: 'city', values: ['B'] }],
      relatedFeatures: ['3'],
    },
    showsSmallCells: true,
    liftsDefaultFilters: true,
  });
  expect(texts).toEqual([
    'state == CA',
    'fields visits,city',
    'city:A',
    'age:20-29',
    '2024-01-01/',
    'features 1,2',
    'related city:B',
    'related features 3',
    'small cells too',
    'default filters lifted',
  ]);
});
