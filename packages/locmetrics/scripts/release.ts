import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { releaseProblems } from './release-problems.ts';

/**
 * Prepares a release and publishes nothing: checks what is easily forgotten, builds and packs both packages into `dist`,
 * tries the service in an empty folder, and prints what remains to be typed. `--dry-run` goes on in spite of problems.
 */
const repository = fileURLToPath(new URL('../../..', import.meta.url));
const isDryRun = process.argv.includes('--dry-run');
const manifest = JSON.parse(read('packages/locmetrics/package.json'));
const version: string = manifest.version;

const problems = releaseProblems({
  version,
  changes: git('status', '--porcelain'),
  tags: git('tag', '--list').split('\n'),
  changelog: read('CHANGELOG.md'),
  manifests: readAll('package.json', 'bench/package.json', 'packages/*/package.json'),
  // The page about upgrading names the release before and after as well.
  mentions: readAll(
    'README.md',
    'deploy',
    'docs/*.md',
    'packages/sdk/README.md',
    ':!docs/how-to/upgrade.md',
  ),
});
for (const problem of problems) process.stderr.write(`- ${problem}\n`);
if (problems.length > 0 && !isDryRun) {
  process.stderr.write(
    `\n${version} cannot be released. \`--dry-run\` tries the rest nevertheless.\n`,
  );
  process.exit(1);
}

run('npm', 'run', 'build');
mkdirSync(join(repository, 'dist'), { recursive: true });
for (const folder of ['packages/locmetrics/dist/locmetrics', 'packages/sdk/dist/client']) {
  run('npm', 'pack', `./${folder}`, '--pack-destination', 'dist');
}
run(
  process.execPath,
  'packages/locmetrics/scripts/try-package.ts',
  `dist/locmetrics-${version}.tgz`,
);

process.stdout.write(`
${isDryRun ? 'Dry run. ' : ''}What remains for ${version}, at ${git('rev-parse', '--short=12', 'HEAD').trim()}:

  .ci/run                                    # unless it has passed on this commit
  git tag --annotate v${version} --message "Locmetrics ${version}"
  git push origin main v${version}
  npm login
  npm publish ./dist/locmetrics-${version}.tgz --access public
  npm publish ./dist/locmetrics-client-${version}.tgz --access public
  docker build --file deploy/docker/Dockerfile --tag locmetrics:${version} .

Then in an empty folder: npx locmetrics@${version} demo
`);

function git(...parameters: readonly string[]): string {
  return execFileSync('git', parameters, { cwd: repository, encoding: 'utf8' });
}

function read(path: string): string {
  return readFileSync(join(repository, path), 'utf8');
}

/** Files that git knows. */
function readAll(...patterns: readonly string[]): ReadonlyMap<string, string> {
  const paths = git('ls-files', '--', ...patterns)
    .trimEnd()
    .split('\n');
  return new Map(paths.map((path) => [path, read(path)]));
}

function run(command: string, ...parameters: readonly string[]): void {
  const { status } = spawnSync(command, parameters, { cwd: repository, stdio: 'inherit' });
  if (status !== 0) {
    process.stderr.write(`\`${[command, ...parameters].join(' ')}\` failed.\n`);
    process.exit(1);
  }
}
