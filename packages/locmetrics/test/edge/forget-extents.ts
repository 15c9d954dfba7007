import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DataDirectory,
  EXTENTS_FILE,
} from '@locmetrics/data-directory/versions/data-directory';

/** Removes the published extents, as if a rollback had combined the versions: the service counts them itself. */
export function forgetExtents({ versions }: DataDirectory): void {
  for (const path of readdirSync(versions, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith(EXTENTS_FILE)) rmSync(join(versions, path));
  }
}
