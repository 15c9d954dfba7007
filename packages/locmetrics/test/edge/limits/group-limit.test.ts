import { type GrantTerms, wholeGrant } from '@locmetrics/core/domain/grant';
import { STATISTICS_DATES_MAX } from '@locmetrics/core/plan/plan-statistics';
import { GROUPS_MAX } from '@locmetrics/core/plan/read-plan';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRowsAlone } from '../../conformance/engines/engines.ts';
import { where } from '../../conformance/filter-clause.ts';
import { createTestData, type TestData } from '../test-data.ts';
import { openTestServer, type ServerOptions, type TestServer } from '../test-server.ts';

/**
 * The limit on the number of groups counts what the caller sees: withheld records and values do not make it smaller. Each
 * record is a group of its own.
 */
const HIDDEN = 4;
const RECORDS = GROUPS_MAX + HIDDEN;
const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.parse('1900-01-01');

/** The records have the numbers from 0. The first ones have sizes that are small cells, and dates that no other has. */
function filesOf(): Readonly<Record<string, string>> {
  const lines = Array.from({ length: RECORDS }, (_, id) => {
    const day = Math.min(id, STATISTICS_DATES_MAX + HIDDEN - 1) * DAY_MS + FIRST_DAY_MS;
    return `${id},${id},c${id},p,${new Date(day).toISOString().slice(0, 10)}`;
  });
  return {
    'locmetrics.yaml': MANIFEST,
    'places.csv': 'id,name\np,Place\n',
    'cells.csv': ['id,size,cell,place,day', ...lines, ''].join('\n'),
  };
}

const MANIFEST = `format: 1
datasets:
  town.places:
    files: places.csv
    key: [id]
    fields: { id: { type: string }, name: { type: string } }
  town.cells:
    files: cells.csv
    key: [id]
    period: { start: day, end: day }
    fields:
      id: { type: integer }
      size: { type: integer, suppress: { below: ${HIDDEN + 1} } }
      cell: { type: string }
      place: { type: string }
      day: { type: date }
layers:
  places: { dataset: town.places, feature_id: id, name: name }
metrics:
  town/cells:
    dataset: town.cells
    layer: places
    feature_id: place
    cadence: daily
    measure: { name: number, field: id, kind: count }
    dimensions:
      cell: { value: cell }
`;

const seesFrom = (id: number): readonly GrantTerms[] =>
  ['town.cells', 'town/cells'].map((resource) => ({
    ...wholeGrant('', resource),
    filters: [where('id', '>=', id)],
  }));

const GRANTS: Readonly<Record<string, readonly GrantTerms[]>> = {
  everything: [{ ...wholeGrant('', '*'), showsSmallCells: true }],
  'no small cells': [wholeGrant('', '*')],
  'as many as the limit': [...seesFrom(HIDDEN), wholeGrant('', 'town.places')],
  'one more than the limit': [...seesFrom(HIDDEN - 1), wholeGrant('', 'town.places')],
};

let data: TestData;
const tokens = new Map<string, string>();

beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(filesOf());
  for (const [index, [name, grants]] of Object.entries(GRANTS).entries()) {
    const organisationId = `organisation-${index}`;
    data.store.createOrganisation({ id: organisationId, name });
    for (const terms of grants) data.store.addGrant(organisationId, terms);
    tokens.set(name, data.store.createToken({ organisationId, name: 'test' }).tokenText);
  }
});
afterAll(() => data.remove());

