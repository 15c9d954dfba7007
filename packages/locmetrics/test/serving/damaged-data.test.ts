// @module-tag slow

import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runCommand } from '../commands/run-command.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';

const inFolder = useTemporaryFolder();

const MANIFEST = fileURLToPath(new URL('../fixtures/trips/locmetrics.yaml', import.meta.url));

test.each([
  ['serve', '--http', '127.0.0.1:0', '--grpc', 'off'],
  ['publish', MANIFEST],
])('a damaged data directory ends %s with a message, not a stack', async (...command) => {
  const data = inFolder('damaged');
  await mkdir(data, { recursive: true });
  await writeFile(inFolder('damaged/current.json'), '{bad');
  const { code, messages } = await runCommand([...command, '--data', data]);
  expect([code, messages]).toEqual([
    1,
    `${data}/current.json is damaged: locmetrics did not write this content.\nRestore it from a backup, or rebuild it from the existing versions: locmetrics recover\n`,
  ]);
});

test('a service does not start if current.json is missing beside a version', async () => {
  const data = inFolder('lost');
  await mkdir(inFolder('lost/versions/shop.stores/20240101T000000000Z-0123456789ab'), {
    recursive: true,
  });
  const serve = ['serve', '--http', '127.0.0.1:0', '--grpc', 'off', '--data', data];
  const { code, messages } = await runCommand(serve);
  expect([code, messages]).toEqual([
    1,
    `${data}/current.json is missing, although there are versions in ${data}/versions.\nRestore it from a backup, or rebuild it from the existing versions: locmetrics recover\n`,
  ]);
});
