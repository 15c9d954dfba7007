import fc from 'fast-check';
import { isInFull } from './test-count.ts';

/** A smaller failure is looked for so long. A case of the larger tests takes seconds. */
const SHRINK_MS = 60_000;

/** By chance, the cases of a seed may not have what a test must see. Then those of the next seeds are added. */
const SEEDS_MAX = 20;

/**
 * `fc.assert` for a test with a time limit: a failure is reported soon, with the smallest case found in a minute. Cases
 * that come later count as passed, so that no smaller one is looked for.
 */
export async function assertRandom<Case>(
  property: fc.IAsyncProperty<Case>,
  {
    timeoutMs,
    isEnough = () => true,
    ...parameters
  }: fc.Parameters<Case> & {
    readonly seed: number;
    readonly timeoutMs: number;
    /** Whether the cases so far had what few cases have, such as a mark of a withheld value. A full test adds cases until then. */
    readonly isEnough?: () => boolean;
  },
): Promise<void> {
  const run = property.run.bind(property);
  let failedAt: number | undefined;
  property.run = async (value) => {
    if (failedAt !== undefined && performance.now() - failedAt > SHRINK_MS) return null;
    const failure = await run(value);
    if (failure !== null && 'error' in failure) failedAt ??= performance.now();
    return failure;
  };
  const began = performance.now();
  for (let round = 0; round < SEEDS_MAX; round += 1) {
    await fc.assert(property, {
      ...parameters,
      seed: parameters.seed + round,
      interruptAfterTimeLimit: timeoutMs - 20_000 - (performance.now() - began),
      markInterruptAsFailure: true,
    });
    if (!isInFull() || isEnough()) return;
  }
}
