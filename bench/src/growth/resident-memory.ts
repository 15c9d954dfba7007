import { readFile } from 'node:fs/promises';
import { processesOf } from '../fixed-cost/cpu-time.ts';

/**
 * The resident memory of a process and its children, in bytes; pages that they share count once. Read from
 * `Pss` of Linux' `/proc/pid/smaps_rollup` (proc_pid_smaps(5)).
 */
export async function residentBytesOf(pid: number): Promise<number> {
  const sizes = await Promise.all(
    (await processesOf(pid)).map(async (process) => {
      const rollup = await readFile(`/proc/${process}/smaps_rollup`, 'utf8');
      const kibibytes = /^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1];
      if (kibibytes === undefined) throw new Error(`Process ${process} tells no memory.`);
      return Number(kibibytes) * 1024;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
