import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readPackageVersion } from './package-version.ts';

/** The commit and the day of this build. */
export type BuildInfo = {
  /** The version of the package. */
  readonly version: string;
  /** The first 12 digits of the commit; `unknown` where neither a build nor a clone says it. */
  readonly commit: string;
  /** The day of the commit, YYYY-MM-DD (UTC); or `unknown`. */
  readonly date: string;
};

/** Of a built package from the file that the build wrote; of a clone from git. */
export function readBuildInfo(): BuildInfo {
  known ??= { version: readPackageVersion(), ...(readBuilt() ?? askGit() ?? UNKNOWN) };
  return known;
}

/** `0.1.0 (8ccb8234a1b2, 2026-11-25)` */
export function buildText({ version, commit, date }: BuildInfo = readBuildInfo()): string {
  return `${version} (${commit}, ${date})`;
}

/** Read once: a command asks for it several times. */
let known: BuildInfo | undefined;

const UNKNOWN = { commit: 'unknown', date: 'unknown' } as const;
const ROOT = new URL('../../', import.meta.url);

type Commit = Omit<BuildInfo, 'version'>;

/** Written by `scripts/build.ts`. */
function readBuilt(): Commit | undefined {
  const path = new URL('build.json', ROOT);
  if (!existsSync(path)) return undefined;
  const built: Partial<Commit> = JSON.parse(readFileSync(path, 'utf8'));
  return { commit: built.commit ?? UNKNOWN.commit, date: built.date ?? UNKNOWN.date };
}

/** Only for a clone of this repository: a package can be installed inside of another one. */
function askGit(): Commit | undefined {
  if (!existsSync(new URL('../../.git', ROOT))) return undefined;
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%H %ct'], {
    cwd: fileURLToPath(ROOT),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 2000,
  });
  const [commit = '', seconds = ''] = stdout?.trim().split(' ') ?? [];
  return status === 0 && commit !== '' ? toCommit(commit, Number(seconds)) : undefined;
}

function toCommit(commit: string, seconds: number): Commit {
  return {
    commit: commit.slice(0, 12),
    date: new Date(seconds * 1000).toISOString().slice(0, 10),
  };
}
