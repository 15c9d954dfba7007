import { monthStart } from '../dataset/world.ts';
import { drawIndex } from '../seeded-random.ts';
import {
  askRecords,
  COUNTS,
  expectRecords,
  PAGE_SIZE,
  readRecords,
  readRows,
  VISIT_FIELDS,
} from './records.ts';
import type { Question, RequestWorkload, Shape } from './workload.ts';

/** W5: the busiest months of all places since a date, with their total number. */
export const BUSIEST: RequestWorkload = {
  id: 'W5',
  title: 'date filter, order by visits, 100 rows, exact total',
  protocol: 'http',
  shapes: new Map<string, Shape>([
    ['ours', shape('ours', askOurs)],
    ...COUNTS.map(([name, headers]): [string, Shape] => [
      name,
      shape('postgrest', (since) => ({
        request: { protocol: 'http', method: 'GET', path: `/visits?${rowsQuery(since)}`, headers },
        read: readRows(VISIT_FIELDS, name === 'postgrestExactCount'),
      })),
    ]),
    [
      'postgrestSameShape',
      shape('postgrest', (since) => ({
        request: { protocol: 'http', method: 'GET', path: `/rpc/busiest_since?since=${since}` },
        read: readRecords(VISIT_FIELDS),
      })),
    ],
  ]),
};

function shape(system: Shape['system'], ask: (since: string) => Omit<Question, 'expect'>): Shape {
  return {
    system,
    ask: (random, { world }) => {
      const since = monthStart(world, drawIndex(random, world.months));
      return {
        ...ask(since),
        expect: (dataset) =>
          expectRecords(dataset, VISIT_FIELDS, {
            from: `visits WHERE observation_start_date >= '${since}'`,
            order: 'visits DESC, location_id, observation_start_date',
          }),
      };
    },
  };
}

function askOurs(since: string): Omit<Question, 'expect'> {
  return {
    request: askRecords('bench.visits', VISIT_FIELDS, {
      filters: [{ fieldName: 'observation_start_date', operator: '>=', value: since }],
      options: { orderBy: { fieldName: 'visits', direction: 'DESC' } },
    }),
    read: readRecords(VISIT_FIELDS),
  };
}

function rowsQuery(since: string): string {
  return `observation_start_date=gte.${since}&order=visits.desc,location_id,observation_start_date&limit=${PAGE_SIZE}`;
}
