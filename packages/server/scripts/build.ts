import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds the server: what is in `dist` runs without its types being stripped at each start, and lies as
 * the package does, with its command in `dist/bin`. It is put in place as a whole, so that who runs the one
 * before, or builds at the same time, finds no half of it.
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
