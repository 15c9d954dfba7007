// @module-tag slow

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ENTRY_POINT, runProcess } from './run-command.ts';

/** Makes Node print on standard error, at its exit, the loaded files of packages and of this project. */
const TELL_LOADED = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  process.on('exit', () => process.stderr.write(loaded.join(String.fromCharCode(10))));
`)}`;

async function partsLoadedBy(parameters: readonly string[]): Promise<readonly string[]> {
  const { messages } = await runProcess(parameters, {
    nodeParameters: ['--import', TELL_LOADED, ENTRY_POINT],
  });
  const parts = messages.matchAll(
    /^file:.*\/(?:node_modules\/((?:@[^/]+\/)?[^/]+)\/|packages\/([^/\n]+)\/(?:src\/)?([^/\n]+)).*$/gm,
  );
  const names = [...parts].map(([, library, name, folder]) => library ?? `${name}/${folder}`);
  return [...new Set(names)].sort();
}

/** Of `core`, the class of errors that are reported without a stack, and what the rules of settings need. */
const OF_EACH_COMMAND = [
  'commander',
  'core/errors',
  'core/network',
  'locmetrics/bin',
  'locmetrics/cli',
  'locmetrics/commands',
  'locmetrics/config',
  'locmetrics/main.ts',
];

test('the help of a command loads few files, so that it answers quickly', async () => {
  expect(await partsLoadedBy(['gc', '--help'])).toEqual(OF_EACH_COMMAND);
});

test.each([
  { parameters: ['--help'], knowsSettings: false },
  { parameters: ['publsh'], knowsSettings: false },
  { parameters: ['help', 'serve'], knowsSettings: true },
  { parameters: ['completion', 'bash'], knowsSettings: true },
])(
  '$parameters loads the definitions of all commands, and no more',
  async ({ parameters, knowsSettings }) => {
    const each = OF_EACH_COMMAND.filter((name) => knowsSettings || name !== 'core/network');
    expect(await partsLoadedBy(parameters)).toEqual(
      [...each, 'contract/table-formats.ts', 'core/domain'].sort(),
    );
  },
);

test('--version loads no command, and the files that know the build', async () => {
  expect(await partsLoadedBy(['--version'])).toEqual(
    [...OF_EACH_COMMAND.filter((name) => name !== 'core/network'), 'locmetrics/compose'].sort(),
  );
});

test('config print also loads the files that read settings, and no YAML without a configuration file', async () => {
  expect(await partsLoadedBy(['config', 'print'])).toEqual(
    [
      ...OF_EACH_COMMAND,
      'fastest-levenshtein',
      'locmetrics/compose',
      // The files of the certificate are read as the service reads them.
      'server/edge',
    ].sort(),
  );
});

test('the compile cache is beside the code, and nowhere else', async () => {
  // The tests keep compiled code elsewhere.
  await runProcess(['--version'], { environment: { NODE_COMPILE_CACHE: '' } });
  const kept = new URL('../../node_modules/.cache/compiled', import.meta.url);
  expect(existsSync(fileURLToPath(kept))).toBe(true);
});
