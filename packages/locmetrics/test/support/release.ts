type Release = () => unknown;

/** In the order in which they were registered; the last one is released first. */
const registered: Release[] = [];

let isCollecting = false;

/**
 * Registers how something ends: after the test that began it, or after the file if a hook began it. It ends after the
 * hooks and `onTestFinished` of the test, even if these fail or time out.
 */
export function releaseLater(release: Release): void {
  // vitest runs no hook of a file whose tests are all left out.
  if (isCollecting) throw new Error('Begin this in a hook or a test, not at the top of the file.');
  registered.push(release);
}

/** Runs work, and then releases what it registered, even if it fails. Every release is tried. */
export async function releaseAfter<Result>(work: () => Promise<Result>): Promise<Result> {
  isCollecting = false;
  const before = registered.length;
  try {
    return await work();
  } finally {
    await releaseDownTo(before);
  }
}

async function releaseDownTo(count: number): Promise<void> {
  const errors: unknown[] = [];
  while (registered.length > count) {
    try {
      await registered.pop()?.();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('\n'));
}

/** Nothing may begin before the work of the next `releaseAfter`. */
export function beginCollecting(): void {
  isCollecting = true;
}
