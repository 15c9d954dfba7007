/**
 * The seed of the random tests: LOCMETRICS_TEST_SEED, or a new one in each run. It is printed, so that a
 * run can be repeated.
 */
export function announceSeed(what: string): number {
  const given = process.env['LOCMETRICS_TEST_SEED'];
  const seed = given === undefined ? Date.now() % 2 ** 31 : Number(given);
  if (!Number.isSafeInteger(seed)) throw new Error(`LOCMETRICS_TEST_SEED is no seed: '${given}'.`);
  process.stderr.write(`${what}: LOCMETRICS_TEST_SEED=${seed}\n`);
  return seed;
}
