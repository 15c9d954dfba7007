import { expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { where } from './filter-clause.ts';
import { refusalOf } from './refusal.ts';
import { defineTable } from './table.ts';

const PLACES = defineTable({
  name: 'conformance.places',
  fields: {
    id: 'integer',
    city: 'string',
    country: 'string',
    visits: 'integer',
    score: 'float',
    open: 'boolean',
    day: 'date',
    latitude: 'float',
    longitude: 'float',
    opened: 'date',
  },
  point: { latitude: 'latitude', longitude: 'longitude' },
  period: { start: 'day', end: 'day' },
  existence: { start: 'opened' },
  rows: [
    ['Bern', 'CH', 100n, 1, true, '2024-01-31', null],
    ['bern', 'CH', 21n, 1.5, false, '2024-02-01', null],
    ['Oberbern', 'CH', 12n, 10, true, '2024-12-01', '2025-01-01'],
    ['Aarberg', 'CH', -12n, 0.1, null, '2023-12-31', null],
    ['Zürich', 'CH', 120n, 1e21, true, '2024-01-31', null],
    ['Zurich', 'US', 2n ** 53n + 1n, 1e-7, true, '1899-12-31', null],
    ['BERN', 'US', null, null, null, null, null],
    [null, 'US', 100n, -1.5, null, '2024-02-01', null],
    ['Bern', null, 3n, 1e16, false, '0001-01-01', null],
  ].map(
    (
      [
        city = null,
        country = null,
        visits = null,
        score = null,
        open = null,
        day = null,
        opened = null,
      ],
      index,
    ) => ({
      id: BigInt(index),
      city,
      country,
      visits,
      score,
      open,
      day,
      opened,
      latitude: index,
      longitude: index,
    }),
  ),
});

describeOn(ENGINES)('searching the values of a field, $name engine', (engine) => {
  const service = useService(engine, PLACES);
  const { values } = service;
  const everything = { trim: 'ignore' } as const;

  test('without a term every distinct value is returned once, in order, without absent values', async () => {
    expect(await values('city', everything)).toEqual([
      'Aarberg',
      'BERN',
      'Bern',
      'Oberbern',
      'Zurich',
      'Zürich',
      'bern',
    ]);
    expect(await values('country')).toEqual(['CH', 'US']);
  });

  test('values have the type of the field', async () => {
    const { values: visits, field } = await service.searchFieldValues({ field: 'visits' });
    expect(visits).toEqual([-12n, 3n, 21n, 100n, 120n, 2n ** 53n + 1n]);
    expect(field.name).toBe('visits');
  });

  test('values that start with the term come first, then those that contain it', async () => {
    expect(await values('city', { term: 'ber', ...everything })).toEqual([
      'BERN',
      'Bern',
      'bern',
      'Aarberg',
      'Oberbern',
    ]);
  });

  test('a value that equals the term comes first, then those that are equal but for case and marks', async () => {
    const search = (term: string) => values('city', { term, ...everything });
    expect(await search('bern')).toEqual(['bern', 'BERN', 'Bern', 'Oberbern']);
    expect(await search('Zürich')).toEqual(['Zürich', 'Zurich']);
    expect(await search('Zu\u0308rich')).toEqual(['Zurich', 'Zürich']);
    expect(await search('zurich')).toEqual(['Zurich', 'Zürich']);
  });

  test('the term ignores case and diacritics', async () => {
    expect(await values('city', { term: 'ZÜR' })).toEqual(['Zurich', 'Zürich']);
    expect(await values('city', { term: 'zur' })).toEqual(['Zurich', 'Zürich']);
    expect(await values('city', { term: 'BERNA' })).toEqual([]);
  });

  test('a term of marks alone matches everything, as no term does', async () => {
    expect(await values('city', { term: '\u0308', ...everything })).toEqual(
      await values('city', everything),
    );
  });

  test('a term of white space is a term', async () => {
    expect(await values('city', { term: ' ' })).toEqual([]);
  });

  test('an integer is searched by its text', async () => {
    expect(await values('visits', { term: '12', ...everything })).toEqual(['12', '120', '-12']);
    expect(await values('visits', { term: '-' })).toEqual(['-12']);
    expect(await values('visits', { term: '9007199254740993' })).toEqual(['9007199254740993']);
    expect(await values('visits', { term: '9007199254740992' })).toEqual([]);
    expect(await values('visits', { term: '1,' })).toEqual([]);
  });

  test('a float is searched by its text on the wire', async () => {
    expect(await values('score', { term: '1', ...everything })).toEqual([
      '1',
      '1e-7',
      '1.5',
      '10',
      '10000000000000000',
      '1e+21',
      '-1.5',
      '0.1',
    ]);
    expect(await values('score', { term: 'E+' })).toEqual(['1e+21']);
    expect(await values('score', { term: '1.0' })).toEqual([]);
    expect(await values('score', { term: '.0' })).toEqual([]);
    expect(await values('score', { term: '1e+16' })).toEqual([]);
    expect(await values('score', { term: '00000001' })).toEqual([]);
  });

  test('a boolean is searched by true and false', async () => {
    expect(await values('open')).toEqual(['false', 'true']);
    expect(await values('open', { term: 'TR' })).toEqual(['true']);
    expect(await values('open', { term: 'e' })).toEqual(['false', 'true']);
    expect(await values('open', { term: '1' })).toEqual([]);
  });

  test('a date is searched by its text', async () => {
    expect(await values('day', { term: '01', ...everything })).toEqual([
      '0001-01-01',
      '2024-01-31',
      '2024-02-01',
      '2024-12-01',
    ]);
    expect(await values('day', { term: '01', trim: 'trim' })).toEqual([
      '0001-01-01',
      '2024-01-31',
      '2024-02-01',
    ]);
    expect(await values('day', { term: '1899-12' })).toEqual(['1899-12-31']);
    expect(await values('day', { term: '00:00' })).toEqual([]);
  });

  test('filters apply, also those on the field itself', async () => {
    expect(await values('city', { filters: [where('country', '==', 'US')] })).toEqual([
      'BERN',
      'Zurich',
    ]);
    expect(
      await values('city', {
        term: 'ber',
        filters: [where('city', 'ends_with', 'BERN')],
        ...everything,
      }),
    ).toEqual(['BERN', 'Bern', 'bern', 'Oberbern']);
    expect(await values('city', { filters: [where('city', 'is_empty')] })).toEqual([]);
  });

  test('the bounding box and the trim apply', async () => {
    const box = { minLng: 2, minLat: 2, maxLng: 4, maxLat: 4 };
    expect(await values('city', { box, trim: 'ignore' })).toEqual([
      'Aarberg',
      'Oberbern',
      'Zürich',
    ]);
    expect(await values('city', { box, trim: 'trim' })).toEqual(['Aarberg', 'Zürich']);
  });

  test('an order by the field itself may be descending; values that start with the term still come first', async () => {
    const orderBy = { fieldName: 'city', descending: true };
    expect(await values('city', { orderBy, term: 'ber', ...everything })).toEqual([
      'bern',
      'Bern',
      'BERN',
      'Oberbern',
      'Aarberg',
    ]);
    const ascending = { fieldName: 'city', descending: false };
    expect(await values('city', { orderBy: ascending })).toEqual(await values('city'));
  });

  test('an order by another field is refused', async () => {
    const orderBy = { fieldName: 'visits', descending: true };
    expect(
      await refusalOf(service.searchFieldValues({ field: 'city', orderBy })),
    ).toMatchInlineSnapshot(`
      "INVALID_OPTION at /options/orderBy/fieldName
      The distinct values of 'city' cannot be ordered by 'visits'.
      One value belongs to many records: order by 'city', or leave orderBy out."
    `);
    expect(
      await refusalOf(
        service.searchFieldValues({ field: 'city', orderBy: { ...orderBy, fieldName: 'cty' } }),
      ),
    ).toMatchInlineSnapshot(`
      "UNKNOWN_FIELD at /options/orderBy/fieldName
      Unknown field 'cty' in conformance.places.
      Did you mean 'city'?"
    `);
  });

  test('a term that no text can contain is refused', async () => {
    expect(
      await refusalOf(service.searchFieldValues({ field: 'city', term: 'a\0' })),
    ).toMatchInlineSnapshot(`
      "INVALID_SEARCH_TERM at /term
      The term contains U+0000 or a lone surrogate, which no stored text contains.
      Send well-formed Unicode text."
    `);
    expect(
      await refusalOf(service.searchFieldValues({ field: 'visits', term: '\udc00' })),
    ).toMatchInlineSnapshot(`
      "INVALID_SEARCH_TERM at /term
      The term contains U+0000 or a lone surrogate, which no stored text contains.
      Send well-formed Unicode text."
    `);
  });

  test.each([1, 2, 3, 4, 5, 6])(
    'pages of %d have each value once, in the same order',
    async (pageSize) => {
      const question = { term: 'ber', ...everything };
      const descending = { ...question, orderBy: { fieldName: 'city', descending: true } };
      expect(await values('city', { ...question, pageSize })).toEqual(
        await values('city', question),
      );
      expect(await values('city', { ...descending, pageSize })).toEqual(
        await values('city', descending),
      );
    },
  );

  test('countOnly counts the values and returns none', async () => {
    const count = async (term: string) => {
      const question = { field: 'city', term, countOnly: true, ...everything };
      const answer = await service.searchFieldValues(question);
      return [answer.totalSize, answer.values, answer.nextPageToken];
    };
    expect(await count('')).toEqual([7, [], '']);
    expect(await count('ber')).toEqual([5, [], '']);
    expect(await count('nowhere')).toEqual([0, [], '']);
  });

  test('without countOnly the values are not counted', async () => {
    expect((await service.searchFieldValues({ field: 'city' })).totalSize).toBeUndefined();
  });
});
