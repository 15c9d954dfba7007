import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export type RunningProgram = AsyncDisposable & {
  readonly pid: number;
  /** Waits for a line of its log that matches. Fails if the program ends before. */
  readonly untilItLogs: (pattern: RegExp) => Promise<RegExpExecArray>;
};

export type ProgramCommand = {
  readonly command: string;
  readonly parameters: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** The signal that stops the program. The default is SIGTERM. */
  readonly stopSignal?: NodeJS.Signals;
  /** The user that runs the program. Undefined means the user of this process. */
  readonly uid?: number;
  readonly gid?: number;
  /** How long it may take until it logs what is waited for. The default is a minute. */
  readonly startTimeoutMs?: number;
  /** The file of its output. A pipe would take CPU time of the process that reads it. */
  readonly logFile: string;
};

/** Starts a program that serves until it is stopped. */
export function startProgram({
  command,
  parameters,
  environment = process.env,
  logFile,
  stopSignal = 'SIGTERM',
  startTimeoutMs = START_TIMEOUT_MS,
  ...owner
}: ProgramCommand): RunningProgram {
  const log = openSync(logFile, 'w');
  const child = spawn(command, [...parameters], {
    stdio: ['ignore', log, log],
    env: environment,
    ...owner,
  });
  closeSync(log);
  const failed = Promise.withResolvers<never>();
  // `untilItLogs` reports a failure to start. Without a waiter it must not be an unhandled rejection.
  failed.promise.catch(() => undefined);
  child.once('error', failed.reject);
  const ended = Promise.race([once(child, 'exit'), failed.promise]).catch(() => undefined);
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const findInLog = async (pattern: RegExp): Promise<RegExpExecArray> => {
    const deadlineMs = performance.now() + startTimeoutMs;
    while (performance.now() < deadlineMs) {
      const isLast = hasEnded();
      const found = pattern.exec(await readFile(logFile, 'utf8'));
      if (found !== null) return found;
      if (isLast) break;
      await sleep(LOOK_INTERVAL_MS);
    }
    const written = (await readFile(logFile, 'utf8')).slice(-2000);
    throw new Error(`${command} ${hasEnded() ? 'ended' : 'did not start in time'}:\n${written}`);
  };
  return {
    // A program that could not be started has none; waiting for its log reports that.
    pid: child.pid ?? 0,
    untilItLogs: (pattern) => Promise.race([findInLog(pattern), failed.promise]),
    [Symbol.asyncDispose]: async () => {
      if (!hasEnded()) child.kill(stopSignal);
      const killing = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(killing);
    },
  };
}

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;
const LOOK_INTERVAL_MS = 20;
