import fc from 'fast-check';

/** A smaller failure is looked for so long. A case of the larger tests takes seconds. */
const SHRINK_MS = 60_000;

/**
 * `fc.assert` for a test with a time limit: a failure is reported soon, with the smallest case found in a minute. Cases
 * that come later count as passed, so that no smaller one is looked for.
 */
export async function assertRandom<Case>(
  property: fc.IAsyncProperty<Case>,
  { timeoutMs, ...parameters }: fc.Parameters<Case> & { readonly timeoutMs: number },
): Promise<void> {
  const run = property.run.bind(property);
  let failedAt: number | undefined;
  property.run = async (value) => {
    if (failedAt !== undefined && performance.now() - failedAt > SHRINK_MS) return null;
    const failure = await run(value);
    if (failure !== null && 'error' in failure) failedAt ??= performance.now();
    return failure;
  };
  await fc.assert(property, {
    ...parameters,
    interruptAfterTimeLimit: timeoutMs - 20_000,
    markInterruptAsFailure: true,
  });
}
