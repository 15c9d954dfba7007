import type { FieldDefinition } from '@locmetrics/client';
import { describe, expect, test } from 'vitest';
import { recordLayerOf } from '../src/data/area-queries.ts';
import { boxOfCorners } from '../src/data/box.ts';
import { readMapAddress } from '../src/data/map-address.ts';
import { categoryClasses, nextCategories, toCategoryValues } from '../src/views/map/categories.ts';
import { coloursOfClasses, rangeOf } from '../src/views/map/class-colours.ts';
import { allowedColour, colourChoices, leaveOnePeriod } from '../src/views/map/colours.ts';
import { searchPlaces } from '../src/views/map/named-places.ts';
import { narrowestBox } from '../src/views/map/narrowest-box.ts';
import { PALETTES } from '../src/views/map/palette.ts';
import { classThresholds } from '../src/views/map/value-classes.ts';

const FALLS_AND_RISES = [-60, -55, -40, -30, -20, -5, 2, 8, 30];

describe('classes', () => {
  test('quantiles have about as many values each, and intervals are as wide', () => {
    const values = Array.from({ length: 600 }, (_, index) => index ** 2);
    const thresholds = classThresholds(values, 'quantiles');
    expect(thresholds).toEqual([10_000, 40_000, 90_000, 160_000, 250_000]);
    expect(classThresholds([0, 100, 1200], 'intervals')).toEqual([200, 400, 600, 800, 1000]);
  });

  test('mirror each other around zero if there are falls and rises', () => {
    expect(classThresholds(FALLS_AND_RISES, 'intervals')).toEqual([-40, -20, 0, 20]);
    expect(classThresholds(FALLS_AND_RISES, 'quantiles')).toEqual([-40, -20, 0, 20]);
  });

  test('of one value, of equal values and of none are one class', () => {
    for (const values of [[], [null], [7], [7, 7, null]])
      expect(classThresholds(values)).toEqual([]);
  });

  test('close values stay apart', () => {
    expect(classThresholds([1000.1, 1000.2, 1000.3, 1000.4])).toEqual([1000.2, 1000.3, 1000.4]);
  });
});

describe('colours of classes', () => {
  const { light } = PALETTES;

  test('go from few to many without values below zero', () => {
    const colours = coloursOfClasses([1, 2, 3, 4, 5], light, { least: 0, greatest: 9 });
    expect(colours).toEqual(light.ramp);
  });

  test('are falls below zero and rises above it, and neither around it', () => {
    const [strongFall, , weakFall, weakRise, , strongRise] = coloursOfClasses(
      [-40, -20, 0, 20, 40],
      light,
      { least: -60, greatest: 60 },
    );
    expect([strongFall, weakFall]).toEqual([light.falls.at(-1), light.falls[0]]);
    expect([weakRise, strongRise]).toEqual([light.rises[0], light.rises.at(-1)]);
    expect(coloursOfClasses([-5, 5], light, { least: -9, greatest: 9 })[1]).toBe(light.zero);
  });

  test('are falls alone if no value is above zero', () => {
    const range = rangeOf([-9, null, -1]);
    expect(range).toEqual({ least: -9, greatest: -1 });
    expect(coloursOfClasses([-5], light, range)).toEqual([light.falls.at(-1), light.falls[0]]);
  });
});

test('the narrowest box may cross the antimeridian', () => {
  const points = [
    [178, -18],
    [-179, -16],
    [-170, -14],
  ].map((coordinates) => ({ type: 'Point' as const, coordinates }));
  expect(narrowestBox(points)).toEqual([178, -18, 190, -14]);
  expect(narrowestBox(points.slice(1))).toEqual([-179, -16, -170, -14]);
  expect(narrowestBox([])).toBeUndefined();
});

test('categories keep their colours while they are in view', () => {
  const first = nextCategories(
    [],
    new Map([
      ['a', 9],
      ['b', 5],
      ['c', 1],
    ]),
  );
  expect(first).toEqual(['a', 'b', 'c', undefined, undefined, undefined]);
  expect(
    nextCategories(
      first,
      new Map([
        ['c', 7],
        ['d', 9],
        ['b', 1],
      ]),
    ),
  ).toEqual(['d', 'b', 'c', undefined, undefined, undefined]);
  expect(
    nextCategories(
      first,
      new Map([
        ['a', 1],
        ['b', 1],
        ['c', 1],
      ]),
    ),
  ).toBe(first);
});

function field(
  name: string,
  type: 'INTEGER' | 'FLOAT' | 'STRING' | 'DATE',
  {
    additive,
    sourceColumn = name,
  }: Partial<Pick<FieldDefinition, 'additive' | 'sourceColumn'>> = {},
): FieldDefinition {
  return {
    name,
    sourceColumn,
    type: `COLUMN_TYPE_${type}`,
    description: '',
    filters: { supportedOperators: name === 'outline' ? [] : ['=='] },
    exampleValue: '',
    includedByDefault: true,
    additive,
  };
}

test('only measures that add up over places have a sum, and codes are categories', () => {
  const choices = colourChoices(
    [
      field('id', 'STRING'),
      field('visits', 'INTEGER', { additive: 'all' }),
      field('median', 'FLOAT', { additive: 'none' }),
      field('zip', 'INTEGER'),
      field('longitude', 'FLOAT'),
      field('outline', 'STRING'),
    ],
    ['id'],
    { isOnePeriod: false },
  );
  expect(choices.map(({ value }) => value)).toEqual([
    'count',
    'sum:visits',
    'mean:visits',
    'mean:median',
    'value:zip',
  ]);
});

