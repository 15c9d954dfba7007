import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { keepTool, type Say } from './keep-tool.ts';

/**
 * The folder of programs of a virtual environment with the packages. Undefined if it cannot be made; the reason is
 * printed. The first package is fetched alone, to check whether the index can be reached.
 */
export function keepPythonPackages(
  name: string,
  packages: readonly string[],
  say: Say,
): string | undefined {
  const kept = keepTool(name, packages, (folder) => {
    if (spawnSync('python3', ['-m', 'venv', folder]).status !== 0) {
      say('Not tested: there is no python3 that makes virtual environments here.');
      return false;
    }
    const run = (args: readonly string[], stdio: 'inherit' | 'pipe') =>
      spawnSync(
        join(folder, 'bin', 'python'),
        ['-m', 'pip', '--disable-pip-version-check', ...args],
        {
          stdio,
        },
      );
    const [first = ''] = packages;
    // This release exists, so the download succeeds if the index can be reached.
    const fetched = run(['download', '-q', '--no-deps', '-d', folder, first], 'pipe');
    if (fetched.status !== 0) {
      say(`Not tested: the Python Package Index is not reached here.\n${fetched.stderr}`);
      return false;
    }
    say(`Installing ${packages.join(' and ')}`);
    // Python compiles the few modules that are used.
    if (run(['install', '-q', '--no-compile', ...packages], 'inherit').status === 0) return true;
    throw new Error('The packages could not be installed.');
  });
  return kept === undefined ? undefined : join(kept, 'bin');
}