const records = (body: object) => ({
  path: '/v3/catalog/listRecords',
  body: { dataReferenceName: 'town.cells', recordCount: true, pageSize: 1, ...body },
});
const BY_ID = records({ groupBy: [{ fieldName: 'id' }] });
const BY_SIZE = records({ groupBy: [{ fieldName: 'size' }] });
/** A filter on aggregates is applied to all groups that the SQL returns. */
const FILTERED = records({
  groupBy: [{ fieldName: 'id' }],
  groupFilters: [{ fieldName: 'record_count', operator: '>', value: '1' }],
});
const DATES = {
  path: '/v3alpha/catalog/listRecordsStatistics',
  body: { dataReferenceName: 'town.cells' },
};
const BY_CELL = {
  path: '/v1/catalogs/town/metrics/cells/aggregates',
  body: {
    groupBy: [{ kind: 'DIMENSION', id: 'cell' }],
    aggregates: [{ valueName: 'number', aggregation: 'MAX' }],
    pageSize: 1,
  },
};
type Asked = typeof BY_ID | typeof DATES | typeof BY_CELL;
type Case<Expected> = readonly [name: string, asked: Asked, expected: Expected];

/** The requests of a caller who sees as many groups as the limit. */
const ANSWERED: readonly Case<number>[] = [
  ['groups of records', BY_ID, GROUPS_MAX],
  ['groups that a filter on aggregates leaves', FILTERED, 0],
  ['dates of records', DATES, STATISTICS_DATES_MAX],
  ['groups of values of a metric', BY_CELL, GROUPS_MAX],
];
/** The requests of a caller who sees one group more. */
const REFUSED: readonly Case<string>[] = [
  ['groups of records', BY_ID, 'The records have more than 1000000 groups.'],
  [
    'groups that a filter on aggregates leaves',
    FILTERED,
    'The records have more than 1000000 groups.',
  ],
  ['dates of records', DATES, 'The records have more than 100000 observation dates.'],
  ['groups of values of a metric', BY_CELL, 'The values have more than 1000000 groups.'],
];

/** The stores as a service has them, which group in SQL, and the row store alone, which takes longer for each request. */
const ENGINES: Readonly<
  Record<string, { readonly options: ServerOptions; readonly asks: (asked: Asked) => boolean }>
> = {
  embedded: { options: {}, asks: () => true },
  rows: {
    options: { openEngine: ({ rows, columns }) => ({ ...columns, run: openRowsAlone(rows).run }) },
    asks: (asked) => asked === BY_ID,
  },
};

describe.each(Object.entries(ENGINES))(
  'the limit on groups, %s engine',
  { tags: 'slow' },
  (_engine, { options, asks }) => {
    let server: TestServer;
    beforeAll(async () => {
      server = await openTestServer(data, options);
    });
    afterAll(() => server.close());

    /** The number of groups, or the refusal. */
    const ask = async ({ path, body }: Asked, caller: string): Promise<unknown> => {
      const context = path === BY_CELL.path ? { billingContext: contextOf(caller) } : {};
      const { text } = await server.send(path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tokens.get(caller)}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ ...body, ...context }),
      });
      const { totalSize, statistics, reason, detail, hint } = JSON.parse(text);
      return totalSize ?? statistics?.length ?? { reason, detail, hint };
    };

    test.each(ANSWERED.filter(([, asked]) => asks(asked)))(
      '%s are answered up to it, without counting withheld records',
      async (_, asked, total) => {
        expect(await ask(asked, 'as many as the limit')).toBe(total);
      },
    );

    test.each(REFUSED.filter(([, asked]) => asks(asked)))(
      '%s beyond it are refused, and the refusal does not say how many there are',
      async (_, asked, detail) => {
        const refused = await ask(asked, 'one more than the limit');
        expect(refused).toMatchObject({ reason: 'TOO_MANY_GROUPS', detail });
        expect(await ask(asked, 'everything')).toEqual(refused);
      },
    );

    test('small cells that are withheld are no groups', async () => {
      expect(await ask(BY_SIZE, 'no small cells')).toBe(GROUPS_MAX);
      expect(await ask(BY_SIZE, 'everything')).toMatchObject({ reason: 'TOO_MANY_GROUPS' });
    });
  },
);

function contextOf(caller: string): string {
  return `organisation-${Object.keys(GRANTS).indexOf(caller)}`;
}
