import fc from 'fast-check';

/** So small that a stream of a random table has several parts. */
export const randomStreamSizes = fc.record({
  firstPage: fc.integer({ min: 1, max: 5 }),
  indexed: fc.integer({ min: 1, max: 10 }),
  page: fc.integer({ min: 1, max: 5 }),
  piece: fc.integer({ min: 1, max: 3 }),
  partBytes: fc.integer({ min: 1, max: 2000 }),
  slowPartBytes: fc.integer({ min: 1, max: 2000 }),
  textBytesMax: fc.integer({ min: 1, max: 200 }),
});
