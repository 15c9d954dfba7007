/**
 * How often a test that is tagged `sized` repeats: a few times where all tests run
 * (`npm test`), in full with `npm run test:all`, or as often as a variable says: LOCMETRICS_TEST_ and the
 * name, such as LOCMETRICS_TEST_KILLS=500.
 */
export function testCount(name: string, counts: { readonly few: number; readonly all: number }) {
  const variable = `LOCMETRICS_TEST_${name}`;
  const given = process.env[variable];
  if (given === undefined)
    return process.env['LOCMETRICS_TEST_COUNTS'] === 'all' ? counts.all : counts.few;
  const count = Number(given);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new Error(`${variable} is '${given}'. Write a whole number above 0.`);
}
