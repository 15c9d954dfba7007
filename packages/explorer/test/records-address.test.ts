import { describe, expect, test } from 'vitest';
import {
  nextFurther,
  nextOrder,
  readRecordsAddress,
  toRecordsRequest,
} from '../src/data/records-address.ts';

describe('the order of records', () => {
  const twice = { order: 'region', thenBy: ['-visits'] };

  test('a heading orders by its field alone: ascending, descending, not at all', () => {
    expect(nextOrder({}, 'city')).toEqual({ order: 'city', thenBy: undefined });
    expect(nextOrder({ order: 'city' }, 'city')).toEqual({ order: '-city', thenBy: undefined });
    expect(nextOrder({ order: '-city' }, 'city')).toEqual({ order: undefined, thenBy: undefined });
    expect(nextOrder(twice, 'visits')).toEqual({ order: 'visits', thenBy: undefined });
  });

  test('a further field comes after the others, turns in its place, and leaves it', () => {
    expect(nextFurther({}, 'region')).toEqual({ order: 'region', thenBy: undefined });
    expect(nextFurther({ order: 'region' }, 'visits')).toEqual({
      ...{ order: 'region', thenBy: ['visits'] },
    });
    expect(nextFurther(twice, 'region')).toEqual({ order: '-region', thenBy: ['-visits'] });
    expect(nextFurther(twice, 'visits')).toEqual({ order: 'region', thenBy: undefined });
    // The next one becomes the first.
    expect(nextFurther({ ...twice, order: '-region' }, 'region')).toEqual({
      ...{ order: '-visits', thenBy: undefined },
    });
  });

  test('an address has it, and the request for its records too', () => {
    expect(toRecordsRequest('a.b', readRecordsAddress(twice)).options).toEqual({
      orderBy: { fieldName: 'region', direction: 'ASC' },
      thenBy: [{ fieldName: 'visits', direction: 'DESC' }],
    });
  });

  test.each([['visits'], [[]], [['']], [['-']], [[3]]])(
    'further fields %j are refused by name and reason',
    (thenBy) => {
      expect(() => readRecordsAddress({ order: 'region', thenBy })).toThrow(/thenBy|order/);
    },
  );

  test('further fields need a first one', () => {
    expect(() => readRecordsAddress({ thenBy: ['visits'] })).toThrow(/thenBy/);
  });
});
