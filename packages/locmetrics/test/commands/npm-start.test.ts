import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { findServing } from '@locmetrics/data-directory/versions/serving-lock';
import { expect, test } from 'vitest';
import { releaseLater } from '../support/release.ts';
import { until } from '../support/until.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

const inFolder = useTemporaryFolder();

// npm sends the signal to its shell, which must have become the service: a shell that waits does not pass it on.
test('a process manager that ends npm start ends the service too', { tags: 'slow' }, async () => {
  const data = inFolder('data');
  const addresses = ['--http', '127.0.0.1:0', '--grpc', 'off', '--workers', '1'];
  const npm = spawn('npm', ['start', '--', '--data', data, ...addresses], {
    cwd: ROOT,
    stdio: 'ignore',
  });
  const ended = once(npm, 'exit');
  await until(() => {
    if (npm.exitCode !== null) throw new Error('npm start has ended.');
    return existsSync(join(data, 'demo.env'));
  });
  const service = findServing(dataDirectory(data))?.pid ?? 0;
  releaseLater(async () => {
    if (isRunning(service)) process.kill(service, 'SIGTERM');
    await until(() => !isRunning(service));
  });
  expect(isRunning(service)).toBe(true);
  npm.kill('SIGTERM');
  await ended;
  expect(isRunning(service)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
