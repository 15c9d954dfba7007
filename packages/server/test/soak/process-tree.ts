import { readdirSync, readFileSync } from 'node:fs';

/** The ids of the processes that a process has started. */
export function workersOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number)
    .filter((pid) => Number(/^PPid:\s+([0-9]+)/m.exec(read(`/proc/${pid}/status`))?.[1]) === parent)
    .filter((pid) => !/^State:\s+Z/m.test(read(`/proc/${pid}/status`)));
}

/** The memory of a process and those that it has started, in bytes: what they share counts once. */
export function memoryOf(parent: number): number {
  return [parent, ...workersOf(parent)]
    .map((pid) => Number(/^Pss:\s+([0-9]+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0))
    .reduce((sum, kilobytes) => sum + kilobytes * 1024, 0);
}

/** Empty for a process that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
