import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

/** Of a script that runs tests with programs of others. */
export type Run = {
  /** A folder that is removed when the script ends, also by a signal. */
  readonly workspace: string;
  readonly say: (line: string) => void;
  /** Counts a check and prints it, with the details if it failed. */
  readonly report: (name: string, isGood: boolean, details?: string) => void;
  /** Counts the checks that another program has printed. */
  readonly count: (more: { readonly passed: number; readonly failed: number }) => void;
  /** Runs vitest in the root, and counts its tests. The arguments of the script replace the paths. */
  readonly runVitest: (
    options: readonly string[],
    paths: readonly string[],
    environment: NodeJS.ProcessEnv,
  ) => void;
  /** Prints the last line, `N passed, N failed`, and sets the exit code. */
  readonly end: () => void;
};

export function prepareRun(): Run {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const workspace = temporaryFolder();
  const counts = { passed: 0, failed: 0 };
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const count: Run['count'] = ({ passed, failed }) => {
    counts.passed += passed;
    counts.failed += failed;
  };
  return {
    workspace,
    say,
    count,
    report: (name, isGood, details = '') => {
      counts[isGood ? 'passed' : 'failed'] += 1;
      say(isGood ? `ok    ${name}` : `FAIL  ${name}\n${details}`);
    },
    runVitest: (options, paths, environment) => {
      const file = join(workspace, 'report.json');
      const { status } = spawnSync(
        process.execPath,
        [
          ...[join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...options],
          ...['--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
          ...(process.argv.length > 2 ? process.argv.slice(2) : paths),
        ],
        { cwd: ROOT, stdio: 'inherit', env: environment },
      );
      const { passed, failed } = countReport(file);
      count({ passed, failed: status === 0 ? failed : Math.max(failed, 1) });
    },
    end: () => {
      process.exitCode = counts.failed === 0 ? 0 : 1;
      say(`${counts.passed} passed, ${counts.failed} failed`);
    },
  };
}

/** The tests of a JSON report of vitest; a report that cannot be read is one failure. */
function countReport(path: string): { readonly passed: number; readonly failed: number } {
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'));
    return { passed: report.numPassedTests, failed: report.numFailedTests };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
