import { spawn } from 'node:child_process';

export type RunOptions = {
  readonly environment?: NodeJS.ProcessEnv;
  readonly directory?: string;
  /** The standard input of the program. */
  readonly input?: string;
  /** Ends the program. */
  readonly signal?: AbortSignal;
  /** The user that runs the program. Undefined means the user of this process. */
  readonly uid?: number;
  readonly gid?: number;
};

/** Runs a program to its end and returns its output. An error contains what the program printed. */
export async function runProgram(
  command: string,
  parameters: readonly string[],
  { environment = process.env, directory, input = '', signal, ...owner }: RunOptions = {},
): Promise<string> {
  signal?.throwIfAborted();
  const child = spawn(command, [...parameters], {
    env: environment,
    ...(directory === undefined ? {} : { cwd: directory }),
    ...owner,
  });
  let data = '';
  let messages = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    data += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    messages += text;
  });
  // If a program ends before it reads all its input, the exit code says why.
  child.stdin.on('error', () => undefined).end(input);
  const end = (): boolean => child.kill();
  signal?.addEventListener('abort', end);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  }).finally(() => signal?.removeEventListener('abort', end));
  if (code !== 0) {
    throw new Error(`${command} ${parameters[0] ?? ''} failed (${code}): ${messages || data}`);
  }
  return data;
}
