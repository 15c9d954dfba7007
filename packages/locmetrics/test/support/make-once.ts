import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { templatesFolder } from './run-folder.ts';
import { until } from './until.ts';

/**
 * Makes a folder that the tests of a run share, once: other workers that need it at the same time wait. Returns its path, and
 * what `make` returned if it was made now.
 */
export async function makeOnce<Made>(
  name: string,
  make: (draft: string) => Promise<Made>,
): Promise<{ readonly path: string; readonly made?: Made }> {
  const path = join(templatesFolder(), name);
  const lock = `${path}.lock`;
  for (;;) {
    if (existsSync(path)) return { path };
    try {
      await mkdir(lock);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      await until(() => existsSync(path) || !existsSync(lock));
      continue;
    }
    try {
      // Another worker may have ended between the two looks.
      if (existsSync(path)) return { path };
      const draft = await mkdtemp(join(templatesFolder(), 'draft-'));
      const made = await make(draft);
      await rename(draft, path);
      return { path, made };
    } finally {
      await rm(lock, { recursive: true });
    }
  }
}
