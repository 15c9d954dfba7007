import type { FilterClause } from '@locmetrics/core/domain/filter';
import type { GeoCircle } from '@locmetrics/core/geometry/circle';
import type { TileAddress } from '@locmetrics/core/geometry/tile';
import { planTile } from '@locmetrics/core/plan/plan-tile';
import type {
  AggregateSelection,
  ReadTileRequest,
} from '@locmetrics/core/requests/catalog-request';
import type { Tile } from '@locmetrics/core/storage/engine';
import fc from 'fast-check';
import type { EngineUnderTest } from '../engines/engine-under-test.ts';
import { openService, type ServiceUnderTest } from '../engines/service-under-test.ts';
import { type CallQuestion, toCall } from '../engines/test-call.ts';
import { randomCircle } from '../random/random-circle.ts';
import { withRandomLogic } from '../random/random-logic.ts';
import { randomFilter } from '../random/random-question.ts';
import { FIELDS } from '../random/random-table.ts';
import { refusalOf } from '../refusal.ts';
import type { Table } from '../table.ts';
import { type TestPolygon, toPolygon } from './test-polygon.ts';

/** A question for a tile, with only the members that matter. */
export type TileQuestion = CallQuestion & {
  readonly dataset: string;
  readonly tile: TileAddress;
  readonly filters?: readonly FilterClause[];
  readonly filterLogic?: string;
  readonly polygon?: TestPolygon;
  readonly circle?: GeoCircle;
  readonly fields?: readonly string[];
  readonly aggregates?: readonly AggregateSelection[];
  /** Instead of the 2,000 of the service, so that a small table has cells. */
  readonly limit?: number;
};

export function toTileRequest(question: TileQuestion): ReadTileRequest {
  return {
    dataReferenceName: question.dataset,
    tile: question.tile,
    filters: question.filters ?? [],
    filterLogic: question.filterLogic ?? '',
    fields: question.fields ?? [],
    ...(question.polygon === undefined ? {} : { polygon: toPolygon(question.polygon) }),
    ...(question.circle === undefined ? {} : { circle: question.circle }),
    aggregates: question.aggregates ?? [],
    billingContext: '',
    asOf: '',
  };
}

/** The tile as the engine of a service answers its plan. */
export async function askTile(service: ServiceUnderTest, question: TileQuestion): Promise<Tile> {
  const { engine, catalogFor } = service.context();
  const { caller, signal } = toCall(question);
  const version = catalogFor(caller).snapshot().datasets.get(question.dataset);
  if (version === undefined) throw new Error(`There is no ${question.dataset}.`);
  const plan = planTile(toTileRequest(question), version);
  return engine.run({ ...plan, limit: question.limit ?? plan.limit }, signal);
}

/** A tile, or why there is none. */
export type TileAnswer = Tile | { readonly kind: 'refused'; readonly refusal: string };

/** Adds up the points, cells and aggregates of tiles, so that a random test can tell whether it has seen enough. */
export function countTiles(
  tiles: readonly TileAnswer[],
  seen: { points: number; cells: number; aggregates: number },
): void {
  for (const tile of tiles) {
    if (tile.kind === 'refused') continue;
    if (tile.kind === 'points') {
      seen.points += tile.rows.length;
      continue;
    }
    seen.cells += tile.cells.length;
    const values = tile.cells.flatMap((cell) => cell.values);
    seen.aggregates += values.filter((value) => value !== null).length;
  }
}

/** The tiles of one table from an engine, one after the other. */
export async function askTiles(
  engine: EngineUnderTest,
  table: Table,
  questions: readonly TileQuestion[],
): Promise<readonly TileAnswer[]> {
  const service = await openService(engine, [table]);
  try {
    const tiles: TileAnswer[] = [];
    for (const question of questions) {
      const reading = askTile(service, question);
      tiles.push(
        await reading.catch(
          async () => ({ kind: 'refused', refusal: await refusalOf(reading) }) as const,
        ),
      );
    }
    return tiles;
  } finally {
    await service.close();
  }
}

/** Any tile of the first zooms. */
const randomTile: fc.Arbitrary<TileAddress> = fc.integer({ min: 0, max: 3 }).chain((z) => {
  const place = fc.integer({ min: 0, max: 2 ** z - 1 });
  return fc.record({ z: fc.constant(z), x: place, y: place });
});

/** A sum of a coordinate is refused, and that of a number in the key. */
const aggregate = fc.record({
  function: fc.constantFrom('sum', 'mean', 'mean'),
  fieldName: fc.constantFrom('count', 'count', 'score', 'score', 'number', 'latitude'),
});

/** Any question for a tile of a random table. */
export const randomTileQuestion = fc
  .record({
    tile: randomTile,
    filters: fc.oneof(fc.constant([]), fc.array(randomFilter, { minLength: 1, maxLength: 2 })),
    fields: fc.subarray(Object.keys(FIELDS)),
    aggregates: fc.uniqueArray(aggregate, {
      maxLength: 4,
      selector: ({ function: of, fieldName }) => `${of} ${fieldName}`,
    }),
    limit: fc.constantFrom(0, 1, 2, 3, 10, 2000),
    circle: fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 8 },
      { arbitrary: randomCircle, weight: 1 },
    ),
  })
  .map(({ circle, ...question }) => (circle === undefined ? question : { ...question, circle }))
  .chain(withRandomLogic);
