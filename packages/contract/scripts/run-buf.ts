import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The folder of this package, which the paths in `args` are relative to. */
export const CONTRACT = fileURLToPath(new URL('../', import.meta.url));

/**
 * Runs buf. It works offline: the .proto files have no outside dependencies, and its plugin is
 * installed on this machine.
 */
export function runBuf(...args: readonly string[]): {
  readonly succeeded: boolean;
  readonly output: string;
} {
  const launcher = fileURLToPath(import.meta.resolve('@bufbuild/buf/bin/buf'));
  // The launcher and the plugin run on the Node that runs this file: the one in PATH may be older.
  const { error, status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], {
    cwd: CONTRACT,
    encoding: 'utf8',
  });
  if (error) throw error;
  return { succeeded: status === 0, output: `${stdout}${stderr}` };
}
