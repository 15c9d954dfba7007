import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.ts';

/**
 * Returns a function that writes a file and returns its path, in a folder that is removed after each test:
 * `write('config.yaml', 'http: off')`.
 */
export function useConfigFolder(): (name: string, content: string | Uint8Array) => string {
  return (name, content) => {
    const folder = temporaryFolder();
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
}
