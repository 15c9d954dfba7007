import { setTimeout as passTime } from 'node:timers/promises';

/**
 * Lets time pass where time itself is under test: a line that is slow, a load of so many requests a second, a kill at a
 * random instant. All else waits for a condition with `until` or `expect.poll`, because a busy machine needs
 * longer than any delay. A house test has the list of the files that may use it.
 */
export async function delay(ms: number): Promise<void> {
  await passTime(ms);
}
