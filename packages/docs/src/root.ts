import { join } from 'node:path';

/** The folder of the repository. Builds run in that of the package. */
export const ROOT = join(process.cwd(), '..', '..');
