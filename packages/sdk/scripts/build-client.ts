import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = join(import.meta.dirname, '..');
const COMPILER = fileURLToPath(
  new URL('./bin/tsc', import.meta.resolve('typescript/package.json')),
);

/** Writes the package as it is published into a folder: JavaScript with declarations, without dependencies. */
export function buildClient(folder: string): void {
  // Files for browsers too are compiled without the types of Node.
  for (const project of ['tsconfig.build.json', 'tsconfig.node.json']) {
    const { status } = spawnSync(
      process.execPath,
      [COMPILER, '--project', join(PACKAGE, project), '--outDir', join(folder, 'src')],
      { stdio: 'inherit' },
    );
    if (status !== 0) throw new Error('The client could not be compiled.');
  }
  for (const path of [join(PACKAGE, 'README.md'), join(PACKAGE, '..', '..', 'LICENSE')]) {
    cpSync(path, join(folder, path.slice(path.lastIndexOf('/') + 1)));
  }
  const {
    devDependencies: _,
    exports,
    bin,
    ...rest
  } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  const command = bin['locmetrics-client'].replace(/\.ts$/, '.js');
  chmodSync(join(folder, command), 0o755);
  const manifest = {
    ...rest,
    sideEffects: false,
    files: ['src'],
    bin: { 'locmetrics-client': command },
    exports: toBuilt(exports),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function toBuilt(exports: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(exports).map(([name, path]) => [
      name,
      { types: path.replace(/\.ts$/, '.d.ts'), default: path.replace(/\.ts$/, '.js') },
    ]),
  );
}
