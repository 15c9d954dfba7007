import { TILE_CELLS } from '@locmetrics/core/geometry/tile';
import type { Tile } from '@locmetrics/core/storage/engine';
import { describeTiles } from '@locmetrics/server/service/tiles/describe-tiles';
import { pinTile, readTile } from '@locmetrics/server/service/tiles/read-tile';
import { expect, test } from 'vitest';
import { ENGINES } from '../engines/engines.ts';
import { useService } from '../engines/service-under-test.ts';
import { toCall } from '../engines/test-call.ts';
import { describeOn } from '../engines/test-on.ts';
import { where } from '../filter-clause.ts';
import { refusalOf } from '../refusal.ts';
import { defineTable } from '../table.ts';
import { askTile, type TileQuestion, toTileRequest } from './tile-question.ts';

const POINTS = defineTable({
  name: 'conformance.tiled',
  fields: {
    id: 'string',
    name: 'string',
    latitude: 'float',
    longitude: 'float',
    people: 'integer',
    area: 'float',
  },
  point: { latitude: 'latitude', longitude: 'longitude' },
  rows: [
    place('bern', 46.948, 7.4474, 10n, 0.1),
    place('biel', 47.1368, 7.2468, 2n ** 63n - 1n, 0.2),
    place('east', 5, 180, 1n, 1e300),
    place('equator', 0, 30, null, null),
    place('nowhere', null, null, 1n, 1),
    place('null_island', 0, 0, -3n, 1.5),
    place('pole', 90, 0, 1n, 1),
    place('thun', 46.758, 7.628, 2n ** 63n - 1n, 0.3),
    place('west', 5, -180, 7n, -1e-9),
  ],
});
const NO_POINTS = defineTable({
  name: 'conformance.no_points',
  fields: { id: 'string', latitude: 'float', longitude: 'float' },
  rows: [{ id: 'bern', latitude: 46.948, longitude: 7.4474 }],
});

function place(
  id: string,
  latitude: number | null,
  longitude: number | null,
  people: bigint | null,
  area: number | null,
) {
  return { id, name: id.toUpperCase(), latitude, longitude, people, area };
}

