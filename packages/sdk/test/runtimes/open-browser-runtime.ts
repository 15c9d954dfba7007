import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import { openChromium } from '../../../locmetrics/test/browser/open-chromium.ts';

export type Ended = { readonly output: string; readonly errors: string };

export type BrowserRuntime = {
  readonly version: string;
  /** Runs a compiled script of the folder in a new page of the origin. */
  readonly run: (name: string, origin: string) => Promise<Ended>;
  readonly close: () => Promise<void>;
};

const PAGE = 'page.html';
const PACKAGE = '@locmetrics/client';

/**
 * Opens a browser for scripts of a folder in which the client is installed. An import map leads from the names of its
 * entries to its files, which the browser loads as they are published: there is no bundler, and no module of Node.
 */
export async function openBrowserRuntime({
  program,
  folder,
  environment,
}: {
  readonly program: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}): Promise<BrowserRuntime> {
  const installed = join('node_modules', PACKAGE);
  const { exports } = JSON.parse(readFileSync(join(folder, installed, 'package.json'), 'utf8'));
  const imports = {
    [PACKAGE]: `/${join(installed, exports['.'].default)}`,
    [`${PACKAGE}/admin`]: `/${join(installed, exports['./admin'].default)}`,
  };
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
  writeFileSync(join(folder, PAGE), `<!doctype html><title>Client</title>${map}`);
  const browser = await openChromium(program);
  return {
    version: browser.version(),
    run: async (name, origin) => {
      const script = `browser-${name.replace(/\.ts$/, '.js')}`;
      const code = readFileSync(join(folder, name.replace(/\.ts$/, '.js')), 'utf8');
      writeFileSync(join(folder, script), withValues(code, environment));
      const page = await browser.newPage();
      const lines: Promise<string>[] = [];
      // The arguments are written as Node writes them.
      page.on('console', (message) => {
        if (message.type() !== 'log') return;
        const values = Promise.all(message.args().map((argument) => argument.jsonValue()));
        lines.push(values.then((all) => `${format(...all)}\n`));
      });
      await page.goto(`${origin}/${PAGE}`);
      const errors = await page
        .evaluate(`import('/${script}').then(() => '', (error) => String(error.stack))`)
        .then(String, String);
      const output = (await Promise.all(lines)).join('');
      await page.close();
      return { output, errors };
    },
    close: () => browser.close(),
  };
}

/** Replaces the variables by their values, as bundlers do. */
function withValues(code: string, environment: Readonly<Record<string, string>>): string {
  return code.replace(/process\.env(?:\.(\w+)|\['(\w+)'\])/g, (_, name = '', quoted = '') =>
    JSON.stringify(environment[name || quoted] ?? ''),
  );
}
