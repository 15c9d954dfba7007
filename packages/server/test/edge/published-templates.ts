import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The environment variable with the folder of the data that the tests of a run share. */
export const TEMPLATES_VARIABLE = 'LOCMETRICS_TEST_TEMPLATES';

/** Run by vitest before all tests of a run; removes the folder after them. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'locmetrics-templates-'));
  process.env[TEMPLATES_VARIABLE] = folder;
  return () => rm(folder, { recursive: true });
}
