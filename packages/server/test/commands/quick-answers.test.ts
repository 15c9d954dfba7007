import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ENTRY_POINT, runProcess } from './run-command.ts';

/** Has Node tell on standard error, at the end, which files of packages and of our own it read. */
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
    /^file:.*\/(?:node_modules\/((?:@[^/]+\/)?[^/]+)\/|packages\/server\/(?:src\/)?([^/\n]+)).*$/gm,
  );
  return [...new Set([...parts].map(([, library, folder]) => library ?? folder ?? ''))].sort();
}

test.each([
  [['--help']],
  [['--version']],
  [['help', 'serve']],
  [['publsh']],
  [['completion', 'bash']],
])('%j loads little, so that it answers at once', async (parameters) => {
  expect(await partsLoadedBy(parameters)).toEqual([
    'bin',
    'cli',
    'commander',
    'commands',
    'config',
    // The class of errors that are reported as messages.
    'domain',
    'main.ts',
  ]);
});

test('config print loads what reads settings besides', async () => {
  expect(await partsLoadedBy(['config', 'print'])).toEqual([
    ...[
      'bin',
      'cli',
      'commander',
      'commands',
      'config',
      'domain',
      // The files of the certificate are read as the service reads them.
      'edge',
      'fastest-levenshtein',
      'main.ts',
      'yaml',
    ],
  ]);
});

test('compiled code is kept beside the code, and nowhere else', async () => {
  await runProcess(['--version']);
  const kept = new URL('../../node_modules/.cache/compiled', import.meta.url);
  expect(existsSync(fileURLToPath(kept))).toBe(true);
});
