import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds the server. `dist/locmetrics` contains JavaScript, so Node need not strip types at each start, which it
 * refuses to do in an installed package. It is a package that `npm pack` packs, with the command in `bin`. It
 * bundles the contract, so it can be installed without a registry that has the contract. The new build replaces
 * the old one in one step, so that a running server or a parallel build never sees a half-written one.
 */
const server = fileURLToPath(new URL('..', import.meta.url));
const contract = join(server, '..', 'contract');
const licence = join(server, '..', '..', 'LICENSE');
const draft = join(server, 'dist', `draft-${process.pid}`);
const built = join(server, 'dist', 'locmetrics');
const compiler = fileURLToPath(
  new URL('./bin/tsc', import.meta.resolve('typescript/package.json')),
);

try {
  const bundled = join(draft, 'node_modules', '@locmetrics', 'contract');
  compile(server, draft);
  compile(contract, bundled);
  // The generated messages are JavaScript already.
  copyWithoutTypeScript(join(contract, 'src', 'generated'), join(bundled, 'src', 'generated'));
  mkdirSync(join(draft, 'bin'));
  const command = readFileSync(join(server, 'bin', 'locmetrics.js'), 'utf8');
  writeFileSync(
    join(draft, 'bin', 'locmetrics.js'),
    command.replace('../src/main.ts', '../src/main.js'),
    { mode: 0o755 },
  );
  cpSync(join(server, 'locmetrics.schema.json'), join(draft, 'locmetrics.schema.json'));
  copyWithoutTypeScript(join(server, 'sample'), join(draft, 'sample'));
  cpSync(join(server, '..', 'explorer', 'dist'), join(draft, 'explorer'), { recursive: true });
  writeFileSync(join(draft, 'build.json'), `${JSON.stringify(readCommit())}\n`);
  for (const folder of [draft, bundled]) cpSync(licence, join(folder, 'LICENSE'));
  const { dependencies, ...manifest } = readManifest(server);
  writeManifest(draft, { ...manifest, dependencies, bundleDependencies: ['@locmetrics/contract'] });
  const { dependencies: ofContract, exports, ...rest } = readManifest(contract);
  // npm does not unpack a dependency that it sees as a part of the bundle, so the contract uses those of the server.
  for (const [name, version] of Object.entries(ofContract))
    assert.equal(dependencies[name], version);
  writeManifest(bundled, { ...rest, exports: toCompiled(exports) });
  rmSync(built, { recursive: true, force: true });
  renameSync(draft, built);
} finally {
  rmSync(draft, { recursive: true, force: true });
}

/**
 * The commit and its day, so that the same commit always gives the same package; not the time of the build. Where there is no
 * git, BUILD_COMMIT and SOURCE_DATE_EPOCH (seconds) say them.
 */
function readCommit(): { readonly commit: string; readonly date: string } {
  const asked = spawnSync('git', ['log', '-1', '--format=%H %ct'], {
    cwd: server,
    encoding: 'utf8',
  });
  const [ofGit = '', secondsOfGit] = asked.status === 0 ? asked.stdout.trim().split(' ') : [];
  const commit = process.env['BUILD_COMMIT'] ?? ofGit;
  const seconds = process.env['SOURCE_DATE_EPOCH'] ?? secondsOfGit;
  return {
    commit: commit === '' ? 'unknown' : commit.slice(0, 12),
    date: seconds ? new Date(Number(seconds) * 1000).toISOString().slice(0, 10) : 'unknown',
  };
}

/** Compiles the `src` of a package into that of a folder. `npm run check` checks its types. */
function compile(from: string, to: string): void {
  const project = join(from, 'tsconfig.build.json');
  const { status } = spawnSync(
    process.execPath,
    [compiler, '--project', project, '--noCheck', '--outDir', join(to, 'src')],
    { stdio: 'inherit' },
  );
  if (status !== 0) throw new Error(`${from} could not be compiled.`);
}

function copyWithoutTypeScript(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.ts') });
}

type Manifest = {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
};

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function toCompiled(exports: Manifest['exports'] = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(exports).map(([name, path]) => [name, path.replace(/\.ts$/, '.js')]),
  );
}

function writeManifest(folder: string, manifest: object): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
