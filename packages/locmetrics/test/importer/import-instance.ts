import { join } from 'node:path';
import { openReusedInstance, type ReusedInstance } from '@locmetrics/column-store/reused-instance';
import { templatesFolder } from '../support/run-folder.ts';

const instances = new Map<string, ReusedInstance>();

/**
 * The instance for imports with these limits, which the tests of this process use one after the other: opening one takes
 * longer than importing a small file. It is left to the end of the process.
 */
export function importInstance(limits: {
  readonly memoryLimitBytes: number;
  readonly threads: number;
}): ReusedInstance {
  const { memoryLimitBytes, threads } = limits;
  const name = `imports-${process.pid}-${memoryLimitBytes}-${threads}`;
  const found =
    instances.get(name) ??
    openReusedInstance({
      memoryLimitBytes,
      threads,
      temporaryDirectory: join(templatesFolder(), name),
    });
  instances.set(name, found);
  return found;
}
