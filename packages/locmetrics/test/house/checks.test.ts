import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

test('`npm run check` finds nothing', async () => {
  // Here, and not before the tests: many of those wait, and leave it a processor.
  const output = await new Promise<string>((resolve) => {
    execFile('npm', ['run', '--silent', 'check'], { cwd: ROOT }, (error, stdout, stderr) =>
      resolve(error === null ? '' : stdout + stderr),
    );
  });
  expect(output).toBe('');
});
