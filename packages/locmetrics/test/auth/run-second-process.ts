import { type ChildProcess, execFile, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Done, StoreOperation } from './second-process.ts';

const SCRIPT = fileURLToPath(new URL('./second-process.ts', import.meta.url));

let running: ChildProcess | undefined;
let count = 0;

/**
 * Runs one operation in a separate process, which opens the store for it. Returns its result. The process goes on for
 * the next operation, because starting one takes longer than all that it does.
 */
export async function runSecondProcess(
  path: string,
  operation: StoreOperation['operation'],
  argument: string,
  /** Of a shared store. */
  url = '',
): Promise<unknown> {
  const child = running ?? start();
  running = child;
  count += 1;
  const id = count;
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const onMessage = (message: unknown): void => {
    // Only our own script sends messages.
    const done = message as Done;
    if (done.id !== id) return;
    if (done.error === undefined) resolve(done.result);
    else reject(new Error(done.error));
  };
  const onExit = (): void => reject(new Error('The second process ended.'));
  child.on('message', onMessage).once('exit', onExit);
  child.send({ id, path, operation, argument, url } satisfies StoreOperation & { id: number });
  return promise.finally(() => child.off('message', onMessage).off('exit', onExit));
}

/** The process ends with this one, and does not keep it running. */
function start(): ChildProcess {
  const child = fork(SCRIPT, { execArgv: [] });
  child.unref();
  child.channel?.unref();
  child.once('exit', () => {
    running = undefined;
  });
  return child;
}

/** The same in a process of its own, which has opened no file before. */
export async function runNewProcess(
  path: string,
  operation: StoreOperation['operation'],
  argument: string,
): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    SCRIPT,
    JSON.stringify({ path, operation, argument, url: '' } satisfies StoreOperation),
  ]);
  return JSON.parse(stdout);
}
