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
    /^file:.*\/(?:node_modules\/((?:@[^/]+\/)?[^/]+)\/|packages\/server\/(?:src\/)?([^/\n]+)).*$/gm,
  );
  return [...new Set([...parts].map(([, library, folder]) => library ?? folder ?? ''))].sort();
}

test.each([
  [['--help']],
  [['gc', '--help']],
  [['help', 'serve']],
  [['publsh']],
  [['completion', 'bash']],
])('%j loads few files, so that it answers quickly', async (parameters) => {
  expect(await partsLoadedBy(parameters)).toEqual([
    'bin',
    'cli',
    'commander',
    'commands',
    'config',
    // The class of errors that are reported without a stack.
    'domain',
    'main.ts',
  ]);
});

test('--version loads no command, and the files that know the build', async () => {
  expect(await partsLoadedBy(['--version'])).toEqual([
    'bin',
    'cli',
    'commander',
    'commands',
    'compose',
    'config',
    'domain',
    'main.ts',
  ]);
});

test('config print also loads the files that read settings', async () => {
  expect(await partsLoadedBy(['config', 'print'])).toEqual([
    ...[
      'bin',
      'cli',
      'commander',
      'commands',
      'compose',
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

test('the compile cache is beside the code, and nowhere else', async () => {
  // The tests keep compiled code elsewhere.
  await runProcess(['--version'], { environment: { NODE_COMPILE_CACHE: '' } });
  const kept = new URL('../../node_modules/.cache/compiled', import.meta.url);
  expect(existsSync(fileURLToPath(kept))).toBe(true);
});
