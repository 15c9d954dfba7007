// @module-tag slow

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { readRepositoryFile, run, secondsOf, whyMissing } from './deploy-files.ts';

const unit = readRepositoryFile('deploy/systemd/locmetrics.service');
const environment = readRepositoryFile('deploy/systemd/locmetrics.env');
const noSystemd = whyMissing('systemd-analyze', '--version');

test('systemd accepts the unit', ({ skip }) => {
  if (noSystemd !== undefined) return skip(noSystemd);
  const folder = temporaryFolder();
  const file = join(folder, 'locmetrics.service');
  // The command is not installed here, and systemd looks for it.
  writeFileSync(file, unit.replace('/opt/locmetrics/bin/locmetrics', process.execPath));
  expect(run('systemd-analyze', ['verify', file])).toEqual({ status: 0, output: '' });
});

test('the unit waits for longer than a drain takes', () => {
  const settingOf = (name: string): string | undefined =>
    new RegExp(`^${name}=(.*)$`, 'm').exec(environment)?.[1];
  const drain =
    secondsOf(settingOf('LOCMETRICS_DRAIN_DELAY')) +
    secondsOf(settingOf('LOCMETRICS_DRAIN_TIMEOUT'));
  const [, timeout] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? [];
  expect(Number(timeout)).toBeGreaterThanOrEqual(drain + 10);
});

test('the data directory of the settings is the state directory of the unit', () => {
  const [, directory] = /^StateDirectory=(\w+)$/m.exec(unit) ?? [];
  expect(environment).toContain(`LOCMETRICS_DATA=/var/lib/${directory}\n`);
});
