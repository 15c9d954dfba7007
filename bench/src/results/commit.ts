import { fileURLToPath } from 'node:url';
import { runProgram } from '../systems/run-program.ts';

/** The commit that is measured, and whether something of it was changed since. */
export async function describeCommit(): Promise<{
  readonly commit: string;
  readonly isChanged: boolean;
}> {
  const git = (...parameters: readonly string[]): Promise<string> =>
    runProgram('git', parameters, { directory: REPOSITORY });
  return {
    commit: (await git('rev-parse', 'HEAD')).trim(),
    isChanged: (await git('status', '--porcelain')).trim() !== '',
  };
}

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
