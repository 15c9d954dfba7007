import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';

/**
 * Builds the explorer into `dist`, each file also compressed, so that the service compresses nothing. It does nothing
 * if what it is built from has not changed. The new build replaces the old one at once.
 */
const explorer = join(import.meta.dirname, '..');
const dist = join(explorer, 'dist');
const draft = join(explorer, `dist-draft-${process.pid}`);
const builtFrom = fingerprint();

if (readBuiltFrom() !== builtFrom) {
  try {
    await build({
      configFile: join(explorer, 'vite.config.ts'),
      build: { outDir: draft },
      logLevel: 'warn',
    });
    const sizes = compressFiles(draft);
    writeFileSync(join(draft, 'built-from'), builtFrom);
    rmSync(dist, { recursive: true, force: true });
    renameSync(draft, dist);
    process.stdout.write(`@locmetrics/explorer: ${sizes} bytes with gzip, all pages included\n`);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function readBuiltFrom(): string | undefined {
  const path = join(dist, 'built-from');
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** The hash of all that a build reads: its sources, those of the client, the operators, and the versions of the packages. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const root = join(explorer, '..', '..');
  const files = [
    join(root, 'package-lock.json'),
    ...['index.html', 'docs/api/index.html', 'vite.config.ts', 'scripts/build.ts'].map((name) =>
      join(explorer, name),
    ),
    ...filesIn(join(explorer, 'src')),
    ...filesIn(join(explorer, 'basemap')),
    ...filesIn(join(explorer, 'public')),
    ...filesIn(join(root, 'packages', 'sdk', 'src')),
    ...['csv.ts', 'filter-operators.ts'].map((name) =>
      join(root, 'packages', 'contract', 'src', name),
    ),
  ];
  for (const path of files) hash.update(path.slice(root.length)).update(readFileSync(path));
  return hash.digest('hex');
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

/** Writes `.gz` and `.br` beside each text file; returns the bytes of all files with gzip. */
function compressFiles(folder: string): number {
  let total = 0;
  for (const path of filesIn(folder)) {
    const bytes = readFileSync(path);
    if (!/\.(?:js|css|html|svg|json)$/.test(path)) {
      total += bytes.length;
      continue;
    }
    const gzip = gzipSync(bytes, { level: 9 });
    writeFileSync(`${path}.gz`, gzip);
    writeFileSync(`${path}.br`, brotliCompressSync(bytes));
    total += gzip.length;
  }
  return total;
}
