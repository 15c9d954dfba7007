import { readdirSync, readFileSync } from 'node:fs';

/** The ids of the child processes of a process. */
export function workersOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number)
    .filter((pid) => Number(/^PPid:\s+([0-9]+)/m.exec(read(`/proc/${pid}/status`))?.[1]) === parent)
    .filter(isRunning);
}

/** False for a process that has ended, also while its parent has not asked for its exit code. */
export function isRunning(pid: number): boolean {
  return /^State:\s+[^Z\s]/m.test(read(`/proc/${pid}/status`));
}

/** The memory of a process and its child processes, in bytes. Shared memory counts once. */
export function memoryOf(parent: number): number {
  return [parent, ...workersOf(parent)]
    .map((pid) => Number(/^Pss:\s+([0-9]+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0))
    .reduce((sum, kilobytes) => sum + kilobytes * 1024, 0);
}

/** Empty if the process has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
