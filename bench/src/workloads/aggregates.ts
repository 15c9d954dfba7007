import { CATEGORIES, monthStart, placeId } from '../dataset/world.ts';
import { drawIndex, type Random } from '../seeded-random.ts';
import { type AggregateQuery, GROWN, QUANTILE, TOTALS, YEAR } from './aggregate-queries.ts';
import { ORGANISATION } from './organisation.ts';
import { list, member, members } from './read-json.ts';
import type { Answer, Context, HttpRequest, Question, RequestWorkload, Shape } from './workload.ts';

/** W11: totals, comparisons and quantiles. */
export const AGGREGATES: readonly RequestWorkload[] = [
  aggregates({
    id: 'W11totals',
    title: 'visits of a category by state and month',
    query: TOTALS,
    draw: (random) => CATEGORIES[drawIndex(random, CATEGORIES.length)] ?? '',
    ours: (category) =>
      askMetric(
        ['count'],
        `groupBy=us_state_2020&groupBy=period:MONTH&addressComponentFilter=category:${encodeURIComponent(category)}&pageSize=1000`,
      ),
  }),
  aggregates({
    id: 'W11grown',
    title: 'the 10 places that grew most in a month',
    inFlight: 2,
    query: GROWN,
    draw: (random, { world }) => monthStart(world, 1 + drawIndex(random, world.months - 1)),
    ours: (month) =>
      askMetric(
        ['count', 'compared', 'change'],
        `groupBy=feature&observationPeriodFilter=${month}/${lastDayOf(month)}&compare=PREVIOUS&orderBy=sum_visit_count.change:DESC&pageSize=10`,
      ),
  }),
  aggregates({
    id: 'W11quantile',
    title: 'a quantile of all visits by month',
    query: QUANTILE,
    draw: (random) => `0.${50 + drawIndex(random, 50)}`,
    ours: (quantile) =>
      askGroups({
        bucket: 'MONTH',
        visits: { aggregation: 'QUANTILE', quantile: Number(quantile) },
      }),
  }),
  aggregates({
    id: 'W11year',
    title: 'visits of one place by year',
    query: YEAR,
    draw: (random, { world }) => placeId(drawIndex(random, world.places)),
    ours: (place) =>
      askGroups({
        bucket: 'YEAR',
        visits: { aggregation: 'SUM' },
        filters: [{ fieldName: 'location_id', operator: '==', value: place }],
      }),
  }),
];

type Asked = Omit<Question, 'expect' | 'read'> & {
  readonly readRows: (answer: Answer) => readonly (readonly unknown[])[];
};

/** A workload whose question is asked of our service, of the function of PostgreSQL and of DuckDB. */
function aggregates({
  id,
  title,
  query,
  draw,
  ours,
  ...others
}: {
  readonly id: string;
  readonly title: string;
  readonly inFlight?: number;
  readonly query: AggregateQuery;
  readonly draw: (random: Random, context: Context) => string;
  readonly ours: (parameter: string) => Asked;
}): RequestWorkload {
  const sqlOf = (parameter: string): string => query.sql(`'${parameter}'::${query.parameterType}`);
  const shape = (system: Shape['system'], ask: (parameter: string) => Asked): Shape => ({
    system,
    ask: (random, context) => {
      const parameter = draw(random, context);
      const { request, readRows } = ask(parameter);
      return {
        request,
        read: (answer) => ({ rows: rounded(readRows(answer)) }),
        expect: async (dataset) => ({ rows: rounded(await dataset.rows(sqlOf(parameter))) }),
      };
    },
  });
  return {
    ...others,
    id,
    title,
    protocol: 'http',
    shapes: new Map([
      ['ours', shape('ours', ours)],
      [
        'postgrest',
        shape('postgrest', (parameter) => ({
          request: get(`/rpc/${query.name}?parameter=${encodeURIComponent(parameter)}`),
          readRows: ({ body }) => list(body).map((row) => members(row, Object.keys(query.columns))),
        })),
      ],
      [
        'duckdb',
        shape('duckdb', (parameter) => ({
          request: { protocol: 'http', method: 'POST', path: '/', body: sqlOf(parameter) },
          readRows: ({ body }) => list(body).map(list),
        })),
      ],
    ]),
  };
}

/** Systems may interpolate a quantile in different ways, which differ in the last digits. */
function rounded(rows: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  return rows.map((row) =>
    row.map((value) => (typeof value === 'number' ? Number(value.toFixed(6)) : value)),
  );
}

/** A request for sums of the visits of the metric. The rows have the groups, and these members of the sum. */
function askMetric(names: readonly string[], query: string): Asked {
  const path = '/v1/catalogs/bench/metrics/visits_monthly/aggregates';
  return {
    request: get(`${path}?billingContext=${ORGANISATION}&aggregate=sum:visit_count&${query}`),
    readRows: ({ body }) =>
      list(member(body, 'rowsList')).map((row) => [
        ...list(member(row, 'groupsList')).map((group) => member(group, 'value')),
        ...list(member(row, 'valuesList')).flatMap((value) => members(value, names)),
      ]),
  };
}

/** A request for an aggregate of the visits of records, by spans of days. */
function askGroups({
  bucket,
  visits,
  filters = [],
}: {
  readonly bucket: string;
  readonly visits: object;
  readonly filters?: readonly object[];
}): Asked {
  const body = JSON.stringify({
    dataReferenceName: 'bench.visits',
    groupBy: [{ fieldName: 'observation_start_date', bucket }],
    fields: ['observation_start_date', { name: 'visits', ...visits }],
    filters,
    typedValues: true,
  });
  return {
    request: { protocol: 'http', method: 'POST', path: '/v3/catalog/listRecords', body },
    readRows: (answer) =>
      list(member(answer.body, 'records')).map((record) =>
        members(member(record, 'fields'), ['observation_start_date', 'visits']),
      ),
  };
}

function get(path: string): HttpRequest {
  return { protocol: 'http', method: 'GET', path };
}

function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
