// @module-tag slow

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../locmetrics/test/support/temporary-folder.ts';
import {
  BASELINE,
  buildDescriptors,
  GENERATED,
  generateMessages,
} from '../scripts/message-generation.ts';
import { CONTRACT, runBuf } from '../scripts/run-buf.ts';

let folder = '';
beforeAll(() => {
  folder = temporaryFolder();
});

test('the generated messages equal the output of `npm run generate`', () => {
  generateMessages(folder);

  const written = filesIn(join(folder, GENERATED));
  expect(written.size).toBeGreaterThan(40);
  expect(filesIn(join(CONTRACT, GENERATED))).toStrictEqual(written);
});

test('the baseline equals the descriptors that `npm run generate` writes', () => {
  const built = join(folder, 'built.binpb');
  buildDescriptors(built);
  expect(readFileSync(join(CONTRACT, BASELINE)).equals(readFileSync(built))).toBe(true);
});

test('the .proto files follow the rules of buf.yaml', () => {
  expect(runBuf('lint')).toStrictEqual({ succeeded: true, output: '' });
});

test('the .proto files are formatted', () => {
  expect(runBuf('format', '--diff', '--exit-code')).toStrictEqual({ succeeded: true, output: '' });
});

test('the .proto files are compatible with the baseline', () => {
  expect(runBuf('breaking', '--against', BASELINE)).toStrictEqual({ succeeded: true, output: '' });
});

test.each([
  ['a changed number', 'string next_page_token = 3;', 'string next_page_token = 5;'],
  ['a changed type', 'int64 total_size = 4;', 'int32 total_size = 4;'],
  ['a changed name', 'string as_of = 101;', 'string version = 101;'],
  ['a removed call', /^ {2}rpc ListRecords\(.*\n/m, ''],
])('%s would be found', (_, before, after) => {
  const changed = temporaryFolder();
  cpSync(join(CONTRACT, 'proto'), join(changed, 'proto'), { recursive: true });
  cpSync(join(CONTRACT, 'buf.yaml'), join(changed, 'buf.yaml'));
  const path = join(changed, 'proto/unacast/catalog/v3/catalog_query.proto');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace(before, after));

  const { succeeded, output } = runBuf('breaking', changed, '--against', BASELINE);

  expect(succeeded).toBe(false);
  expect(output).toContain('catalog_query.proto');
});

/** Path → text of every file in a folder. */
function filesIn(directory: string): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => [path.slice(directory.length), readFileSync(path, 'utf8')]),
  );
}
