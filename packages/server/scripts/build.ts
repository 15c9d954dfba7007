import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds the server. `dist` contains JavaScript, so Node need not strip types at each start. It has the
 * layout of the package, with the command in `dist/bin`. The new build replaces the old one in one step, so
 * that a running server or a parallel build never sees a half-written one.
 */
const server = fileURLToPath(new URL('..', import.meta.url));
const draft = join(server, 'dist', `draft-${process.pid}`);
const built = join(server, 'dist', 'locmetrics');
const compiler = fileURLToPath(
  new URL('./bin/tsc', import.meta.resolve('typescript/package.json')),
);

try {
  const project = join(server, 'tsconfig.build.json');
  const { status } = spawnSync(
    process.execPath,
    [compiler, '--project', project, '--outDir', join(draft, 'src')],
    { stdio: 'inherit' },
  );
  if (status !== 0) throw new Error('The server could not be compiled.');
  mkdirSync(join(draft, 'bin'));
  const command = readFileSync(join(server, 'bin', 'locmetrics.js'), 'utf8');
  writeFileSync(
    join(draft, 'bin', 'locmetrics.js'),
    command.replace('../src/main.ts', '../src/main.js'),
    { mode: 0o755 },
  );
  for (const path of ['package.json', 'sample']) {
    cpSync(join(server, path), join(draft, path), { recursive: true });
  }
  rmSync(built, { recursive: true, force: true });
  renameSync(draft, built);
} finally {
  rmSync(draft, { recursive: true, force: true });
}
