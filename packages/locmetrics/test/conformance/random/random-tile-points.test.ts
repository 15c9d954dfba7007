// @module-tag sized

import { TILE_CELLS, tileGrid } from '@locmetrics/core/geometry/tile';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertRandom } from '../../support/assert-random.ts';
import { evenly } from '../../support/evenly.ts';
import { atLeast, testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';
import { askTiles, countTiles } from '../areas/tile-question.ts';
import { COMPARED, rowEngineWith } from '../engines/engines.ts';
import { memoryEngine } from '../engines/memory-engine.ts';
import { where } from '../filter-clause.ts';
import { defineTable, type Table } from '../table.ts';

/*
 * Many points around a place, on the edges of rows and columns, next to these, and between them, in tiles of all zooms.
 * The row store must answer by the blocks of points, the column store by its estimates of rows.
 */

/** The number of tables. Each gets 30 questions. */
const TABLES = testCount('TABLES', { few: 2, all: 60 });
const DATASET = 'conformance.many_points';

const seen = { counted: 0, inside: 0, atEdges: 0, left: 0, points: 0, cells: 0, aggregates: 0 };
const rowEngine = rowEngineWith({
  onAccess: (access) => {
    if (access.kind !== 'tile') return;
    seen.counted += access.counted.length;
    seen.inside += access.inside.length;
    seen.atEdges += access.atEdges.length;
  },
  onLeft: () => {
    seen.left += 1;
  },
});
const COMPARED_HERE = [rowEngine, ...COMPARED.filter(({ name }) => name !== 'rows')];
const TIMEOUT_MS = 1_800_000 + TABLES * 3_000 * COMPARED_HERE.length;

test(
  'every engine puts points on edges into the cells of the plain reference',
  async () => {
    const seed = announceSeed('random tile points');
    const property = fc.asyncProperty(place, fc.gen(), async (around, draw) => {
      const table = draw(tableAround, around);
      const questions = draw(questionsAround, around);
      const asked = questions.map((question) => ({ ...question, dataset: DATASET }));
      const expected = await askTiles(memoryEngine, table, asked);
      countTiles(expected, seen);
      for (const engine of COMPARED_HERE) {
        expect(await askTiles(engine, table, asked), engine.name).toStrictEqual(expected);
      }
    });
    await assertRandom(property, {
      seed,
      numRuns: TABLES,
      verbose: fc.VerbosityLevel.Verbose,
      timeoutMs: TIMEOUT_MS,
    });
  },
  TIMEOUT_MS,
);

test('the row store was asked in each of its ways', () => {
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(atLeast(TABLES));
});

type Place = { readonly z: number; readonly x: number; readonly y: number };

/** A tile around which the points are. */
const place: fc.Arbitrary<Place> = fc.integer({ min: 0, max: 16 }).chain((z) => {
  const share = fc.integer({ min: 0, max: 2 ** z - 1 });
  return fc.record({ z: fc.constant(z), x: share, y: share });
});

/** Numbers that are added as such, and others that are not. */
const integer = fc.oneof(
  { weight: 5, arbitrary: fc.bigInt({ min: -1000n, max: 1000n }) },
  { weight: 1, arbitrary: fc.constantFrom(2n ** 62n, -(2n ** 40n), 2n ** 33n + 1n) },
);
const float = fc.oneof(
  { weight: 5, arbitrary: evenly(-1e6, 1e6) },
  { weight: 1, arbitrary: fc.constantFrom(0.1, -1e-9, 1e15 + 0.5, 5e-324, -0) },
);

function tableAround(around: Place): fc.Arbitrary<Table> {
  const grid = tileGrid(around);
  const edge = fc.constantFrom(...grid.edges);
  const columnEdge = fc
    .integer({ min: 0, max: TILE_CELLS })
    .map((column) => grid.west + column / grid.columnsPerDegree);
  const [north = 0, south = 0] = [grid.edges[0], grid.edges.at(-1)];
  const near = (arbitrary: fc.Arbitrary<number>, limit: number): fc.Arbitrary<number> =>
    fc
      .tuple(arbitrary, fc.constantFrom(-1, 0, 1))
      .map(([value, steps]) => Math.max(-limit, Math.min(limit, nextTo(value, steps))));
  const row = fc.record({
    latitude: fc.oneof(near(edge, 90), evenly(south, north)),
    longitude: fc.oneof(near(columnEdge, 180), evenly(grid.west, grid.east)),
    sorted: integer,
    plain: fc.option(integer),
    area: fc.option(float),
  });
  return fc.array(row, { minLength: 20, maxLength: 150, size: 'max' }).map((rows) =>
    defineTable({
      name: DATASET,
      fields: {
        id: 'string',
        latitude: { type: 'float' },
        longitude: { type: 'float' },
        sorted: { type: 'integer', sorted: true },
        plain: 'integer',
        area: { type: 'float', sorted: true, additive: 'all' },
      },
      point: { latitude: 'latitude', longitude: 'longitude' },
      rows: rows.map((values, index) => ({ id: String(index).padStart(4, '0'), ...values })),
    }),
  );
}

/** The float so many steps from another. */
function nextTo(value: number, steps: number): number {
  return value + steps * Math.max(Math.abs(value), 1e-300) * 2 ** -52;
}

function questionsAround({ z, x, y }: Place) {
  // The tile itself, one that has it, or one in it.
  const tile = fc.integer({ min: Math.max(-z, -3), max: Math.min(16 - z, 2) }).chain((deeper) => {
    const scale = 2 ** Math.max(deeper, 0);
    const inside = fc.integer({ min: 0, max: scale - 1 });
    const up = 2 ** Math.max(-deeper, 0);
    return fc.record({
      z: fc.constant(z + deeper),
      x: inside.map((more) => Math.floor(x / up) * scale + more),
      y: inside.map((more) => Math.floor(y / up) * scale + more),
    });
  });
  const filters = fc.constantFrom(
    [],
    [],
    [where('sorted', '>', '0')],
    [where('plain', '<', '500')],
    [where('plain', '!=', '7'), where('area', '<=', '1000')],
  );
  const aggregate = (of: string, fieldName: string) => ({ function: of, fieldName });
  const aggregates = fc.constantFrom(
    [],
    [],
    [aggregate('sum', 'sorted'), aggregate('mean', 'area')],
    [aggregate('sum', 'area'), aggregate('mean', 'latitude')],
    [aggregate('mean', 'plain')],
  );
  const fields = fc.constantFrom([], ['plain'], ['area', 'sorted', 'latitude']);
  const limit = fc.constantFrom(1, 5, 20, 2000);
  return fc.array(fc.record({ tile, filters, aggregates, fields, limit }), {
    minLength: 30,
    maxLength: 30,
  });
}
