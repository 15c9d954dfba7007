import { DatabaseSync } from 'node:sqlite';
import { PublishError } from './publish-error.ts';

/**
 * Makes sure that one publish runs at a time in a data directory. The lock is one of SQLite on a
 * file of its own, which the system releases with the process, however that ends.
 */
export function takePublishLock(path: string): { readonly release: () => void } {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch {
    database.close();
    throw new PublishError(
      'Another publish is running in this data directory.',
      'Wait until it has ended, then publish again.',
    );
  }
  return { release: () => database.close() };
}
