import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import { runInProcess } from './run-in-process.ts';

export const ENTRY_POINT = fileURLToPath(new URL('../../bin/locmetrics.js', import.meta.url));

export type CommandResult = {
  readonly code: number | null;
  /** What the command wrote to standard output. */
  readonly data: string;
  /** What it wrote to standard error. */
  readonly messages: string;
};

export type RunningCommand = {
  readonly pid: number;
  readonly child: ChildProcess;
  /** What the command wrote until now. */
  readonly written: () => CommandResult;
  /** Waits until standard output or error has this text; fails when the command ends before. */
  readonly untilItWrites: (text: string) => Promise<void>;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<CommandResult>;
};

/** Runs `locmetrics` until it ends: a service in a process of its own, all else in this one. */
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

/** Runs `locmetrics` in a process of its own until it ends. */
export function runProcess(
  parameters: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return startCommand(parameters, options).ended;
}

type CommandOptions = {
  readonly directory?: string;
  /** Added to an environment that has no setting of locmetrics. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What Node runs; default: the entry point with the parameters. */
  readonly nodeParameters?: readonly string[];
};

/** Starts `locmetrics` in a process of its own. */
export function startCommand(
  parameters: readonly string[],
  { directory, environment = {}, nodeParameters = [ENTRY_POINT] }: CommandOptions = {},
): RunningCommand {
  const child = spawn(process.execPath, [...nodeParameters, ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...withoutSettings(process.env), ...environment },
    ...(directory === undefined ? {} : { cwd: directory }),
  });
  let data = '';
  let messages = '';
  const waiting = new Set<() => void>();
  const ended = Promise.withResolvers<CommandResult>();
  const written = (): CommandResult => ({ code: child.exitCode, data, messages });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    data += text;
    for (const look of waiting) look();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    messages += text;
    for (const look of waiting) look();
  });
  child.once('error', ended.reject);
  child.once('close', (code) => {
    ended.resolve({ code, data, messages });
    for (const look of waiting) look();
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

/** Starts commands that end with the test at the latest. */
export function useCommands(): typeof startCommand {
  const started: RunningCommand[] = [];
  afterEach(async () => {
    for (const command of started) command.kill('SIGKILL');
    await Promise.all(started.splice(0).map(({ ended }) => ended));
  });
  return (...given) => {
    const command = startCommand(...given);
    started.push(command);
    return command;
  };
}

function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.startsWith('LOCMETRICS_')),
  );
}

/** The lines of the log that it has written whole, parsed. */
export function linesOf({ written }: RunningCommand): readonly Readonly<Record<string, unknown>>[] {
  const whole = written().messages.split('\n').slice(0, -1);
  return whole.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}
