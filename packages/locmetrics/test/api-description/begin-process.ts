import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Ended = {
  /** Undefined if the program could not be started. */
  readonly status: number | undefined;
  readonly output: string;
};

/**
 * Starts a program that runs while this process works, and waits. Its output goes to a file of the folder, because a
 * full pipe would stop it meanwhile.
 */
export function beginProcess(
  folder: string,
  [program = '', ...args]: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const file = join(folder, `${program}-${args[0]}.log`.replace(/[^\w.-]/g, '-'));
  const output = openSync(file, 'w');
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  process.once('exit', () => child.kill('SIGKILL'));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ status: undefined, output: String(error) }));
    child.once('close', (code) =>
      resolve({ status: code ?? -1, output: readFileSync(file, 'utf8') }),
    );
  });
}
