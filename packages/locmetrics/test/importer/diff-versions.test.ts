import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { diffVersions, type VersionDiff } from '@locmetrics/ingest/publish/diff-versions';
import { publish } from '@locmetrics/ingest/publish/publish-datasets';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scopedFolder } from '../support/temporary-folder.ts';
import { testCount } from '../support/test-count.ts';
import { announceSeed } from '../support/test-seed.ts';
import { WHOLE_PUBLISH } from './whole-publish.ts';

type Row = {
  readonly a: string;
  readonly b: number;
  readonly x: string;
  readonly y: number | null;
};

const MANIFEST = `format: 1
datasets:
  shop.rows:
    files: rows.csv
    key: [a, b]
    fields:
      x: { type: string }
      a: { type: string }
      b: { type: integer }
      y: { type: float }
`;

/** Publishes two versions and compares them. */
async function diff(
  before: readonly Row[],
  after: readonly Row[],
  changeManifest: (manifest: string) => string = (manifest) => manifest,
): Promise<VersionDiff> {
  await using folder = scopedFolder();
  const directory = dataDirectory(join(folder.path, 'data'));
  const publishRows = async (rows: readonly Row[], manifest: string, time: number) => {
    await writeFile(join(folder.path, 'locmetrics.yaml'), manifest);
    const lines = rows.map(({ a, b, x, y }) => `${a},${b},${x},${y ?? ''}\n`);
    await writeFile(join(folder.path, 'rows.csv'), `a,b,x,y\n${lines.join('')}`);
    const { datasets } = await publish({
      ...WHOLE_PUBLISH,
      manifestPath: join(folder.path, 'locmetrics.yaml'),
      datasetNames: [],
      directory,
      memoryLimitBytes: 2 ** 29,
      threads: 1,
      clock: () => time,
    });
    const [published] = datasets;
    if (published === undefined) throw new Error('Nothing was published.');
    return published.version.version;
  };
  const found = await diffVersions({
    directory,
    datasetName: 'shop.rows',
    before: await publishRows(before, MANIFEST, Date.parse('2026-01-31T00:00:00Z')),
    after: await publishRows(after, changeManifest(MANIFEST), Date.parse('2026-02-28T00:00:00Z')),
    memoryLimitBytes: 2 ** 28,
    threads: 2,
    signal: new AbortController().signal,
  });
  expect(await readdir(directory.temporary)).toEqual([]);
  expect(await readdir(directory.leases)).toEqual([]);
  return found;
}

test('records are matched by the key, and reported with the first examples in key order', async () => {
  const found = await diff(
    [
      { a: 'A', b: 2, x: 'old', y: 1.5 },
      { a: 'A', b: 10, x: 'same', y: null },
      { a: 'B', b: 1, x: 'gone', y: 7 },
    ],
    [
      { a: 'A', b: 1, x: 'new', y: 0 },
      { a: 'A', b: 2, x: 'old', y: null },
      { a: 'A', b: 10, x: 'same', y: null },
    ],
  );
  expect(found).toEqual({
    schema: [],
    records: {
      rows: { added: 1, removed: 1, changed: 1, same: 1 },
      changedFields: [{ field: 'y', rows: 1 }],
      examples: {
        added: [{ key: { a: 'A', b: '1' } }],
        removed: [{ key: { a: 'B', b: '1' } }],
        changed: [
          { key: { a: 'A', b: '2' }, fields: [{ field: 'y', before: '1.5', after: null }] },
        ],
      },
    },
  });
});

test('each change has at most ten examples, of different places', { tags: 'slow' }, async () => {
  const rows = (x: string, from: number): readonly Row[] =>
    ['A', 'B', 'C', 'D'].flatMap((a) =>
      Array.from({ length: 40 }, (_, index) => ({ a, b: from + index, x, y: 3 })),
    );
  const { records } = await diff(rows('old', 0), rows('new', 20));
  expect(records?.rows).toEqual({ added: 80, removed: 80, changed: 80, same: 0 });
  for (const examples of Object.values(records?.examples ?? {})) {
    const keys = examples.map(({ key }) => `${key['a']} ${key['b']?.padStart(2, '0')}`);
    expect(keys).toHaveLength(10);
    expect(keys).toEqual(keys.toSorted());
    expect(new Set(keys.map((key) => key.charAt(0))).size).toBeGreaterThan(2);
  }
});

test('a field in only one version, or with another type, is a change of the schema and not of records', async () => {
  const rows: readonly Row[] = [{ a: 'A', b: 1, x: 'x', y: 3 }];
  const { schema, records } = await diff(rows, rows, (manifest) =>
    manifest
      .replace('      x: { type: string }\n', '')
      .replace('y: { type: float }', 'y: { type: integer }'),
  );
  expect(schema).toEqual([
    { change: "The field 'x' is gone.", isBreaking: true },
    { change: "The type of the field 'y' changed from 'float' to 'integer'.", isBreaking: true },
    { change: "The additivity of the field 'y' changed from 'none' to 'all'.", isBreaking: false },
  ]);
  expect(records?.rows).toEqual({ added: 0, removed: 0, changed: 0, same: 1 });
});

test.each([
  ['another field', 'key: [a, b]', 'key: [b]'],
  ['another type', 'b: { type: integer }', 'b: { type: string }'],
])('if the key has %s, no record is matched', async (_, part, other) => {
  const rows: readonly Row[] = [{ a: 'A', b: 1, x: 'x', y: 3 }];
  const { schema, records } = await diff(rows, rows, (manifest) => manifest.replace(part, other));
  expect(records).toBeUndefined();
  expect(schema[0]?.isBreaking).toBe(true);
});

test('the differences of random versions equal those of plain code', {
  tags: 'sized',
}, async () => {
  const row = fc.record({
    a: fc.constantFrom('A', 'B', 'ä'),
    b: fc.integer({ min: -3, max: 12 }),
    x: fc.constantFrom('one', 'two'),
    y: fc.constantFrom(null, 0, 0.1, 1e21),
  });
  const rows = fc.uniqueArray(row, {
    selector: ({ a, b }) => `${a} ${b}`,
    maxLength: 40,
    minLength: 1,
  });
  await fc.assert(
    fc.asyncProperty(rows, rows, async (before, after) => {
      const { records } = await diff(before, after);
      expect(records?.rows).toEqual(plainCounts(before, after));
    }),
    { seed: announceSeed('diffs'), numRuns: testCount('DIFFS', { few: 2, all: 10 }) },
  );
});

function plainCounts(before: readonly Row[], after: readonly Row[]) {
  const keyOf = ({ a, b }: Row): string => `${a} ${b}`;
  const known = new Map(before.map((row) => [keyOf(row), JSON.stringify([row.x, row.y])]));
  const kept = after.filter((row) => known.has(keyOf(row)));
  const same = kept.filter((row) => known.get(keyOf(row)) === JSON.stringify([row.x, row.y]));
  return {
    added: after.length - kept.length,
    removed: before.length - kept.length,
    changed: kept.length - same.length,
    same: same.length,
  };
}
