import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * The CPU time of a process and its children so far, in µs: user and system, all threads. Read from Linux'
 * `/proc` (proc_pid_stat(5)), whose unit is the clock tick, mostly 10 ms.
 */
export async function cpuMicrosOf(pid: number): Promise<number> {
  ticksPerSecond ??= Number((await promisify(execFile)('getconf', ['CLK_TCK'])).stdout);
  const ticks = await Promise.all((await processesOf(pid)).map(ticksOf));
  return (ticks.reduce((sum, count) => sum + count, 0) / ticksPerSecond) * 1e6;
}

/** Whether this system tells the CPU time of other processes. */
export const CAN_READ_CPU_TIME = process.platform === 'linux';

let ticksPerSecond: number | undefined;

/** A process and its children. */
export async function processesOf(pid: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8')),
  );
  const children = lists.flatMap((list) => list.split(' ').filter((text) => text !== ''));
  return [pid, ...children.map(Number)];
}

async function ticksOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name of the program, in brackets, may have spaces. After it come state (3), …, utime (14), stime (15).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
