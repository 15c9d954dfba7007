/**
 * The number of repetitions of a test that is tagged `sized`: few with `npm test`, all with
 * `npm run test:all`, or the number in a variable: LOCMETRICS_TEST_ and the name, such as
 * LOCMETRICS_TEST_KILLS=500.
 */
export function testCount(name: string, counts: { readonly few: number; readonly all: number }) {
  const variable = `LOCMETRICS_TEST_${name}`;
  const given = process.env[variable];
  if (given === undefined) return isInFull() ? counts.all : counts.few;
  const count = Number(given);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new Error(`${variable} is '${given}'. Write a whole number above 0.`);
}

/** The minimum of something that a full random test must see. A few repetitions can miss it by chance. */
export function atLeast(count: number): number {
  return isInFull() ? count : Number.NEGATIVE_INFINITY;
}

/** The maximum of something; see `atLeast`. */
export function atMost(count: number): number {
  return isInFull() ? count : Number.POSITIVE_INFINITY;
}

/** Says whether random tests repeat in full, as with `npm run test:all`. */
export function isInFull(): boolean {
  return process.env['LOCMETRICS_TEST_COUNTS'] === 'all';
}
