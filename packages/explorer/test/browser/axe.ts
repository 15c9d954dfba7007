import { source } from 'axe-core';
import type { Page } from 'playwright-core';

/** The serious and critical findings of an axe scan of the page, each as a line; a test expects none. */
export async function findAccessProblems(page: Page): Promise<readonly string[]> {
  // Text that still fades in has too little contrast; only endless animations, such as spinners, are let run.
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
  // Evaluated by the debugger, because the policy of the page allows no script of others.
  await page.evaluate(source);
  // The texts that react-aria reads out are named by an option of a list, which may be gone already.
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run({ exclude: [['[data-live-announcer]']] }),
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) =>
        [`${id}: ${help}`, String(target), failureSummary].join('\n'),
      ),
    );
}

declare global {
  // The script of axe sets it.
  var axe: typeof import('axe-core');
}
