import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENTRY_POINT } from '../commands/run-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { missingOutput, runPage } from './run-page.ts';

const PACKAGES = join(import.meta.dirname, '../../..');
const ADDRESS = 'export LOCMETRICS_URL=http://127.0.0.1:8080';

/** The service of the other terminal, on a free port, until the shell ends. */
const SERVE = `: > serve.err
'${process.execPath}' '${ENTRY_POINT}' serve --http 127.0.0.1:0 --grpc off --workers 1 2> serve.err &
trap "kill $!; wait $!" EXIT
until grep -q server_listening serve.err; do sleep 0.1; done
export LOCMETRICS_URL=$(sed -nE 's|.*"(http://[^"]+)".*|\\1|p' serve.err)`;

const has = (program: string) => spawnSync(program, ['--version']).status === 0;

test('the commands of the tutorial about a customer print what it shows', {
  tags: 'slow',
  skip: !(has('curl') && has('python3')),
}, () => {
  const folder = temporaryFolder();
  symlinkSync(PACKAGES, join(folder, 'packages'));
  const blocks = runPage('docs/tutorial/a-customers-chart.md', {
    folder,
    replace: (code) => code.replace(ADDRESS, () => SERVE),
  });
  expect(missingOutput(blocks)).toEqual([]);
  expect(blocks.filter(({ output }) => output === undefined)).toHaveLength(1);
});
