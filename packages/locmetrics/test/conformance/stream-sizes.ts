import fc from 'fast-check';

/** So small that a stream of a random table has several parts. */
export const randomStreamSizes = fc.record({
  firstPage: fc.integer({ min: 1, max: 5 }),
  page: fc.integer({ min: 1, max: 5 }),
  piece: fc.integer({ min: 1, max: 3 }),
  rangeBytes: fc.integer({ min: 1, max: 2000 }),
  slowRangeBytes: fc.integer({ min: 1, max: 2000 }),
});
