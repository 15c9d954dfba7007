import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findChromium } from '../../server/test/browser/find-chromium.ts';

/** Runs the tests in a browser, or says why they were not tried. Arguments are those of vitest. */
const found = findChromium();
if (found.path === undefined) {
  process.stdout.write(`Not tested in a browser: ${found.reason}.\n0 passed, 0 failed\n`);
} else {
  const { status } = spawnSync(
    process.execPath,
    [
      join(import.meta.dirname, '..', '..', '..', 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--config',
      join(import.meta.dirname, 'vitest.config.ts'),
      ...process.argv.slice(2),
    ],
    { stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
}
