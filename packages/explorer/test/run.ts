import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findChromium } from '../../locmetrics/test/browser/find-chromium.ts';
import { publishSample } from '../../locmetrics/test/clients/start-sample.ts';
import { temporaryFolder } from '../../locmetrics/test/support/temporary-folder.ts';

/** Runs the tests in a browser, or says why they were not tried. Arguments are those of vitest. */
const found = findChromium();
if (found.path === undefined) {
  process.stdout.write(`Not tested in a browser: ${found.reason}.\n0 passed, 0 failed\n`);
} else {
  // Each file starts a service with it.
  const sample =
    process.env['LOCMETRICS_TEST_SAMPLE'] === undefined
      ? publishSample(join(temporaryFolder(), 'sample'))
      : {};
  const { status } = spawnSync(
    process.execPath,
    [
      join(import.meta.dirname, '..', '..', '..', 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--config',
      join(import.meta.dirname, 'vitest.config.ts'),
      ...process.argv.slice(2),
    ],
    { stdio: 'inherit', env: { ...process.env, ...sample } },
  );
  process.exitCode = status ?? 1;
}
