import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * The files that a module of the built package loads, and their size with gzip as they are: a bundler that also
 * minifies makes less of them. A module outside the package is refused.
 */
export function clientSize(entry: string): { readonly files: number; readonly gzipBytes: number } {
  const files = [...loadedFrom(entry, new Set())];
  const gzipBytes = gzipSync(Buffer.concat(files.map((path) => readFileSync(path)))).length;
  return { files: files.length, gzipBytes };
}

function loadedFrom(path: string, loaded: Set<string>): ReadonlySet<string> {
  if (loaded.has(path)) return loaded;
  loaded.add(path);
  for (const [, specifier = ''] of readFileSync(path, 'utf8').matchAll(/\bfrom '([^']+)'/g)) {
    if (!specifier.startsWith('.')) throw new Error(`${path} loads ${specifier}.`);
    loadedFrom(join(dirname(path), specifier), loaded);
  }
  return loaded;
}
