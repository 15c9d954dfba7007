import { fileURLToPath } from 'node:url';
import { runProgram } from '../systems/run-program.ts';

/** The measured commit, and whether files were changed since. */
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
