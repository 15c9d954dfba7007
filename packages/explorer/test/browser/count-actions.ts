import type { Page } from 'playwright-core';

/** What a reader has done in a page: presses of the pointer, and texts that were typed. */
export type Actions = { readonly clicks: number; readonly typed: number };

/** Counts from now on what a reader does in the page, as the page itself receives it. */
export async function startCounting(page: Page): Promise<void> {
  await page.evaluate(() => {
    const counted = { clicks: 0, typed: 0 };
    // A text ends with a click, Enter or Tab: a field may be replaced by another one while it is typed into.
    let isTyping = false;
    const onPointerDown = (): void => {
      counted.clicks += 1;
      isTyping = false;
    };
    const onKeyDown = ({ key }: KeyboardEvent): void => {
      if (key === 'Enter' || key === 'Tab') isTyping = false;
    };
    const onInput = ({ target }: Event): void => {
      const isText = target instanceof HTMLInputElement && target.type !== 'range';
      if (!isText || isTyping) return;
      isTyping = true;
      counted.typed += 1;
    };
    addEventListener('pointerdown', onPointerDown, true);
    addEventListener('keydown', onKeyDown, true);
    addEventListener('input', onInput, true);
    globalThis.countedActions = counted;
  });
}

export function actionsOf(page: Page): Promise<Actions> {
  return page.evaluate(() => globalThis.countedActions);
}

declare global {
  // The page that is counted has it.
  var countedActions: Actions;
}
