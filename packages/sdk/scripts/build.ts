import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildClient } from './build-client.ts';
import { clientSize } from './client-size.ts';

/** Builds the client into `dist/client`, a package that `npm pack` packs. The new build replaces the old one at once. */
const dist = join(import.meta.dirname, '..', 'dist');
const draft = join(dist, `draft-${process.pid}`);
const built = join(dist, 'client');
try {
  buildClient(draft);
  rmSync(built, { recursive: true, force: true });
  renameSync(draft, built);
  const { files, gzipBytes } = clientSize(join(built, 'src', 'index.js'));
  process.stdout.write(`@locmetrics/client: ${files} files, ${gzipBytes} bytes with gzip\n`);
} finally {
  rmSync(draft, { recursive: true, force: true });
}
