import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { findContrastProblems, findTouchProblems } from './axe.ts';
import { twoFrames } from './explorer.ts';

/** A phone, a laptop, and a large screen. */
const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1200 },
] as const;

const SCREENS = SIZES.flatMap((size) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    ...{ size, colorScheme },
    screen: `${size.width}-${colorScheme}`,
  })),
);

/** The folder for pictures of every view, to be looked at after a change. Absent: none are taken. */
const PICTURES = process.env['LOCMETRICS_TEST_SCREENSHOTS'];

/**
 * Shows a page on small and large screens, in light and dark colours, and returns what axe finds, what is wider than its
 * frame, and how far the page scrolls sideways. A test expects nothing.
 */
export async function findScreenProblems(page: Page, name: string): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { screen, colorScheme, size } of SCREENS) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // The page is drawn in its new size in the next frame.
    await twoFrames(page);
    const found =
      colorScheme === 'light'
        ? [
            ...(await findWide(page)),
            ...(await findOverflows(page)),
            ...(await findTouchProblems(page)),
          ]
        : // Everything else is the same in all colours.
          await findContrastProblems(page);
    problems.push(...found.map((text) => `${screen}: ${text}`));
  }
  if (PICTURES !== undefined) await takePictures(page, join(PICTURES, name));
  return problems;
}

async function takePictures(page: Page, path: string): Promise<void> {
  for (const { screen, colorScheme, size } of SCREENS) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: `${path}-${screen}.png` });
  }
}

async function findWide(page: Page): Promise<readonly string[]> {
  const [wide = 0, seen = 0] = await page.evaluate(() => [
    document.scrollingElement?.scrollWidth,
    innerWidth,
  ]);
  return wide > seen ? [`the page is ${wide} wide`] : [];
}

/** Texts that are wider than the nearest frame around them, and are neither cut with an ellipsis nor scrolled. */
export function findOverflows(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const texts = [...document.querySelectorAll('body *')].filter((element) =>
      [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '',
      ),
    );
    return texts.flatMap((element) => {
      if (element.closest('.visually-hidden') !== null || element.clientHeight === 0) return [];
      const range = document.createRange();
      range.selectNodeContents(element);
      const { right, left } = range.getBoundingClientRect();
      for (let around: Element | null = element; around !== null; around = around.parentElement) {
        const style = getComputedStyle(around);
        const frame = around.getBoundingClientRect();
        if (style.overflowX !== 'visible') return [];
        const isFrame = style.borderRightWidth !== '0px' || around === document.documentElement;
        if (isFrame && (right > frame.right + 1 || left < frame.left - 1)) {
          return [
            `${element.tagName} ${element.textContent?.slice(0, 40)} leaves ${around.className}`,
          ];
        }
      }
      return [];
    });
  });
}
