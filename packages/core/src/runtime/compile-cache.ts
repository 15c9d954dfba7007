import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

/** The part of the environment with which a process or a thread uses the compile cache of this process. */
export function compileCacheEnvironment(): { readonly NODE_COMPILE_CACHE?: string } {
  // The folder has a subfolder for each version of Node, which is the one that is returned.
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
