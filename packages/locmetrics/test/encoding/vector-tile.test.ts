import type { Value } from '@locmetrics/core/domain/value';
import { encodeTileCells, encodeTilePoints } from '@locmetrics/core/encoding/vector-tile';
import { VectorTile, type VectorTileLayer } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { describe, expect, test } from 'vitest';

/* Tiles are read by the decoder of Mapbox, which is not ours. */

const EARTH = { z: 0, x: 0, y: 0 };

function onlyLayer(tile: Uint8Array): VectorTileLayer {
  const layers = Object.values(new VectorTile(new PbfReader(tile)).layers);
  const [layer] = layers;
  if (layer === undefined || layers.length > 1) throw new Error(`${layers.length} layers`);
  return layer;
}

function featuresOf(layer: VectorTileLayer) {
  return Array.from({ length: layer.length }, (_, index) => {
    const feature = layer.feature(index);
    const geometry = feature.loadGeometry().map((ring) => ring.map(({ x, y }) => [x, y]));
    return { type: feature.type, geometry, properties: { ...feature.properties } };
  });
}

describe('points', () => {
  test('are in the layer records, each with its values', () => {
    const layer = onlyLayer(
      encodeTilePoints(EARTH, {
        names: ['id', 'open', 'people', 'area', 'since'],
        rows: [
          [0, 0, 'a', true, 3n, 0.5, '2024-02-29'],
          [-180, 85.0511287798066, 'Zürich 😀', false, -3n, 1e300, null],
          [180, -85.0511287798066, 'a', null, 2n ** 53n, 3, null],
        ],
      }),
    );
    expect([layer.name, layer.version, layer.extent]).toEqual(['records', 2, 4096]);
    expect(featuresOf(layer)).toEqual([
      {
        type: 1,
        geometry: [[[2048, 2048]]],
        properties: { id: 'a', open: true, people: 3, area: 0.5, since: '2024-02-29' },
      },
      {
        type: 1,
        geometry: [[[0, 0]]],
        properties: { id: 'Zürich 😀', open: false, people: -3, area: 1e300 },
      },
      {
        type: 1,
        geometry: [[[4096, 4096]]],
        properties: { id: 'a', people: 2 ** 53, area: 3 },
      },
    ]);
  });

  test('are drawn to a unit of the tile in the deepest zoom', () => {
    const address = { z: 16, x: 34123, y: 23066 };
    const layer = onlyLayer(
      encodeTilePoints(address, { names: ['id'], rows: [[7.4474, 46.948, 'bern']] }),
    );
    const { geometry } = layer.feature(0).toGeoJSON(address.x, address.y, address.z);
    // A unit of this tile is about 0.1 m.
    expect(geometry).toEqual({
      type: 'Point',
      coordinates: [expect.closeTo(7.4474, 5), expect.closeTo(46.948, 5)],
    });
  });

  test('a field may be named as a member of every object', () => {
    const layer = onlyLayer(
      encodeTilePoints(EARTH, { names: ['constructor'], rows: [[0, 0, 'a']] }),
    );
    expect(featuresOf(layer)[0]?.properties).toEqual({ constructor: 'a' });
  });

  test('integers are exact, and larger sums are rounded', () => {
    const tileOf = (value: Value) =>
      encodeTilePoints(EARTH, { names: ['n'], rows: [[0, 0, value]] });
    // The field 4 of a value is an int64: 2^63 - 1 has nine bytes of which all bits are set.
    expect(tileOf(2n ** 63n - 1n).toString('hex')).toContain('220a20ffffffffffffffff7f');
    expect(tileOf(-(2n ** 63n)).toString('hex')).toContain('220b2080808080808080808001');
    expect(featuresOf(onlyLayer(tileOf(2n ** 64n)))[0]?.properties).toEqual({ n: 2 ** 64 });
  });
});

describe('cells', () => {
  test('are squares in the layer cells, with their count and aggregates', () => {
    const layer = onlyLayer(
      encodeTileCells(
        ['sum:people', 'mean:area'],
        [
          { column: 0, row: 0, count: 5, values: [12n, 0.25] },
          { column: 63, row: 63, count: 1, values: [null, null] },
        ],
      ),
    );
    expect([layer.name, layer.version, layer.extent]).toEqual(['cells', 2, 4096]);
    expect(featuresOf(layer)).toEqual([
      {
        type: 3,
        geometry: [square(0, 0)],
        properties: { count: 5, 'sum:people': 12, 'mean:area': 0.25 },
      },
      { type: 3, geometry: [square(4032, 4032)], properties: { count: 1 } },
    ]);
    expect(layer.feature(0).toGeoJSON(0, 0, 0).geometry.type).toBe('Polygon');
  });
});

function square(x: number, y: number) {
  const [east, south] = [x + 64, y + 64];
  return [
    [x, y],
    [east, y],
    [east, south],
    [x, south],
    [x, y],
  ];
}
