import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { ENTRY_POINT, runCommand, startCommand } from '../commands/run-command.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';

const inFolder = useTemporaryFolder();

const MANIFEST = `format: 1
datasets:
  us.places:
    files: p.csv
    key: [id]
    fields:
      id: { type: string }
`;

function writeManifest(name: string): string {
  mkdirSync(inFolder(name), { recursive: true });
  writeFileSync(inFolder(`${name}/p.csv`), 'id\na\n');
  writeFileSync(inFolder(`${name}/m.yaml`), MANIFEST);
  return inFolder(`${name}/m.yaml`);
}

/** The user `nobody`, whom permissions stop, unlike root. */
const NOBODY = 65_534;

/** Runs a command as another user. */
async function runAsNobody(
  ...given: readonly string[]
): Promise<{ code: number | null; messages: string }> {
  const child = spawn(process.execPath, [ENTRY_POINT, ...given], {
    stdio: ['ignore', 'ignore', 'pipe'],
    uid: NOBODY,
    gid: NOBODY,
    // Each user has compiled code of its own.
    env: { ...process.env, NODE_COMPILE_CACHE: inFolder('compiled') },
  });
  let messages = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    messages += text;
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject).once('close', resolve);
  return { code: await promise, messages };
}

test('checks at once of a data directory that does not exist all work, and leave nothing', {
  tags: 'slow',
}, async () => {
  const manifest = writeManifest('at-once');
  const data = inFolder('at-once/none/data');
  const check = () => startCommand(['check', manifest, '--data', data]).ended;
  const ended = await Promise.all([check(), check(), check()]);
  expect(ended.map(({ code, messages }) => [code, code === 0 ? '' : messages])).toEqual([
    [0, ''],
    [0, ''],
    [0, ''],
  ]);
  expect(readdirSync(inFolder('at-once')).toSorted()).toEqual(['m.yaml', 'p.csv']);
});

test('so do checks at once of one that exists', { tags: 'slow' }, async () => {
  const manifest = writeManifest('existing');
  const data = inFolder('existing/data');
  expect((await runCommand(['publish', manifest, '--data', data])).code).toBe(0);
  const check = () => startCommand(['check', manifest, '--data', data]).ended;
  const ended = await Promise.all([check(), check(), check()]);
  expect(ended.map(({ code, messages }) => [code, code === 0 ? '' : messages])).toEqual([
    [0, ''],
    [0, ''],
    [0, ''],
  ]);
  expect(readdirSync(`${data}/tmp`)).toEqual([]);
});

// Only root may run a command as another user, and is itself stopped by no permission.
test.runIf(process.getuid?.() === 0)(
  'a data directory of another user ends every command with a message, not with a stack',
  { tags: 'slow' },
  async () => {
    const manifest = writeManifest('foreign');
    const data = inFolder('foreign/data');
    await runCommand(['publish', manifest, '--data', data]);
    await runCommand(['org', 'create', 'A', '--id', 'a', '--data', data]);
    await runCommand(['usage', '--data', data]);
    // The other user may look into the folders above, so that only the data directory stops it.
    for (const folder of [dirname(manifest), inFolder(''), dirname(inFolder(''))]) {
      chmodSync(folder, 0o755);
    }
    mkdirSync(inFolder('compiled'));
    chmodSync(inFolder('compiled'), 0o777);
    for (const mode of [0o700, 0o755]) {
      chmodSync(data, mode);
      const ended = await Promise.all([
        runAsNobody('check', manifest, '--data', data),
        runAsNobody('org', 'list', '--data', data),
        runAsNobody('usage', '--data', data),
        runAsNobody('gc', '--data', data),
      ]);
      for (const { code, messages } of ended) {
        expect(messages).toContain(data);
        expect(messages).not.toMatch(/^ +at /m);
        expect(code).toBe(1);
      }
    }
  },
);

test('a file in place of the folder, and a path that is too long, are refused with a hint', async () => {
  const manifest = writeManifest('in-place');
  writeFileSync(inFolder('in-place/file'), '');
  for (const [data, hint] of [
    [inFolder('in-place/file'), 'A file exists in place of a directory.'],
    [inFolder('in-place/file/data'), 'A file exists in place of a directory.'],
    [inFolder(`in-place/${'x'.repeat(300)}`), 'The path is longer than the file system allows.'],
  ] as const) {
    for (const command of [
      ['check', manifest],
      ['publish', manifest],
      ['org', 'create', 'A'],
    ]) {
      const { code, messages } = await runCommand([...command, '--data', data]);
      expect([command[0], messages]).toEqual([command[0], expect.stringContaining(hint)]);
      expect(messages).not.toMatch(/^ +at /m);
      expect(code).toBe(1);
    }
  }
  expect(existsSync(inFolder('in-place/none'))).toBe(false);
});
