import type { Locator, Page } from 'playwright-core';

/** Opens the calls to start with of a page, and chooses one. */
export async function openReadyCall(page: Page, title: string): Promise<Locator> {
  await page.getByText('Calls to start with', { exact: true }).click();
  await page.getByRole('button', { name: 'What it returns' }).click();
  await page.getByRole('option', { name: title }).click();
  const call = page.getByRole('region', { name: 'Call to start with' });
  await call.waitFor();
  return call;
}
