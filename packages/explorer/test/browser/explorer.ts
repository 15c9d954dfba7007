import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFailed } from 'vitest';
import { findChromium } from '../../../locmetrics/test/browser/find-chromium.ts';
import { openChromium } from '../../../locmetrics/test/browser/open-chromium.ts';
import { type Sample, startSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { releaseLater } from '../../../locmetrics/test/support/release.ts';
import { temporaryFolder } from '../../../locmetrics/test/support/temporary-folder.ts';

/** The explorer of a real service with the sample, in a real browser. */
export type Explorer = {
  readonly sample: Sample;
  readonly url: string;
  readonly browser: Browser;
  /** Opens a page of its own, signed in, at an address behind `#`, such as `/datasets`. It closes after the test. */
  readonly open: (path: string, options?: OpenOptions) => Promise<OpenedPage>;
  /** Stops the service; `start` starts it again at the same address. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type OpenOptions = {
  /** Default: the token of the demo. */
  readonly token?: string;
  readonly context?: BrowserContextOptions;
};

export type OpenedPage = {
  readonly page: Page;
  /** Errors and warnings of the console, and requests to other hosts: a test expects none. */
  readonly complaints: readonly string[];
};

/** Far above the need, because other steps use the machine too. */
const STEP_TIMEOUT_MS = 120_000;

/** Starts the service and the browser. Throws if there is no browser: the runner looks for one first. */
export async function openExplorer(
  settings: Readonly<Record<string, string>> = {},
): Promise<Explorer> {
  const found = findChromium();
  if (found.path === undefined) throw new Error(found.reason);
  const folder = temporaryFolder();
  const given = { LOCMETRICS_WORKERS: '1', ...settings };
  const sample = await startSample(folder, given);
  let service = sample.process;
  const browser = await openChromium(found.path);
  const url = sample.environment['LOCMETRICS_URL'] ?? '';
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => service.once('exit', resolve));
    service.kill('SIGTERM');
    await ended;
  };
  return {
    sample,
    url,
    browser,
    async open(path, options = {}) {
      const token = options.token ?? sample.environment['LOCMETRICS_TOKEN'] ?? '';
      const context = await browser.newContext(options.context);
      // Pages that stay open draw and ask until the file ends.
      releaseLater(async () => {
        if (browser.isConnected()) await context.close();
      });
      const page = await context.newPage();
      // So that an error names the step that did not come, and not only the test.
      page.setDefaultTimeout(STEP_TIMEOUT_MS);
      const complaints = watchPage(page, url);
      tellIfItFails(page, complaints);
      await page.goto(`${url}/#token=${token}`);
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      await page.goto(`${url}/#${path}`);
      return { page, complaints };
    },
    stop,
    async start() {
      const address = { LOCMETRICS_HTTP: new URL(url).host };
      service = (await startSample(folder, { ...given, ...address })).process;
    },
    async close() {
      await browser.close();
      await stop();
    },
  };
}

/** Adds what a page shows to the error of the test, if that fails: nobody sees the page afterwards. */
function tellIfItFails(page: Page, complaints: readonly string[]): void {
  if (expect.getState().currentTestName === undefined) return;
  onTestFailed(async ({ task }) => {
    const [error] = task.result?.errors ?? [];
    if (error?.stack === undefined || page.isClosed()) return;
    const text = await page.locator('body').innerText({ timeout: 10_000 }).catch(String);
    const shown = text.replaceAll(/\s+/g, ' ').slice(0, SHOWN_MAX);
    const said = complaints.length === 0 ? '' : ` It complains: ${complaints.join(' · ')}`;
    error.stack = `At ${page.url()}, the page shows: ${shown}${said}\n${error.stack}`;
  });
}

const SHOWN_MAX = 1000;

/** Two frames, after which a scroll, a new size or an answer has had its effects. */
export async function twoFrames(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/** Chromium says so when a picture is taken of a canvas that it draws without a graphics card. */
const SOFTWARE_GL = /GL Driver Message .* GPU stall due to ReadPixels/;

/** Errors and warnings of the console of a page, and its requests to other hosts, as they come. */
export function watchPage(page: Page, url: string): readonly string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (SOFTWARE_GL.test(message.text())) return;
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const address = request.url();
    const isOwn = address.startsWith(url) || /^(?:data|blob):/.test(address);
    if (!isOwn) complaints.push(`sent to another host: ${address}`);
  });
  return complaints;
}
