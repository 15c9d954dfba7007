import { setPriority } from 'node:os';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import type { FromMaker, ToMaker } from './serving/make-missing-row-files.ts';
import { makeRowFile } from './serving/make-row-file.ts';

/**
 * The entry point of a process that makes one row file beside a service, so that neither its memory nor its time is that of a
 * process that answers.
 */
const LOW_PRIORITY = 10;

process.once('message', ({ config, root, version }: ToMaker) => {
  const tell = (message: FromMaker): void => {
    process.send?.(message, () => process.disconnect());
  };
  try {
    setPriority(LOW_PRIORITY);
  } catch {
    // Some systems do not allow it.
  }
  makeRowFile(version, { config: { ...config, threads: 1 }, directory: dataDirectory(root) }).then(
    (bytes) => tell({ bytes }),
    (error: unknown) => tell({ problem: error instanceof Error ? error.message : String(error) }),
  );
});
// The service has ended, or needs the file no more.
process.once('disconnect', () => process.exit());
