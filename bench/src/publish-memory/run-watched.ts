import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

const SAMPLE_PERIOD_MS = 100;

/**
 * Runs a program to its end and returns the peak resident memory of it and its child processes. Linux
 * keeps the peak of each process (`VmHWM`), so a peak between two samples counts too. The sum of the peaks
 * is never less than the peak of the sum.
 */
export async function runWatched(
  program: string,
  parameters: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly seconds: number; readonly peakBytes: number }> {
  signal.throwIfAborted();
  const begunMs = performance.now();
  const child = spawn(program, parameters, { stdio: ['ignore', 'ignore', 'pipe'] });
  const messages: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => messages.push(chunk));
  const peaks = new Map<number, number>();
  const look = (): void => {
    if (child.pid === undefined) return;
    for (const pid of treeOf(child.pid)) {
      const peak = Number(/^VmHWM:\s+([0-9]+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
      peaks.set(pid, Math.max(peak * 1024, peaks.get(pid) ?? 0));
    }
  };
  const timer = setInterval(look, SAMPLE_PERIOD_MS);
  const end = (): boolean => child.kill();
  signal.addEventListener('abort', end);
  try {
    const [code] = await once(child, 'close');
    signal.throwIfAborted();
    if (code !== 0) {
      throw new Error(
        `${[program, ...parameters].join(' ')} ended with ${code}:\n${Buffer.concat(messages)}`,
      );
    }
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', end);
  }
  return {
    seconds: (performance.now() - begunMs) / 1000,
    peakBytes: [...peaks.values()].reduce((sum, peak) => sum + peak, 0),
  };
}

/** A process and all its descendants. */
function treeOf(root: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((entry) => /^[0-9]+$/.test(entry))) {
    const parent = Number(/^PPid:\s+([0-9]+)/m.exec(read(`/proc/${name}/status`))?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** Empty if the process has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
