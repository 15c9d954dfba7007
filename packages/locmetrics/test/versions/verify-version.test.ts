import {
  appendFile,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import { sealedText } from '@locmetrics/data-directory/files/sealed-json';
import { verifyVersion } from '@locmetrics/data-directory/versions/verify-version';
import {
  readVersionFile,
  summarizeFile,
  type VersionFile,
} from '@locmetrics/data-directory/versions/version-file';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const VERSION = '20240101T000000000Z-0123456789ab';

let root: string;
let folder: string;

beforeEach(async () => {
  root = temporaryFolder();
  folder = join(root, 'shop.stores', VERSION);
  await mkdir(folder, { recursive: true });
  await writeFile(inFolder('records.duckdb'), 'r'.repeat(3_000_000));
  await writeFile(inFolder('report.json'), '{}\n');
  const file: VersionFile = {
    format: 1,
    version: {
      dataset: {
        name: 'shop.stores',
        productDisplayName: 'shop',
        productDescription: '',
        displayName: 'Stores',
        description: '',
        fields: [],
        key: [],
      },
      layers: [],
      metrics: [],
      version: VERSION,
      publishedTime: '2024-01-01T00:00:00.000Z',
      rowCount: 1234,
    },
    files: {
      'records.duckdb': await summarizeFile(inFolder('records.duckdb')),
      'report.json': await summarizeFile(inFolder('report.json')),
    },
    sources: [],
  };
  await writeFile(inFolder('version.json'), sealedText(file));
});

const inFolder = (name: string): string => join(folder, name);

const verify = (content = true): ReturnType<typeof verifyVersion> =>
  verifyVersion(folder, { content });

async function changeByte(name: string): Promise<void> {
  const handle = await open(inFolder(name), 'r+');
  await handle.write('x', 2_000_000);
  await handle.close();
}

async function changeVersionFile(change: (text: string) => string): Promise<void> {
  const path = inFolder('version.json');
  await writeFile(path, change(await readFile(path, 'utf8')));
}

test('a version with unchanged files has no problem', async () => {
  const fractions: number[] = [];
  const verified = await verifyVersion(folder, {
    content: true,
    onFraction: (fraction) => fractions.push(fraction),
  });
  expect(verified).toEqual({ bytes: 3_000_003 });
  expect(fractions.length).toBeGreaterThan(2);
  expect(fractions).toEqual(fractions.toSorted((left, right) => left - right));
  expect(fractions.at(-1)).toBe(1);
});

test('one changed byte is found by reading the content, but not by the sizes', async () => {
  await changeByte('records.duckdb');
  expect(await verify()).toEqual({
    bytes: 3_000_000,
    problem: 'records.duckdb does not have the content with which it was published.',
  });
  expect(await verify(false)).toEqual({ bytes: 3_000_003 });
});

test.each([true, false])('a file of another size is found (content: %s)', async (content) => {
  await appendFile(inFolder('report.json'), ' ');
  expect((await verify(content)).problem).toBe('report.json has 4 bytes instead of 3.');
});

test.each([
  ['records.duckdb', 'records.duckdb is missing.'],
  ['version.json', 'version.json is missing.'],
])('without %s a version is damaged', async (name, problem) => {
  await rm(inFolder(name));
  expect((await verify(false)).problem).toBe(problem);
});

test('a version whose folder is gone is damaged', async () => {
  await rm(folder, { recursive: true });
  expect(await verify()).toEqual({ bytes: 0, problem: 'version.json is missing.' });
});

test('a file that cannot be read is reported with the reason of the system', async () => {
  await rm(inFolder('report.json'));
  await symlink('report.json', inFolder('report.json'));
  expect((await verify()).problem).toBe('report.json cannot be read: ELOOP.');
});

test('a file with which the engine would read more changes is damaged', async () => {
  await writeFile(inFolder('records.duckdb.wal'), '');
  expect((await verify(false)).problem).toBe(
    'There is a file records.duckdb.wal next to records.duckdb, which the engine would apply to it.',
  );
});

test('the folder of another version is not accepted as this one', async () => {
  const other = join(root, 'shop.stores', '20250101T000000000Z-0123456789ab');
  await rename(folder, other);
  expect((await verifyVersion(other, { content: true })).problem).toBe(
    `version.json is that of shop.stores ${VERSION}.`,
  );
});

test('version.json has its own checksum: every reader refuses a changed file', async () => {
  expect(readVersionFile(folder)?.version.rowCount).toBe(1234);
  await changeVersionFile((text) => text.replace('1234', '1235'));
  expect(() => readVersionFile(folder)).toThrow(DataDirectoryError);
  const problem = `${inFolder('version.json')} is damaged: it does not have the content with which it was written.`;
  expect((await verify()).problem).toBe(problem);
});

test('version.json of a release without the checksum is read without a check', async () => {
  await changeVersionFile((text) => text.replace(/,\s*"sha256": "[0-9a-f]{64}"\s*}\s*$/, '}'));
  expect(JSON.parse(await readFile(inFolder('version.json'), 'utf8'))).not.toHaveProperty('sha256');
  expect(await verify()).toEqual({ bytes: 3_000_003 });
});

test.each([
  ['{"format": 1, "ver', 'is damaged: locmetrics did not write this content.'],
  ['{"format": 1}', 'version.json is damaged: it describes no version.'],
  ['{"format": 7}', 'has the format 7: it was written by a newer version of locmetrics.'],
])('a version.json with %s is reported as damaged', async (text, problem) => {
  await writeFile(inFolder('version.json'), text);
  expect((await verify()).problem).toContain(problem);
});

test('an aborted check throws the reason', async () => {
  const reason = new Error('given up');
  await expect(
    verifyVersion(folder, { content: true, signal: AbortSignal.abort(reason) }),
  ).rejects.toBe(reason);
});
