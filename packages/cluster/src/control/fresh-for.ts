/** Two failed polls, a second apart; a shorter time would not outlast a single one. */
const FRESH_MIN_MS = 3_000;

/** How long a mirror counts as fresh after a poll. */
export function freshForOf(awayMaxMs: number): number {
  return Math.max(awayMaxMs, FRESH_MIN_MS);
}