test('a measure that adds up over places only has a sum in one period; otherwise the mean is shown', () => {
  const fields = [field('people', 'INTEGER', { additive: 'places' })];
  const [several, one] = [false, true].map((isOnePeriod) =>
    colourChoices(fields, [], { isOnePeriod }),
  );
  expect(several?.map(({ value }) => value)).toEqual(['count', 'mean:people']);
  expect(one?.map(({ value }) => value)).toEqual(['count', 'sum:people', 'mean:people']);
  expect(allowedColour('sum:people', several ?? [])).toBe('mean:people');
  expect(allowedColour('sum:people', one ?? [])).toBe('sum:people');
  expect(allowedColour('sum:unknown', one ?? [])).toBe('sum:unknown');
  expect(allowedColour('value:people', several ?? [])).toBe('value:people');
  expect(allowedColour(undefined, several ?? [])).toBeUndefined();
});

test('filters leave one period if each of its days in the key has one value', () => {
  const start = field('start', 'DATE', { sourceColumn: 'observation_period.start.value' });
  const fields = [start, field('end', 'DATE'), field('id', 'STRING')];
  const january = { fieldName: 'start', operator: '==', value: '2025-01-01' };
  const end = { fieldName: 'end', operator: 'in', values: ['2025-01-31'] };
  const both = { fieldName: 'start', operator: 'in', values: ['2025-01-01', '2025-02-01'] };
  expect(leaveOnePeriod([january], fields, ['id', 'start'])).toBe(true);
  expect(leaveOnePeriod([january], fields, ['id'])).toBe(true);
  expect(leaveOnePeriod([january], fields, ['id', 'start', 'end'])).toBe(false);
  expect(leaveOnePeriod([january, end], fields, ['id', 'start', 'end'])).toBe(true);
  for (const filter of [both, { ...january, operator: '>=' }, { ...january, fieldName: 'id' }]) {
    expect(leaveOnePeriod([filter], fields, ['id', 'start'])).toBe(false);
  }
  expect(leaveOnePeriod([], fields.slice(1), ['id'])).toBe(false);
});

test('places are found by the start of their name first, without diacritics', () => {
  const place = (name: string) => ({ name, note: '', longitude: 0, latitude: 0, zoom: 5 });
  const places = ['New York City', 'York', 'Zürich'].map(place);
  expect(searchPlaces(places, 'york').map(({ name }) => name)).toEqual(['York', 'New York City']);
  expect(searchPlaces(places, 'zuri').map(({ name }) => name)).toEqual(['Zürich']);
  expect(searchPlaces(places, ' ')).toEqual([]);
});

test('an address has classes by name or as rising numbers', () => {
  expect(readMapAddress({ classes: 'intervals' })).toEqual({ classes: 'intervals' });
  expect(readMapAddress({ classes: [-5, 0, 5] })).toEqual({ classes: [-5, 0, 5] });
  for (const classes of ['equal', [], [1, 1], [2, 1], ['1'], [1, 2, 3, 4, 5, 6, 7, 8, 9]]) {
    expect(() => readMapAddress({ classes })).toThrow("'classes' in the address is");
  }
});

test('a map as wide as the world is a box of the whole world', () => {
  const corners = { south: -70, north: 80 };
  expect(boxOfCorners({ ...corners, west: -180.0004, east: 179.9996 })).toEqual([
    -180, -70, 180, 80,
  ]);
  expect(boxOfCorners({ ...corners, west: 170, east: 190 })).toEqual([170, -70, -170, 80]);
});

describe('areas', () => {
  test('have the places of their categories, the most frequent first, and the others share the last one', () => {
    const texts = ['b', 'a', 'b', null, 'c', 'd', 'e', 'f', 'g', 'h'];
    const given = new Map(texts.map((text, index) => [`z${index}`, text]));
    const { names, values } = toCategoryValues(given);
    expect(names).toEqual(['b', 'a', 'c', 'd', 'e', 'f', '2 others']);
    expect([...values.values()]).toEqual([0, 1, 0, null, 2, 3, 4, 5, 6, 6]);
    expect(categoryClasses(names)).toEqual([0.5, 1.5, 2.5, 3.5, 4.5, 5.5]);
    expect(categoryClasses([])).toEqual([]);
  });

  test('come from the layer of a metric of the dataset, by the field with the id of the place', () => {
    const field = (name: string, sourceColumn: string) => ({ name, sourceColumn });
    // Only these members are read.
    const dataset = {
      name: 'areas.visits',
      fields: [
        field('zone', 'feature.feature_id.value'),
        field('month', 'observation_period.start.value'),
      ],
    } as unknown as Parameters<typeof recordLayerOf>[0];
    const metric = (dataReferenceName: string, layerId: string) =>
      ({
        catalogId: 'areas',
        layerId,
        dataReferenceName,
        featureDataReferenceName: '',
      }) as Parameters<typeof recordLayerOf>[1][number];
    const metrics = [metric('other.visits', 'points'), metric('areas.visits', 'zones')];
    const found = recordLayerOf(dataset, metrics);
    expect([found?.layerId, found?.field.name, found?.start?.name]).toEqual([
      ...['zones', 'zone', 'month'],
    ]);
    expect(recordLayerOf(dataset, metrics.slice(0, 1))).toBeUndefined();
    expect(recordLayerOf({ ...dataset, fields: [] }, metrics)).toBeUndefined();
  });
});
