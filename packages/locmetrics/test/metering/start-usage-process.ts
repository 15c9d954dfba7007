import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { UsagePlace } from '@locmetrics/server/metering/usage-files';

const SCRIPT = fileURLToPath(new URL('./usage-process.ts', import.meta.url));

/** Merges usage in a separate process until it is stopped or killed. */
export function startUsageProcess({ store, segments, postgres }: UsagePlace): {
  readonly begun: Promise<unknown>;
  /** Whether it has merged something. */
  readonly hasMerged: () => boolean;
  /** Stops the process and returns the number that it prints. */
  readonly stop: () => Promise<number>;
  readonly kill: () => Promise<unknown>;
} {
  const child = spawn(
    process.execPath,
    [SCRIPT, store, segments, ...(postgres === undefined ? [] : [postgres])],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'close');
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  return {
    begun: once(child.stdout, 'data'),
    hasMerged: () => printed.includes('merged\n'),
    stop: async () => {
      child.stdin.end();
      await ended;
      return Number(printed.trim().split('\n').at(-1));
    },
    kill: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}
