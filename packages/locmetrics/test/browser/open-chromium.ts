import { type Browser, chromium } from 'playwright-core';

/** Starts a headless Chromium, which the caller closes. */
export async function openChromium(executablePath: string): Promise<Browser> {
  return await chromium.launch({ executablePath, args: [...FLAGS], headless: true });
}

const FLAGS = [
  // The sandbox of Chromium does not start for root, and the pages are our own.
  '--no-sandbox',
  // Without a graphics card, a page that WebGL puts together takes a third more of the processor. Maps still have WebGL.
  '--disable-gpu-compositing',
  '--disable-gpu-rasterization',
];
