import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';

/**
 * Returns a function that writes a file and returns its path, in a folder that is removed after each test:
 * `write('config.yaml', 'http: off')`.
 */
export function useConfigFolder(): (name: string, content: string | Uint8Array) => string {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });
  return (name, content) => {
    const folder = mkdtempSync(join(tmpdir(), 'locmetrics-config-'));
    folders.push(folder);
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
}
