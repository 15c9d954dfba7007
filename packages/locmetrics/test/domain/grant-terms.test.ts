import { checkGrantTerms, findGrant, WHOLE_LENS, wholeGrant } from '@locmetrics/core/domain/grant';
import { grantDays, grantTimes } from '@locmetrics/core/domain/grant-days';
import { describe, expect, test } from 'vitest';

describe('a pattern', () => {
  test.each([
    '*',
    '*.*',
    '*/*',
    'ml_visitation.*',
    'ml.pl*',
    'ml.places',
    'nps/*',
    'nps/foot_*',
    'a/b',
  ])('can be %s', (pattern) => {
    expect(() => checkGrantTerms(wholeGrant('', pattern))).not.toThrow();
  });

  test.each([
    ['', 'The pattern of the grant is missing.'],
    ...[
      'ml',
      'ml*',
      '**',
      '*.places',
      'ml.*.x',
      'ml.**',
      'ml.',
      '/x',
      'ML.places',
      'a.b.c',
      'a.b/c',
      ' a.b',
      'a.b\n',
      `a.${'b'.repeat(199)}`,
    ].map((pattern) => [pattern, 'is not a pattern.']),
  ])('cannot be %j', (pattern, message) => {
    expect(() => checkGrantTerms(wholeGrant('', pattern))).toThrow(message);
  });
});

test('of the grants that match a dataset, only the most specific counts', () => {
  const grants = ['*', '*.*', 'ml.*', 'ml.pla*', 'ml.places', 'ml/places'].map((pattern) =>
    wholeGrant(pattern, pattern),
  );
  const decides = (name: string) => findGrant(grants, name)?.grantId;
  expect(['ml.places', 'ml.plans', 'ml.x', 'other.x', 'ml/places', 'ml/x'].map(decides)).toEqual([
    'ml.places',
    'ml.pla*',
    'ml.*',
    '*.*',
    'ml/places',
    '*',
  ]);
  expect(findGrant([wholeGrant('', 'ml.*')], 'ml/places')).toBeUndefined();
});

describe('a narrowing of a grant', () => {
  const filters = [{ fieldName: 'a', operator: '==', value: 'b', values: [] }];
  const lens = { ...WHOLE_LENS, features: ['1'] };

  test.each([
    [{ ...wholeGrant('', 'a.*'), filters, fields: ['a'] }],
    [{ ...wholeGrant('', 'a/*'), filters, fields: ['a'], lens, liftsDefaultFilters: true }],
    [{ ...wholeGrant('', '*'), showsSmallCells: true, liftsDefaultFilters: true }],
  ])('can be %j', (terms) => {
    expect(() => checkGrantTerms(terms)).not.toThrow();
  });

  test.each([
    [{ ...wholeGrant('', '*'), filters }, "Filters cannot be combined with the pattern '*'."],
    [{ ...wholeGrant('', '*'), fields: ['a'] }, "Fields cannot be combined with the pattern '*'."],
    [
      { ...wholeGrant('', '*'), lens },
      'Only metrics can be narrowed by period, dimension, component or feature, not',
    ],
    [
      { ...wholeGrant('', 'a.*'), lens },
      'Only metrics can be narrowed by period, dimension, component or feature, not',
    ],
    [
      { ...wholeGrant('', 'a.*'), liftsDefaultFilters: true },
      'Only metrics have default filters to lift',
    ],
    [{ ...wholeGrant('', 'a.*'), fields: [] }, 'The list of fields is empty'],
  ])('cannot be %j', (terms, message) => {
    expect(() => checkGrantTerms(terms)).toThrow(message);
  });
});

test('a grant is valid on its last day', () => {
  const times = grantTimes({ from: '2024-02-28', until: '2024-02-29' });
  expect(times).toEqual({
    starts: Date.parse('2024-02-28T00:00:00Z'),
    ends: Date.parse('2024-03-01T00:00:00Z'),
  });
  expect(grantDays(times)).toEqual({ from: '2024-02-28', until: '2024-02-29' });
  expect(grantDays(grantTimes({}))).toEqual({});
  expect(() => grantTimes({ until: '2023-02-29' })).toThrow("'2023-02-29' is not a calendar date.");
});
