import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** A node of a parsed YAML file. */
// biome-ignore lint/suspicious/noExplicitAny: the tests assert the shapes of files that have no types.
export type Parsed = any;

/** The paths of all files of `deploy/`, relative to the repository. */
export function listDeployFiles(): readonly string[] {
  return readdirSync(join(ROOT, 'deploy'), { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && !entry.parentPath.endsWith('/tls') && entry.name !== '.env',
    )
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .sort();
}

export function readRepositoryFile(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The documents of a YAML file, with its aliases and merges resolved. Fails on errors and warnings. */
export function readYaml(path: string): readonly Parsed[] {
  return parseAllDocuments(readRepositoryFile(path), { merge: true }).map((document) => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) throw problem;
    return document.toJS();
  });
}

/** The seconds of a duration such as `40s`, which all durations in `deploy/` are given in. */
export function secondsOf(duration: unknown): number {
  const [, seconds] = /^(\d+)s$/.exec(String(duration)) ?? [];
  if (seconds === undefined) throw new Error(`${duration} is not a number of seconds.`);
  return Number(seconds);
}

/** Why a program cannot be run with these arguments; undefined if it can. */
export function whyMissing(program: string, ...parameters: readonly string[]): string | undefined {
  const { status } = spawnSync(program, parameters, { stdio: 'ignore' });
  return status === 0 ? undefined : `Not tested: ${program} ${parameters.join(' ')} does not run.`;
}

export type Ran = { readonly status: number | null; readonly output: string };

/** Runs a program in the folder of the repository to its end. */
export function run(
  program: string,
  parameters: readonly string[],
  { input = '', environment = {} }: { input?: string; environment?: NodeJS.ProcessEnv } = {},
): Ran {
  const { status, stdout, stderr } = spawnSync(program, parameters, {
    cwd: ROOT,
    input,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  return { status, output: `${stdout}${stderr}` };
}
