/**
 * How often a test that is tagged `sized` repeats: a few times where all tests run
 * (`npm test`), in full with `npm run test:all`, or as often as a variable says: LOCMETRICS_TEST_ and the
 * name, such as LOCMETRICS_TEST_KILLS=500.
 */
export function testCount(name: string, counts: { readonly few: number; readonly all: number }) {
  const variable = `LOCMETRICS_TEST_${name}`;
  const given = process.env[variable];
  if (given === undefined) return isInFull() ? counts.all : counts.few;
  const count = Number(given);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new Error(`${variable} is '${given}'. Write a whole number above 0.`);
}

/** At least so much of something a random test sees in full; a few repetitions can miss it by chance. */
export function atLeast(count: number): number {
  return isInFull() ? count : Number.NEGATIVE_INFINITY;
}

/** At most so much; see `atLeast`. */
export function atMost(count: number): number {
  return isInFull() ? count : Number.POSITIVE_INFINITY;
}

function isInFull(): boolean {
  return process.env['LOCMETRICS_TEST_COUNTS'] === 'all';
}
