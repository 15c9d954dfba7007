import { wholeGrant } from '@locmetrics/core/domain/grant';
import { createRights } from '@locmetrics/core/domain/rights';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCaller } from '../support/test-caller.ts';
import { announceSeed } from '../support/test-seed.ts';
import { ENGINES } from './engines/engines.ts';
import { useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { where, whereIn } from './filter-clause.ts';
import { randomLogic, type WrittenLogic, writeLogic } from './random/random-logic.ts';
import { refusalOf } from './refusal.ts';
import { defineTable } from './table.ts';

const ROWS = [
  { id: 'a', city: 'Zürich', count: 3n, isOpen: true },
  { id: 'b', city: 'Zug', count: 40n, isOpen: false },
  { id: 'c', city: null, count: 500n, isOpen: true },
  { id: 'd', city: 'Bern', count: null, isOpen: null },
  { id: 'e', city: 'Zürich', count: 7n, isOpen: false },
  { id: 'f', city: 'Bern', count: 40n, isOpen: true },
] as const;

const FILTERS = [
  where('city', '==', 'Zürich'),
  where('count', '>=', '40'),
  where('isOpen', '==', 'true'),
  where('city', 'contains', 'z'),
  whereIn('id', 'in', ['a', 'd', 'f']),
  where('count', 'is_empty'),
];

describeOn(ENGINES)('filter logic, $name engine', (engine) => {
  const { column, values, recordPages, listRecords } = useService(
    engine,
    defineTable({
      name: 'conformance.logic',
      fields: {
        id: 'string',
        city: 'string',
        count: { type: 'integer', suppressBelow: 5 },
        isOpen: 'boolean',
      },
      rows: ROWS.map((row) => ({ ...row })),
    }),
  );
  const idsWhere = (filterLogic: string, count = 3) =>
    column('id', { filters: FILTERS.slice(0, count), filterLogic });

  test.each([
    ['$0 AND $1 AND $2', []],
    ['$0 OR $1 OR $2', ['a', 'b', 'c', 'e', 'f']],
    ['$0 OR $1 AND $2', ['a', 'c', 'e', 'f']],
    ['($0 OR $1) AND $2', ['a', 'c', 'f']],
    ['$2 AND ($1 OR $0)', ['a', 'c', 'f']],
    ['NOT $0 AND $1 AND $2', ['c', 'f']],
    ['NOT ($0 AND $1 AND $2)', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['NOT ($0 OR $1 OR $2)', ['d']],
    ['NOT NOT $0 AND NOT $1 AND NOT $2', ['e']],
    [' ( ($0)or\n$1 )and not\t$2 ', ['b', 'e']],
    ['$0 AND $0 AND ($1 OR $1 OR $2)', ['a']],
  ])('%j finds %j', async (logic, expected) => {
    expect(await idsWhere(logic)).toEqual(expected);
  });

  test('a filter on an absent value does not match, and NOT of it matches', async () => {
    for (const filter of [where('count', '>=', '0'), where('count', '<', '0')]) {
      const ids = await column('id', { filters: [filter], filterLogic: 'NOT $0' });
      expect(ids).toContain('d');
    }
    for (const operator of ['==', '!=', 'contains', 'starts_with'] as const) {
      const filters = [where('city', operator, 'Genf')];
      expect(await column('id', { filters })).not.toContain('c');
      expect(await column('id', { filters, filterLogic: 'NOT $0' })).toContain('c');
    }
  });

  test('a withheld value is absent in every expression', async () => {
    const caller = {
      ...createCaller({ organisationId: 'acme', tokenId: 'token' }),
      rights: createRights({
        organisationId: 'acme',
        grants: [{ ...wholeGrant('small', 'conformance.logic'), showsSmallCells: false }],
      }),
    };
    const ids = (filterLogic: string, ...filters: readonly (typeof FILTERS)[number][]) =>
      column('id', { caller, filters, filterLogic });
    // The count of a is 3, and below 5.
    expect(await ids('$0', where('count', '<', '5'))).toEqual([]);
    expect(await ids('NOT $0', where('count', '<', '5'))).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(await ids('NOT $0', where('count', '>=', '5'))).toEqual(['a', 'd']);
    expect(await ids('$0 OR $1', where('count', '==', '3'), where('id', '==', 'd'))).toEqual(['d']);
    expect(await ids('$0', where('count', 'is_empty'))).toEqual(['a', 'd']);
  });

  test('random expressions find what their filters find one by one', async () => {
    const seed = announceSeed('filter logic');
    const all = new Set<string>(ROWS.map(({ id }) => id));
    const found = await Promise.all(
      FILTERS.map(async (filter) => new Set(await column('id', { filters: [filter] }))),
    );
    const idsOf = (logic: WrittenLogic): ReadonlySet<string> => {
      switch (logic.kind) {
        case 'filter':
          return found[logic.index] ?? all;
        case 'not':
          return all.difference(idsOf(logic.part));
        case 'all':
          return logic.parts.map(idsOf).reduce((left, right) => left.intersection(right), all);
        case 'any':
          return logic.parts.map(idsOf).reduce((left, right) => left.union(right), new Set());
      }
    };
    await fc.assert(
      fc.asyncProperty(randomLogic(FILTERS.length), async (logic) => {
        const ids = await column('id', { filters: FILTERS, filterLogic: writeLogic(logic) });
        expect(ids).toEqual([...idsOf(logic)].sort());
      }),
      { seed, numRuns: 40 },
    );
  });

  test('values are searched in the records that match, with all pages, totals and an order', async () => {
    const question = {
      filters: FILTERS.slice(0, 2),
      filterLogic: '$0 OR $1',
      orderBy: { fieldName: 'count', descending: true },
      pageSize: 2,
    };
    const pages = await recordPages({ ...question, fields: ['id'] });
    expect(pages.map(({ rows }) => rows.flat())).toEqual([['c', 'b'], ['f', 'e'], ['a']]);
    expect(pages.map(({ totalSize }) => totalSize)).toEqual([5, 5, 5]);
    const { orderBy: _orderBy, ...unordered } = question;
    expect(await values('city', unordered)).toEqual(['Bern', 'Zug', 'Zürich']);
    expect(await values('city', { ...unordered, filterLogic: '$0 AND NOT $1' })).toEqual([
      'Zürich',
    ]);
  });

  test('a page token of another expression is refused', async () => {
    const question = { filters: FILTERS.slice(0, 2), filterLogic: '$0 OR $1', pageSize: 1 };
    const { nextPageToken: pageToken } = await listRecords(question);
    for (const filterLogic of ['$0 OR NOT $1', '']) {
      const other = listRecords({ ...question, pageToken, filterLogic });
      expect(await refusalOf(other)).toContain('INVALID_PAGE_TOKEN');
    }
  });

  test('filters are checked before they are combined', async () => {
    const filters = [where('city', '==', 'Zug'), where('cuont', '>', '1')];
    const refused = await refusalOf(listRecords({ filters, filterLogic: '$0 OR $1' }));
    expect(refused).toContain('UNKNOWN_FIELD at /filters/1/fieldName');
  });
});
