import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { releaseLater } from '../support/release.ts';
import { installedCommandOf } from '../support/run-folder.ts';
import { runInProcess } from './run-in-process.ts';

export const ENTRY_POINT = fileURLToPath(new URL('../../bin/locmetrics.js', import.meta.url));

/** Messages of an installed command show it as `locmetrics`. A run without vitest has no installation. */
function installedCommand(): string {
  const installed = installedCommandOf(tmpdir());
  return existsSync(installed) ? installed : ENTRY_POINT;
}

export type CommandResult = {
  readonly code: number | null;
  /** The standard output of the command. */
  readonly data: string;
  /** The standard error of the command. */
  readonly messages: string;
};

export type RunningCommand = {
  readonly pid: number;
  readonly child: ChildProcess;
  /** The output of the command so far. */
  readonly written: () => CommandResult;
  /** Waits until standard output or error contains this text. Fails if the command ends before. */
  readonly untilItWrites: (text: string) => Promise<void>;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<CommandResult>;
};

/** Runs `locmetrics` to its end: a service in a separate process, all else in this one. */
export function runCommand(
  parameters: readonly string[],
  options: Omit<CommandOptions, 'nodeParameters'> = {},
): Promise<CommandResult> {
  const [name = ''] = parameters;
  if (SERVICES.has(name) && !parameters.includes('--help')) return runProcess(parameters, options);
  const { directory, environment } = options;
  return runInProcess(parameters, {
    directory,
    environment: { ...withoutSettings(process.env), ...environment },
  });
}

const SERVICES: ReadonlySet<string> = new Set(['demo', 'serve']);

/** Runs `locmetrics` in a separate process to its end. */
export function runProcess(
  parameters: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return startCommand(parameters, options).ended;
}

export type CommandOptions = {
  readonly directory?: string;
  /** Variables that are added to an environment without locmetrics settings. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The arguments of Node. The default is an installed command with the parameters. */
  readonly nodeParameters?: readonly string[];
  /** Opens the file descriptor 3 of the process, a channel in both directions: `child.stdio[3]` here. */
  readonly hasChannel?: boolean;
};

/** Starts `locmetrics` in a separate process, which is killed with the test, or with the file if a hook starts it. */
export function startCommand(
  parameters: readonly string[],
  {
    directory,
    environment = {},
    nodeParameters = [installedCommand()],
    hasChannel = false,
  }: CommandOptions = {},
): RunningCommand {
  const child = spawn(process.execPath, [...nodeParameters, ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe', hasChannel ? 'pipe' : 'ignore'],
    env: { ...withoutSettings(process.env), ...environment },
    ...(directory === undefined ? {} : { cwd: directory }),
  });
  const { stdout, stderr } = child;
  assert(stdout !== null && stderr !== null);
  let data = '';
  let messages = '';
  const waiting = new Set<() => void>();
  const ended = Promise.withResolvers<CommandResult>();
  const written = (): CommandResult => ({ code: child.exitCode, data, messages });
  stdout.setEncoding('utf8').on('data', (text: string) => {
    data += text;
    for (const look of waiting) look();
  });
  stderr.setEncoding('utf8').on('data', (text: string) => {
    messages += text;
    for (const look of waiting) look();
  });
  child.once('error', ended.reject);
  child.once('close', (code) => {
    ended.resolve({ code, data, messages });
    for (const look of waiting) look();
  });
  releaseLater(() => {
    child.kill('SIGKILL');
    return ended.promise;
  });
  return {
    pid: child.pid ?? 0,
    child,
    written,
    untilItWrites: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (data.includes(text) || messages.includes(text)) {
            waiting.delete(look);
            resolve();
          } else if (child.exitCode !== null || child.signalCode !== null) {
            waiting.delete(look);
            reject(new Error(`The command ended without '${text}':\n${data}\n${messages}`));
          }
        };
        waiting.add(look);
        look();
      }),
    kill: (signal) => child.kill(signal),
    ended: ended.promise,
  };
}

function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.startsWith('LOCMETRICS_')),
  );
}

/** The complete lines of its log so far, parsed. */
export function linesOf({ written }: RunningCommand): readonly Readonly<Record<string, unknown>>[] {
  const whole = written().messages.split('\n').slice(0, -1);
  return whole.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}
