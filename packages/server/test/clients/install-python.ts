import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CACHE = join(import.meta.dirname, '..', '..', '..', '..', 'node_modules', '.cache');

/**
 * The folder of programs of a new virtual environment with the packages. Undefined if it cannot be made; the
 * reason is printed. The first package is installed alone, to check whether the index can be reached.
 */
export function installPython(
  folder: string,
  packages: readonly string[],
  say: (line: string) => void,
): string | undefined {
  const environment = join(folder, 'python');
  if (spawnSync('python3', ['-m', 'venv', environment]).status !== 0) {
    say('Not tested: there is no python3 that makes virtual environments here.');
    return undefined;
  }
  const programs = join(environment, 'bin');
  const run = (args: readonly string[], stdio: 'inherit' | 'pipe') =>
    spawnSync(join(programs, 'python'), ['-m', 'pip', '--disable-pip-version-check', ...args], {
      stdio,
    });
  const [first = ''] = packages;
  // This release exists, so the download succeeds if the index can be reached.
  const fetched = run(['download', '-q', '--no-deps', '-d', folder, first], 'pipe');
  if (fetched.status !== 0) {
    say(`Not tested: the Python Package Index is not reached here.\n${fetched.stderr}`);
    return undefined;
  }
  say(`Installing ${packages.join(' and ')}`);
  if (run(['install', '-q', ...packages], 'inherit').status === 0) return programs;
  throw new Error('The packages could not be installed.');
}

/** The reference release of the client. It needs a pre-release, which pip installs only if it is named. */
const CLIENT_PACKAGES = ['unacatlib==0.0.101', 'betterproto[compiler]==2.0.0b7'];

/**
 * As `installPython`, with the published client. The environment is kept beside the packages of npm, one for each use
 * that installs more into it.
 */
export function keepPythonClient(
  use: 'client' | 'page',
  say: (line: string) => void,
): string | undefined {
  const folder = join(CACHE, `${use}-${CLIENT_PACKAGES.join('-').replace(/[^\w.=-]/g, '-')}`);
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return join(folder, 'python', 'bin');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const programs = installPython(folder, CLIENT_PACKAGES, say);
  if (programs !== undefined) writeFileSync(complete, '');
  return programs;
}
