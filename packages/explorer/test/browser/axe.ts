import { type RunOptions, source } from 'axe-core';
import type { Page } from 'playwright-core';

/** Off by default; WCAG 2.5.3 is level A. */
const RULES = { 'label-content-name-mismatch': { enabled: true } };

/** The serious and critical findings of an axe scan of the page, each as a line; a test expects none. */
export function findAccessProblems(page: Page): Promise<readonly string[]> {
  return scan(page, { rules: RULES });
}

/** Those, and targets that are too small for a finger. */
export function findTouchProblems(page: Page): Promise<readonly string[]> {
  return scan(page, { rules: { ...RULES, 'target-size': { enabled: true } } });
}

/** Only those of the contrast of colours, because a whole scan takes several times as long. */
export function findContrastProblems(page: Page): Promise<readonly string[]> {
  return scan(page, { runOnly: ['color-contrast'] });
}

async function scan(page: Page, options: RunOptions): Promise<readonly string[]> {
  // Evaluated by the debugger, because the policy of the page allows no script of others.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const violations = await page.evaluate(scanAtRest, options);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) =>
        [`${id}: ${help}`, String(target), failureSummary].join('\n'),
      ),
    );
}

/**
 * Scans while nothing fades, because text that fades in has too little contrast. A scan during which something began to
 * fade is repeated. Runs in the page.
 */
async function scanAtRest(options: RunOptions) {
  // Only endless animations, such as spinners, are let run.
  const findFading = () =>
    document
      .getAnimations()
      .filter(
        ({ effect, playState }) =>
          playState !== 'finished' &&
          effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
      );
  let hasBegun = false;
  const events = ['animationstart', 'transitionrun'];
  for (const event of events) document.addEventListener(event, () => (hasBegun = true));
  for (;;) {
    for (let fading = findFading(); fading.length > 0; fading = findFading()) {
      await Promise.allSettled(fading.map(({ finished }) => finished));
    }
    hasBegun = false;
    // The texts that react-aria reads out are named by an option of a list, which may be gone already.
    const { violations } = await globalThis.axe.run(
      { exclude: [['[data-live-announcer]']] },
      options,
    );
    if (violations.length === 0 || !(hasBegun || findFading().length > 0)) return violations;
  }
}

declare global {
  // The script of axe sets it.
  var axe: typeof import('axe-core');
}
