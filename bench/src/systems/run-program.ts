import { spawn } from 'node:child_process';

export type RunOptions = {
  readonly environment?: NodeJS.ProcessEnv;
  readonly directory?: string;
  /** What it reads. */
  readonly input?: string;
  /** Tells it to end. */
  readonly signal?: AbortSignal;
  /** Who runs it, where that is not who runs this. */
  readonly uid?: number;
  readonly gid?: number;
};

/** Runs a program to its end and gives what it wrote; a failure tells what it said. */
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
  // A program that ends without reading everything says why by its exit code.
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
