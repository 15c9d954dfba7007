// @module-tag slow

import { execFile } from 'node:child_process';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { ENTRY_POINT, runCommand } from '../commands/run-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder = '';
let script = '';
let programs = '';

beforeAll(async () => {
  folder = temporaryFolder();
  await mkdir(join(folder, 'data sets'));
  await writeFile(join(folder, 'locmetrics.yaml'), '');
  script = join(folder, 'completion.bash');
  await writeFile(script, (await runCommand(['completion', 'bash'])).data);
  programs = temporaryFolder();
  const program = join(programs, 'locmetrics');
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${ENTRY_POINT}' "$@"\n`);
  await chmod(program, 0o700);
});

/** The completions that bash offers after the words. The last word is incomplete. */
async function complete(...words: readonly string[]): Promise<readonly string[]> {
  const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _locmetrics
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = await promisify(execFile)(
    'bash',
    ['--norc', '-c', program, 'bash', script, 'locmetrics', ...words],
    { cwd: folder, env: { ...process.env, PATH: `${programs}:${process.env['PATH']}` } },
  );
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

const COMMANDS = [
  'demo',
  'serve',
  'publish',
  'check',
  'init',
  'inspect',
  'versions',
  'rollback',
  'dataset',
  'diff',
  'verify',
  'gc',
  'recover',
  'nodes',
  'backup',
  'clickhouse',
  'control',
  'org',
  'token',
  'grant',
  'limits',
  'audit',
  'usage',
  'explore',
  'exports',
  'explain',
  'config',
  'completion',
  'help',
];

test.each<[words: readonly string[], offered: readonly string[]]>([
  [[''], COMMANDS],
  [['p'], ['publish']],
  [['-'], ['--version', '--help']],
  [
    ['token', ''],
    ['create', 'list', 'rotate', 'revoke'],
  ],
  [['token', 're'], ['revoke']],
  [
    ['grant', 'add', 'acme', '--rel'],
    ['--related-component', '--related-feature'],
  ],
  [
    ['help', 'org', ''],
    ['create', 'list', 'suspend', 'resume'],
  ],
  [
    ['org', 'create', '--'],
    ['--id', '--json', '--data', '--control', '--config', '--help'],
  ],
  [['org', 'create', 'token', '--i'], ['--id']],
  [
    ['serve', '--tls'],
    ['--tls-certificate', '--tls-key'],
  ],
  [['serve', '--tls-key', 'loc'], ['locmetrics.yaml']],
  [
    ['serve', '--tls-key', '=', ''],
    ['data sets', 'locmetrics.yaml', 'completion.bash'],
  ],
  [['serve', '--data', ''], ['data sets']],
  [['serve', '--data', '=', 'd'], ['data sets']],
  [
    ['serve', '--data', 'x', '--http'],
    ['--http', '--https'],
  ],
  [['serve', '--data', 'token', ''], []],
  [['serve', '--http', ''], []],
  [
    ['serve', '--access-log', ''],
    ['on', 'off'],
  ],
  [
    ['serve', '--access-log', '--ht'],
    ['--http', '--https'],
  ],
  [
    ['serve', '--access-log', 'off', '--ht'],
    ['--http', '--https'],
  ],
  [
    ['serve', '--access-log', '=', 'o'],
    ['on', 'off'],
  ],
  [['publish', 'l'], ['locmetrics.yaml']],
  [['publish', '--json', '--config', 'x', 'l'], ['locmetrics.yaml']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['no-command', ''], COMMANDS],
  [
    ['token', 'create', '--scope', ''],
    ['catalog', 'metrics', 'usage', 'operate', 'admin'],
  ],
  [['explore', '--scope', '=', 'us'], ['usage']],
  [
    ['usage', '--by', 'd'],
    ['day', 'dataset'],
  ],
  // Without a data directory.
  [['usage', '--org', ''], []],
])('after %j bash offers %j', async (words, offered) => {
  expect([...(await complete(...words))].sort()).toEqual([...offered].sort());
});

test('bash offers the ids of the organisations where one is named', async () => {
  const data = join(folder, '.locmetrics');
  for (const id of ['city', 'county', 'port']) {
    const { code } = await runCommand(['org', 'create', id, '--id', id, '--data', data]);
    expect(code).toBe(0);
  }
  expect(await complete('usage', '--org', '')).toEqual(['city', 'county', 'port']);
  expect(await complete('org', 'suspend', 'co')).toEqual(['county']);
  expect(await complete('token', 'list', '')).toEqual(['city', 'county', 'port']);
  await rm(data, { recursive: true });
});

test('bash completes the command once its script is read', async () => {
  const { stdout } = await promisify(execFile)('bash', [
    ...['--norc', '-c', 'source "$1"; complete -p locmetrics', 'bash', script],
  ]);
  expect(stdout).toBe('complete -F _locmetrics locmetrics\n');
});

test.each(['zsh', 'fish'])('the script for %s has every command and flag', async (shell) => {
  const { code, data, messages } = await runCommand(['completion', shell]);
  expect([code, messages]).toEqual([0, '']);
  for (const command of ['demo', 'publish', 'org create', 'token revoke', 'grant add', 'audit']) {
    expect(data).toContain(command);
  }
  for (const flag of ['tls-certificate', 'expires', 'otlp-headers', 'json']) {
    expect(data).toContain(flag);
  }
});

test('a shell without a script is wrong usage, and the message lists the supported shells', async () => {
  const { code, messages } = await runCommand(['completion', 'tcsh']);
  expect(code).toBe(2);
  expect(messages).toContain("'tcsh' is invalid");
  expect(messages).toContain('bash, zsh, fish');
});
