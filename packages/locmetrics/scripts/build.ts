import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds the package that is published. `dist/locmetrics` contains JavaScript, so Node need not strip types at each start,
 * which it refuses to do in an installed package. It is a package that `npm pack` packs, with the command in `bin`. It
 * bundles the other packages of the service, so it can be installed without a registry that has them. The new build
 * replaces the old one in one step, so that a running server or a parallel build never sees a half-written one.
 */
const server = fileURLToPath(new URL('..', import.meta.url));
const packages = join(server, '..');
const SCOPE = '@locmetrics';
const licence = join(packages, '..', 'LICENSE');
const draft = join(server, 'dist', `draft-${process.pid}`);
const built = join(server, 'dist', 'locmetrics');
const compiler = fileURLToPath(
  new URL('./bin/tsc', import.meta.resolve('typescript/package.json')),
);

try {
  compile(server, draft);
  const bundled = bundledBy(readManifest(server));
  const dependencies = new Map<string, string>();
  for (const name of bundled) {
    const from = join(packages, name);
    const to = join(draft, 'node_modules', SCOPE, name);
    compile(from, to);
    // Such as generated messages, which are JavaScript already.
    copyWithoutTypeScript(join(from, 'src'), join(to, 'src'));
    cpSync(licence, join(to, 'LICENSE'));
    const { exports, devDependencies, dependencies: needed, ...manifest } = readManifest(from);
    // npm does not unpack what a bundled package needs, as if it were bundled too. So the package itself needs it.
    writeManifest(to, { ...manifest, exports: toCompiled(exports) });
    addDependencies(dependencies, needed);
  }
  mkdirSync(join(draft, 'bin'));
  const command = readFileSync(join(server, 'bin', 'locmetrics.js'), 'utf8');
  writeFileSync(
    join(draft, 'bin', 'locmetrics.js'),
    command.replace('../src/main.ts', '../src/main.js'),
    { mode: 0o755 },
  );
  cpSync(join(server, 'locmetrics.schema.json'), join(draft, 'locmetrics.schema.json'));
  copyWithoutTypeScript(join(server, 'sample'), join(draft, 'sample'));
  for (const name of ['explorer', 'docs']) {
    cpSync(join(packages, name, 'dist'), join(draft, name), { recursive: true });
  }
  writeFileSync(join(draft, 'build.json'), `${JSON.stringify(readCommit())}\n`);
  cpSync(licence, join(draft, 'LICENSE'));
  cpSync(join(server, 'README.md'), join(draft, 'README.md'));
  const { exports, devDependencies, ...manifest } = readManifest(server);
  addDependencies(dependencies, manifest.dependencies);
  writeManifest(draft, {
    ...manifest,
    dependencies: Object.fromEntries([...dependencies].sort()),
    bundleDependencies: bundled.map((name) => `${SCOPE}/${name}`),
  });
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

/** The folders of the packages that a package needs, also by way of others. */
function bundledBy({ dependencies }: Manifest): readonly string[] {
  const found = new Set<string>();
  const add = (names: readonly string[]): void => {
    for (const name of names.filter((one) => one.startsWith(`${SCOPE}/`))) {
      const folder = name.slice(SCOPE.length + 1);
      if (found.has(folder)) continue;
      found.add(folder);
      add(Object.keys(readManifest(join(packages, folder)).dependencies));
    }
  };
  add(Object.keys(dependencies));
  return [...found].sort();
}

function addDependencies(
  all: Map<string, string>,
  dependencies: Readonly<Record<string, string>>,
): void {
  for (const [name, version] of Object.entries(dependencies)) {
    assert.equal(all.get(name) ?? version, version, `Two versions of ${name} are needed.`);
    all.set(name, version);
  }
}

type Manifest = {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
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