describeOn(ENGINES)('tiles, $name engine', (engine) => {
  const service = useService(engine, POINTS, NO_POINTS);
  const ask = (question: Omit<TileQuestion, 'dataset'>): Promise<Tile> =>
    askTile(service, { dataset: 'conformance.tiled', ...question });
  const idsIn = async (z: number, x: number, y: number): Promise<readonly unknown[]> => {
    const tile = await ask({ tile: { z, x, y } });
    return tile.kind === 'points' ? tile.rows.map((row) => row.at(-1)) : ['cells'];
  };

  test('few records are points with their longitude, latitude, key and asked fields', async () => {
    const tile = { z: 4, x: 8, y: 5 };
    const filters = [where('id', '==', 'bern')];
    expect(await ask({ tile, filters })).toEqual({
      kind: 'points',
      rows: [[7.4474, 46.948, 'bern']],
    });
    expect(await ask({ tile, filters, fields: ['people', 'name'] })).toEqual({
      kind: 'points',
      rows: [[7.4474, 46.948, 'bern', 'BERN', 10n]],
    });
  });

  test('a tile without records has no points', async () => {
    expect(await ask({ tile: { z: 2, x: 0, y: 3 } })).toEqual({ kind: 'points', rows: [] });
  });

  test('the tile of the earth has every record with a point, except near the poles', async () => {
    expect(await idsIn(0, 0, 0)).toEqual([
      'bern',
      'biel',
      'east',
      'equator',
      'null_island',
      'thun',
      'west',
    ]);
  });

  test('a record on an edge belongs to the tile in the south or in the east of it', async () => {
    expect(await idsIn(1, 1, 1)).toEqual(['equator', 'null_island']);
    expect(await idsIn(1, 1, 0)).toEqual(['bern', 'biel', 'east', 'thun']);
    expect(await idsIn(1, 0, 0)).toEqual(['west']);
    expect(await idsIn(1, 0, 1)).toEqual([]);
  });

  test('many records are cells with their counts and exact aggregates', async () => {
    const aggregates = [
      { function: 'sum', fieldName: 'people' },
      { function: 'mean', fieldName: 'people' },
      { function: 'sum', fieldName: 'area' },
      { function: 'mean', fieldName: 'area' },
    ];
    expect(await ask({ tile: { z: 0, x: 0, y: 0 }, limit: 3, aggregates })).toEqual({
      kind: 'cells',
      cells: [
        { row: 22, column: 33, count: 3, values: [2n ** 64n + 8n, 2 ** 64 / 3, 0.6, 0.6 / 3] },
        { row: 31, column: 0, count: 1, values: [7n, 7, -1e-9, -1e-9] },
        // A value beyond 64 bits is not added.
        { row: 31, column: 63, count: 1, values: [1n, 1, null, null] },
        { row: 32, column: 32, count: 1, values: [-3n, -3, 1.5, 1.5] },
        { row: 32, column: 37, count: 1, values: [null, null, null, null] },
      ].map((cell) => ({ ...cell, values: cell.values.map(nearly) })),
    });
  });

  test('all cells of all tiles of a zoom together have each record once', async () => {
    const count = async (z: number): Promise<number> => {
      let records = 0;
      for (let x = 0; x < 2 ** z; x += 1) {
        for (let y = 0; y < 2 ** z; y += 1) {
          const tile = await ask({ tile: { z, x, y }, limit: 0 });
          if (tile.kind === 'points') continue;
          for (const cell of tile.cells) {
            records += cell.count;
            expect(cell.row).toBeLessThan(TILE_CELLS);
            expect(cell.column).toBeLessThan(TILE_CELLS);
          }
        }
      }
      return records;
    };
    expect(await Promise.all([0, 1, 2, 3].map(count))).toEqual([7, 7, 7, 7]);
  });

  test('filters apply to points and to cells', async () => {
    const tile = { z: 0, x: 0, y: 0 };
    const filters = [where('people', '<', 10)];
    expect(await ask({ tile, filters, limit: 2 })).toMatchObject({
      kind: 'cells',
      cells: [{ count: 1 }, { count: 1 }, { count: 1 }],
    });
    expect(await ask({ tile, filters, limit: 3 })).toMatchObject({ kind: 'points' });
  });

  const boundsOf = async (question: Partial<TileQuestion>) => {
    const tile = { z: 0, x: 0, y: 0 };
    const asked = toTileRequest({ dataset: 'conformance.tiled', tile, ...question });
    const pinned = pinTile(service.context(), asked, toCall({}));
    return (await describeTiles(service.context(), pinned, toCall({}))).bounds;
  };

  test('the bounds are those of the records that have tiles and match the filters', async () => {
    expect(await boundsOf({})).toEqual([-180, 0, 180, 47.1368]);
    expect(await boundsOf({ filters: [where('name', '==', 'BERN')] })).toEqual([
      7.4474, 46.948, 7.4474, 46.948,
    ]);
    expect(await boundsOf({ filters: [where('name', '==', 'POLE')] })).toBeUndefined();
    expect(await boundsOf({ filters: [where('name', '==', 'NOWHERE')] })).toBeUndefined();
  });

  const refusal = (question: Partial<TileQuestion>) => {
    const asked = toTileRequest({
      dataset: 'conformance.tiled',
      tile: { z: 1, x: 1, y: 1 },
      ...question,
    });
    const pinned = pinTile(service.context(), asked, toCall({}));
    return refusalOf(readTile(service.context(), pinned, toCall({})));
  };

  test('a tile that does not exist is refused', async () => {
    expect(await refusal({ tile: { z: 17, x: 0, y: 0 } })).toMatchInlineSnapshot(`
      "INVALID_OPTION at /z
      The zoom 17 is not a whole number from 0 to 16.
      A map draws the tiles of zoom 16 for deeper zooms if its source says maxzoom 16."
    `);
    expect(await refusal({ tile: { z: 1, x: 2, y: 0 } })).toMatchInlineSnapshot(`
      "INVALID_OPTION at /x
      There is no tile with x 2 at zoom 1.
      At zoom 1, x is a whole number from 0 to 1; x counts from the west, y from the north."
    `);
    expect(await refusal({ tile: { z: 1, x: 1, y: -1 } })).toMatchInlineSnapshot(`
      "INVALID_OPTION at /y
      There is no tile with y -1 at zoom 1.
      At zoom 1, y is a whole number from 0 to 1; x counts from the west, y from the north."
    `);
  });

  test('a dataset without points is refused', async () => {
    expect(await refusal({ dataset: 'conformance.no_points' })).toMatchInlineSnapshot(`
      "UNAVAILABLE_OPTION at /dataReferenceName
      The records of conformance.no_points have no point, so there are no tiles of them.
      Ask for tiles of a dataset whose option boundingBox is available; getDataReference lists the options."
    `);
  });

  test('an unknown field, function or filter is refused', async () => {
    expect(await refusal({ fields: ['nam'] })).toMatchInlineSnapshot(`
      "UNKNOWN_FIELD at /fields/0
      Unknown field 'nam' in conformance.tiled.
      Did you mean 'name'?"
    `);
    const aggregate = (of: string, fieldName: string) =>
      refusal({ aggregates: [{ function: of, fieldName }] });
    expect(await aggregate('sum', 'peopel')).toMatchInlineSnapshot(`
      "UNKNOWN_FIELD at /aggregate/0
      Unknown field 'peopel' in conformance.tiled.
      Did you mean 'people'?"
    `);
    expect(await aggregate('sums', 'people')).toMatchInlineSnapshot(`
      "INVALID_OPTION at /aggregate/0
      Unknown function 'sums' of an aggregate.
      Did you mean 'sum'? An aggregate is written as sum:population."
    `);
    expect(await aggregate('', 'people')).toMatchInlineSnapshot(`
      "INVALID_OPTION at /aggregate/0
      The function of an aggregate is missing.
      Known: sum, mean. An aggregate is written as sum:population."
    `);
    expect(await aggregate('mean', 'name')).toMatchInlineSnapshot(`
      "INVALID_FIELD at /aggregate/0
      The field 'name' is of type string, so it has no mean.
      Name a field of numbers; getDataReference lists the types."
    `);
    const twice = { function: 'sum', fieldName: 'people' };
    expect(await refusal({ aggregates: [twice, twice] })).toMatchInlineSnapshot(`
      "INVALID_OPTION at /aggregate/1
      The aggregate sum:people appears twice.
      Name each aggregate once."
    `);
    expect(await refusal({ filters: [where('nam', '==', 'x')] })).toMatchInlineSnapshot(`
      "UNKNOWN_FIELD at /filters/0/fieldName
      Unknown field 'nam' in conformance.tiled.
      Did you mean 'name'?"
    `);
  });
});

/** Fractions are added as multiples of 2^-53. */
function nearly(value: bigint | number | null): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? expect.closeTo(value, 14) : value;
}
