import { askOnce } from '../ask-once.ts';
import { monthStart, placeId, type World } from '../dataset/world.ts';
import type { Target } from '../driver/load-order.ts';
import { drawIndex } from '../seeded-random.ts';
import { member } from './read-json.ts';
import {
  askRecords,
  expectRecords,
  PAGE_SIZE,
  readRecords,
  readRows,
  VISIT_FIELDS,
} from './records.ts';
import type { Context, Question, RequestWorkload, Shape } from './workload.ts';

/** W4: a page of records with 10,000 records before it. */
export const DEEP_PAGE: RequestWorkload = {
  id: 'W4',
  title: 'page 10,000 deep, 100 rows',
  protocol: 'http',
  shapes: new Map<string, Shape>([
    ['ours', shape('ours', askOurs)],
    ['oursFirstPage', { system: 'ours', ask: () => ({ ...askFirstPage(), expect: expectAt(0) }) }],
    ['postgrest', shape('postgrest', (rowsBefore) => askRows(`offset=${rowsBefore}`))],
    [
      'postgrestKeyset',
      shape('postgrest', (rowsBefore, { world }) => askRows(keysetAfter(world, rowsBefore))),
    ],
  ]),
};

/**
 * Pages to the deep pages and keeps their tokens. It uses big pages on the way, because only the page size
 * may change.
 */
export async function findPageTokens(
  target: Target,
  world: World,
): Promise<ReadonlyMap<number, string>> {
  const tokens = new Map<number, string>();
  let rows = 0;
  let pageToken = '';
  for (const offset of deepOffsets(world)) {
    while (rows < offset) {
      const pageSize = Math.min(PAGE_SIZE_MAX, offset - rows);
      const request = askRecords('bench.visits', VISIT_FIELDS, { pageSize, pageToken });
      const { body } = await askOnce(target, request);
      pageToken = String(member(body, 'nextPageToken'));
      rows += pageSize;
    }
    tokens.set(offset, pageToken);
  }
  return tokens;
}

const PAGE_SIZE_MAX = 10_000;
const DEPTH_PAGES = 10_000;
/** The number of deep pages. There are several, so that not just one of them is in the cache. */
const DEEP_PAGES_COUNT = 20;

/** The number of rows before each deep page. In a small dataset, the pages are in the middle. */
function deepOffsets({ places, months }: World): readonly number[] {
  const fullPages = Math.floor((places * months) / PAGE_SIZE);
  const depth = Math.max(1, Math.min(DEPTH_PAGES, Math.floor(fullPages / 2)));
  const count = Math.max(1, Math.min(DEEP_PAGES_COUNT, fullPages - depth));
  return Array.from({ length: count }, (_, index) => (depth + index) * PAGE_SIZE);
}

function shape(
  system: Shape['system'],
  ask: (rowsBefore: number, context: Context) => Omit<Question, 'expect'>,
): Shape {
  return {
    system,
    ask: (random, context) => {
      const offsets = deepOffsets(context.world);
      const offset = offsets[drawIndex(random, offsets.length)] ?? 0;
      return {
        ...ask(offset, context),
        expect: expectAt(offset),
      };
    },
  };
}

function expectAt(offset: number): Question['expect'] {
  return (dataset) =>
    expectRecords(dataset, VISIT_FIELDS, {
      from: 'visits',
      order: 'location_id, observation_start_date',
      offset,
    });
}

function askFirstPage(): Omit<Question, 'expect'> {
  return {
    request: askRecords('bench.visits', VISIT_FIELDS, {}),
    read: readRecords(VISIT_FIELDS),
  };
}

function askOurs(rowsBefore: number, { pageTokens }: Context): Omit<Question, 'expect'> {
  return {
    request: askRecords('bench.visits', VISIT_FIELDS, { pageToken: pageTokens.get(rowsBefore) }),
    read: readRecords(VISIT_FIELDS),
  };
}

function askRows(position: string): Omit<Question, 'expect'> {
  const path = `/visits?${position}&order=location_id,observation_start_date&limit=${PAGE_SIZE}`;
  return {
    request: { protocol: 'http', method: 'GET', path },
    read: readRows(VISIT_FIELDS, false),
  };
}

/** The condition for the rows after a row, as a client writes it. The first part lets an index be used. */
function keysetAfter(world: World, rowsBefore: number): string {
  const last = rowsBefore - 1;
  const place = placeId(Math.floor(last / world.months));
  const month = monthStart(world, last % world.months);
  return `location_id=gte.${place}&or=(location_id.gt.${place},and(location_id.eq.${place},observation_start_date.gt.${month}))`;
}
