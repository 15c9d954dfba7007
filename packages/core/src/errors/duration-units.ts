/**
 * The units of every duration that is written: of settings, flags and requests. Months and years are left out because
 * their length varies.
 */
export const DURATION_UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 7 * 86_400_000],
]);

export const DURATION_UNITS_TEXT = 'ms, s, m, h, d or w';
