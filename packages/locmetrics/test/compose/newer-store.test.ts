// @module-tag slow

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sealedText } from '@locmetrics/data-directory/files/sealed-json';
import { beforeAll, expect, test } from 'vitest';
import { publishStores } from '../commands/publish-stores.ts';
import { type CommandResult, runCommand } from '../commands/run-command.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';

/** An update cannot be undone: an old command refuses a newer store before it does anything. */
const inFolder = useTemporaryFolder();
const NEWER = { format: 1, version: '9.9.9', commit: '0123456789ab', date: '2031-01-02' };

const run = (...parameters: readonly string[]): Promise<CommandResult> =>
  runCommand([...parameters, '--data', inFolder('data')]);

beforeAll(async () => {
  await publishStores(inFolder('.'), {
    files: { 'stores.csv': 'id,city,visits\n1,A,5\n' },
    time: '2026-01-31T10:00:00.000Z',
  });
  expect((await run('org', 'create', 'Acme', '--id', 'acme')).code).toBe(0);
});

test('the data directory says which build wrote it, as --version does', async () => {
  const { version, commit, date } = JSON.parse(await readFile(inFolder('data/build.json'), 'utf8'));
  expect([version, commit, date]).toEqual([
    '0.1.0',
    expect.stringMatching(/^([0-9a-f]{12}|unknown)$/),
    expect.stringMatching(/^(\d{4}-\d\d-\d\d|unknown)$/),
  ]);
  expect((await runCommand(['--version'])).data).toBe(`0.1.0 (${commit}, ${date})\n`);
  const git = spawnSync('git', ['rev-parse', 'HEAD'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  if (git.status === 0) expect(git.stdout).toContain(commit);
});

const COMMANDS = [
  ['org', 'create', 'Other'],
  ['token', 'list'],
  ['versions'],
  ['rollback', 'shop.stores'],
  ['gc'],
  ['verify', '--repair'],
  ['recover', '--yes'],
  ['backup', 'backup'],
  ['usage'],
  ['serve', '--http', '127.0.0.1:0', '--grpc', 'off', '--workers', '1'],
] as const;

const setSchema = (file: string, version: number) => async (): Promise<() => Promise<void>> => {
  const set = (number: number) => {
    const database = new DatabaseSync(inFolder(`data/${file}`));
    const before = database.prepare('PRAGMA user_version').get()?.['user_version'];
    database.exec(`PRAGMA user_version = ${number}`);
    database.close();
    return Number(before);
  };
  const before = set(version);
  return async () => void set(before);
};

async function raiseFormat(): Promise<() => Promise<void>> {
  const path = inFolder('data/current.json');
  const before = await readFile(path, 'utf8');
  const { sha256, ...content } = JSON.parse(before);
  expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  await writeFile(path, sealedText({ ...content, format: 99 }));
  return () => writeFile(path, before);
}

test.each([
  ['control.sqlite', setSchema('control.sqlite', 99), 'its schema is 99'],
  ['current.json', raiseFormat, 'has the format 99'],
] as const)(
  'a newer %s is refused by every command, and nothing is changed',
  async (_, raise, said) => {
    const restore = await raise();
    const mark = inFolder('data/build.json');
    const own = await readFile(mark, 'utf8');
    await writeFile(mark, JSON.stringify(NEWER));
    const before = contentOf(inFolder('data'));
    for (const command of COMMANDS) {
      const { code, messages } = await runCommand([...command, '--data', inFolder('data')], {
        directory: inFolder('.'),
      });
      expect([command[0], code, messages]).toEqual([command[0], 1, expect.stringContaining(said)]);
      expect(messages).toContain(
        'last written by 9.9.9 (0123456789ab, 2031-01-02); this is 0.1.0 (',
      );
      expect([command[0], contentOf(inFolder('data'))]).toEqual([command[0], before]);
    }
    await writeFile(mark, own);
    await restore();
    expect((await run('versions')).code).toBe(0);
  },
);

/** The names of all files of a folder, with digests. */
function contentOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`)
    .sort();
}
