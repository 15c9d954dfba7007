import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { SwitchingWork } from './switching-process.ts';

const PROCESS = fileURLToPath(new URL('./switching-process.ts', import.meta.url));
const KILL_AT_STEP = fileURLToPath(new URL('./kill-at-step.ts', import.meta.url));

export type EndedSwitching = {
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  /** The numbers of the switches that it has made. */
  readonly switches: readonly number[];
  readonly messages: string;
};

/** Runs a process that switches; `killAtStep` kills it after so many steps, counted from 1. */
export function runSwitching(
  work: SwitchingWork,
  { killAtStep }: { readonly killAtStep?: number } = {},
): Promise<EndedSwitching> {
  const before = killAtStep === undefined ? [] : ['--import', KILL_AT_STEP];
  const child = spawn(
    process.execPath,
    [...before, PROCESS, JSON.stringify(work), '--data', work.root],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...(killAtStep === undefined ? {} : { LOCMETRICS_TEST_KILL_AT_STEP: String(killAtStep) }),
      },
    },
  );
  let written = '';
  let messages = '';
  child.stdout.on('data', (bytes) => {
    written += bytes;
  });
  child.stderr.on('data', (bytes) => {
    messages += bytes;
  });
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      const switches = written.split('\n').filter((line) => line !== '');
      resolve({ code, signal, switches: switches.map(Number), messages });
    });
  });
}
