import { setTimeout as passTime } from 'node:timers/promises';

const POLL_EVERY_MS = 20;

/**
 * Looks until a condition holds, and returns what it then is: for preparations and for scripts. An assertion that must
 * come true is an `expect.poll`. The limit only ends what hangs.
 */
export async function until<Result>(
  condition: () => Result | Promise<Result>,
  {
    what = String(condition),
    maxMs = 300_000,
  }: { readonly what?: string; readonly maxMs?: number } = {},
): Promise<Exclude<Result, false | undefined>> {
  const giveUp = performance.now() + maxMs;
  for (;;) {
    const result = await condition();
    // The type cannot exclude what the comparison excludes.
    if (result !== false && result !== undefined)
      return result as Exclude<Result, false | undefined>;
    if (performance.now() > giveUp) throw new Error(`Not within ${maxMs} ms: ${what}`);
    await passTime(POLL_EVERY_MS);
  }
}
