import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Limits the memory that this process may still allocate. The kernel refuses more, so an allocation of the engine fails with an
 * error instead of taking the memory of the machine. Address space that is only reserved, as V8 does, is not counted.
 *
 * Node cannot set a limit itself, so the command `prlimit` of Linux does. Where it is missing, as on macOS, nothing is limited:
 * its kernel would not refuse either.
 */
export async function limitMemory(bytes: number): Promise<void> {
  try {
    const status = await readFile('/proc/self/status', 'utf8');
    const usedKibibytes = Number(/^VmData:\s*([0-9]+) kB$/m.exec(status)?.[1]);
    const limit = usedKibibytes * 1024 + bytes;
    const limits = await readFile('/proc/self/limits', 'utf8');
    const before = /^Max data size\s+(\S+)/m.exec(limits)?.[1];
    if (!Number.isFinite(limit) || (before !== 'unlimited' && Number(before) < limit)) return;
    await promisify(execFile)('prlimit', ['--pid', String(process.pid), `--data=${limit}:`]);
  } catch {
    // Without a limit of the kernel, those of the readers and of the engine remain.
  }
}

/** The memory of a process beside what the engine counts: rows on their way, and our own code. */
export const UNCOUNTED_BYTES = 384 * 2 ** 20;
/** The same of a publish, which also has the row store and the readers of formats that the engine does not read. */
export const PUBLISH_UNCOUNTED_BYTES = 2 ** 30;
