import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENTRY_POINT } from '../commands/run-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { readPageBlocks } from './read-page-blocks.ts';
import { missingOutput, runPages } from './run-pages.ts';

const REPOSITORY = join(import.meta.dirname, '../../../..');
const ADDRESS = 'export LOCMETRICS_URL=http://127.0.0.1:8080';

/** Pages that do not continue from the tutorial. Other tests run them, or the walk through a fresh clone (`.ci/walk.sh`). */
const OTHERS = [
  'ask-for-data',
  'back-up-and-restore',
  'get-a-whole-result',
  'install',
  'serve-from-clickhouse',
  'use-from-python',
];

/** The guides with commands, in the order of their list. */
const GUIDES = [
  ...readFileSync(join(REPOSITORY, 'docs/how-to/README.md'), 'utf8').matchAll(
    /\]\(([a-z-]+)\.md\)/g,
  ),
]
  .filter(([, name = '']) => !OTHERS.includes(name))
  .map(([, name = '']) => `docs/how-to/${name}.md`)
  .filter((page) => readPageBlocks(page, 'sh').length > 0);

/** The address of the service of the other terminal, which runs on a free port until the shell ends. */
const SERVE = `if [ -z "\${address:-}" ]; then
  : > serve.err
  '${process.execPath}' '${ENTRY_POINT}' serve --http 127.0.0.1:0 --grpc off --workers 1 2> serve.err &
  trap "kill $!; wait $!" EXIT
  until grep -q server_listening serve.err; do sleep 0.1; done
  address=$(sed -nE 's|.*"(http://[^"]+)".*|\\1|p' serve.err)
fi
export LOCMETRICS_URL=$address`;

const has = (program: string) => spawnSync(program, ['--version']).error === undefined;

test('the commands of the tutorial, and then of the guides, print what the pages show', {
  tags: 'slow',
  timeout: 900_000,
  skip: !['curl', 'jq', 'python3', 'openssl'].every(has),
}, () => {
  const folder = temporaryFolder();
  symlinkSync(join(REPOSITORY, 'packages'), join(folder, 'packages'));
  const blocks = runPages(['docs/tutorial/a-customers-chart.md', ...GUIDES], {
    folder,
    // The reader's new terminal is in the folder of the clone.
    replace: (code) =>
      code.replace(/^cd my-data/, 'cd ../../my-data').replace(ADDRESS, () => SERVE),
  });
  expect(GUIDES.length).toBeGreaterThan(10);
  expect(missingOutput(blocks)).toEqual([]);
});
