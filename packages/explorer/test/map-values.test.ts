import { describe, expect, test } from 'vitest';
import { coloursOfClasses, rangeOf } from '../src/views/map/class-colours.ts';
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
