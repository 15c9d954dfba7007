import { type Browser, chromium } from 'playwright-core';

/** Starts a headless Chromium, which the caller closes. */
export async function openChromium(executablePath: string): Promise<Browser> {
  // The sandbox of Chromium does not start for root, and the pages are our own.
  return await chromium.launch({ executablePath, args: ['--no-sandbox'], headless: true });
}
