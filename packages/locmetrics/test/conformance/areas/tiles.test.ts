import { type Grant, wholeGrant } from '@locmetrics/core/domain/grant';
import { TILE_CELLS } from '@locmetrics/core/geometry/tile';
import type { Tile } from '@locmetrics/core/storage/engine';
import { describeTiles } from '@locmetrics/server/service/tiles/describe-tiles';
import { pinTile, readTile } from '@locmetrics/server/service/tiles/read-tile';
import { describe, expect, test } from 'vitest';
import { ENGINES } from '../engines/engines.ts';
import { useService } from '../engines/service-under-test.ts';
import { toCall } from '../engines/test-call.ts';
import { describeOn } from '../engines/test-on.ts';
import { where, whereIn } from '../filter-clause.ts';
import { callerWith } from '../random/random-grant.ts';
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
    area: { type: 'float', additive: 'all' },
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
const MONTHS = defineTable({
  name: 'conformance.tiled_months',
  fields: {
    id: 'string',
    month_start: 'date',
    month_end: 'date',
    age: { type: 'string', totalLabel: 'all' },
    latitude: 'float',
    longitude: 'float',
    visits: 'integer',
    inhabitants: { type: 'integer', additive: 'places' },
    guests: { type: 'integer', additive: 'periods' },
    median_minutes: 'integer',
    unique_visitors: 'integer',
    rain: 'float',
  },
  key: ['id', 'month_start', 'age'],
  period: { start: 'month_start', end: 'month_end' },
  point: { latitude: 'latitude', longitude: 'longitude' },
  rows: ['bern', 'biel'].flatMap((id, place) =>
    ['2024-01', '2024-02'].flatMap((month) =>
      ['all', 'old', 'young'].map((age) => ({
        id,
        month_start: `${month}-01`,
        month_end: `${month}-29`,
        age,
        latitude: 46.948,
        longitude: 7.4474,
        visits: BigInt(place + 1) * (age === 'all' ? 2n : 1n),
        inhabitants: BigInt(place + 1) * (age === 'all' ? 2n : 1n),
        guests: BigInt(place + 1) * (age === 'all' ? 2n : 1n),
        median_minutes: 5n,
        unique_visitors: 5n,
        rain: 0.5,
      })),
    ),
  ),
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
  const service = useService(engine, POINTS, MONTHS, NO_POINTS);
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
    const call = toCall(question);
    const pinned = pinTile(service.context(), asked, call);
    return refusalOf(readTile(service.context(), pinned, call));
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

  describe('of values that do not always add up', () => {
    const parts = where('age', '!=', 'all');
    const total = where('age', '==', 'all');
    const january = where('month_start', '==', '2024-01-01');
    const bern = where('id', '==', 'bern');
    const months = { dataset: 'conformance.tiled_months', tile: { z: 0, x: 0, y: 0 } };
    const toAggregates = (names: readonly string[]) =>
      names.map((name) => {
        const [of = '', fieldName = ''] = name.split(':');
        return { function: of, fieldName };
      });
    const cellOf = async (
      names: readonly string[],
      filters: TileQuestion['filters'] = [],
      filterLogic = '',
    ) => {
      const aggregates = toAggregates(names);
      const tile = await askTile(service, {
        ...months,
        filters,
        filterLogic,
        aggregates,
        limit: 0,
      });
      return tile.kind === 'cells' ? tile.cells.map(({ count, values }) => [count, ...values]) : [];
    };
    const refusalOfCell = async (
      names: readonly string[],
      filters: TileQuestion['filters'] = [],
      filterLogic = '',
    ) => {
      const question = { ...months, filters, filterLogic, aggregates: toAggregates(names) };
      const said = await refusal(question);
      // Of any tile, also without records, and of the description.
      expect(await refusal({ ...question, tile: { z: 2, x: 0, y: 3 } })).toBe(said);
      for (const cells of [true, false]) {
        const request = { ...toTileRequest(question), cells };
        const pinned = pinTile(service.context(), request, toCall({}));
        expect(await refusalOf(readTile(service.context(), pinned, toCall({})))).toBe(said);
        expect(await refusalOf(describeTiles(service.context(), pinned, toCall({})))).toBe(said);
      }
      return said;
    };

    test('a count is that of all records', async () => {
      expect(await cellOf([])).toEqual([[12]]);
    });

    test('a sum that has a meaning is answered', async () => {
      expect(await cellOf(['sum:visits'], [parts])).toEqual([[8, 12n]]);
      expect(await cellOf(['sum:visits'], [total])).toEqual([[4, 12n]]);
      expect(await cellOf(['sum:inhabitants'], [total, january])).toEqual([[2, 6n]]);
      const oneDay = whereIn('month_start', 'in', ['2024-01-01']);
      expect(await cellOf(['sum:inhabitants'], [parts, oneDay])).toEqual([[4, 6n]]);
      const old = where('age', '==', 'old');
      expect(await cellOf(['sum:guests'], [old, bern])).toEqual([[2, 2n]]);
    });

    test('a mean is answered', async () => {
      const names = ['median_minutes', 'rain', 'latitude', 'inhabitants'];
      const means = names.map((name) => `mean:${name}`);
      expect(await cellOf(means, [total])).toEqual([[4, 5, 0.5, 46.948, 3]]);
    });

    test('a sum of what is no measure, or does not add up, is refused', async () => {
      expect(
        await refusalOfCell(['mean:rain', 'sum:median_minutes'], [total]),
      ).toMatchInlineSnapshot(`
        "NOT_ADDITIVE at /aggregate/1
        The sum of 'median_minutes' would mean nothing: its values cannot be added up (additive: none).
        Ask for mean:median_minutes."
      `);
      expect(await refusalOfCell(['sum:unique_visitors'], [total, january])).toContain(
        'Ask for mean:unique_visitors.',
      );
      expect(await refusalOfCell(['sum:rain'], [total, january])).toContain('(additive: none)');
      expect(await refusalOfCell(['sum:latitude'], [total])).toMatchInlineSnapshot(`
        "NOT_ADDITIVE at /aggregate/0
        The sum of 'latitude' would mean nothing: the field is part of the key, or a coordinate.
        Ask for mean:latitude."
      `);
    });

    test('a sum over several periods or places is refused, if the values add up over the other only', async () => {
      expect(await refusalOfCell(['sum:inhabitants'], [total])).toMatchInlineSnapshot(`
        "NOT_ADDITIVE at /aggregate/0
        The sum of 'inhabitants' would add up several periods, but its values can be added up over places only (additive: places).
        Filter 'month_start' to one value, or ask for mean:inhabitants."
      `);
      const both = whereIn('month_start', 'in', ['2024-01-01', '2024-02-01']);
      const several = 'would add up several periods';
      expect(await refusalOfCell(['sum:inhabitants'], [total, both])).toContain(several);
      const late = where('month_start', '>=', '2024-02-01');
      expect(await refusalOfCell(['sum:inhabitants'], [total, late])).toContain(several);
      expect(
        await refusalOfCell(['sum:inhabitants'], [total, january, bern], '$0 AND ($1 OR $2)'),
      ).toContain(several);
      expect(await refusalOfCell(['sum:guests'], [parts, january])).toMatchInlineSnapshot(`
        "NOT_ADDITIVE at /aggregate/0
        The sum of 'guests' would add up several places, but its values can be added up over periods only (additive: periods).
        Filter 'id' and 'age' each to one value, or ask for mean:guests."
      `);
    });

    test('aggregates over totals and their parts are refused', async () => {
      expect(await refusalOfCell(['sum:visits'])).toMatchInlineSnapshot(`
        "NOT_ADDITIVE at /filters
        Aggregates would count twice: the records with 'all' in 'age' are the totals of the others.
        Filter on 'age': == 'all' for the totals, or != 'all' for their parts."
      `);
      expect(await refusalOfCell(['mean:rain'], [where('age', '!=', 'old')])).toContain('twice');
      const mixed = whereIn('age', 'in', ['all', 'old']);
      expect(await refusalOfCell(['sum:visits'], [mixed])).toContain('twice');
      expect(await refusalOfCell(['sum:visits'], [total, january], '$0 OR $1')).toContain('twice');
    });

    test('a caller who does not see the period or the totals has no sum that needs them', async () => {
      const grant = wholeGrant('some', 'conformance.*');
      const point = ['latitude', 'longitude'];
      const visible = ['id', 'visits', 'inhabitants', ...point];
      const ask = (fields: readonly string[], filters: Grant['filters'], name: string) =>
        refusal({
          ...months,
          caller: callerWith([{ ...grant, fields, filters }]),
          aggregates: toAggregates([name]),
        });
      expect(await ask(visible, [], 'mean:visits')).toMatchInlineSnapshot(`
        "NOT_ADDITIVE at /aggregate
        The records include totals over a field that your organisation does not have access to, so aggregates would count twice.
        Ask the publisher of the data for access to the field, or leave the aggregates out."
      `);
      expect(await ask(visible, [total, january], 'sum:inhabitants')).toMatchInlineSnapshot(`
        "NOT_ADDITIVE at /aggregate/0
        The sum of 'inhabitants' would add up several periods, but its values can be added up over places only (additive: places).
        Ask for mean:inhabitants."
      `);
    });
  });
});

/** Fractions are added as multiples of 2^-53. */
function nearly(value: bigint | number | null): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? expect.closeTo(value, 14) : value;
}
