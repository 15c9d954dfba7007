import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export const EXPLORER =
  '<!doctype html><title>Explorer</title><script src="./assets/page-1a2b.js">';
export const API_REFERENCE =
  '<!doctype html><title>API reference</title><script src="../../assets/page-1a2b.js">';
export const SCRIPT = `export const shops = ${JSON.stringify(Array.from({ length: 500 }, (_, i) => i))};`;

/** Writes small pages in the folders that a build has; returns the folder. */
export function writeBuiltPages(root: string): string {
  const folder = join(root, 'pages');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  mkdirSync(join(folder, 'docs', 'api'), { recursive: true });
  const files = {
    'index.html': EXPLORER,
    'docs/api/index.html': API_REFERENCE,
    'docs/api/index.html.gz': gzipSync(API_REFERENCE),
    'built-from': 'a hash',
    'assets/page-1a2b.js': SCRIPT,
    'assets/page-1a2b.js.gz': gzipSync(SCRIPT),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}
