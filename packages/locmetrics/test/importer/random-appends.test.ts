// @module-tag sized

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openColumnWriter } from '@locmetrics/column-store/publish/column-writer';
import { COLUMN_FILE } from '@locmetrics/column-store/record-table';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import type { PublishMode } from '@locmetrics/ingest/publish/prepare-version';
import { publish } from '@locmetrics/ingest/publish/publish-datasets';
import { openRowWriter } from '@locmetrics/row-store/publish/row-writer';
import { ROW_FILE } from '@locmetrics/row-store/row-file';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scopedFolder } from '../support/temporary-folder.ts';
import { testCount } from '../support/test-count.ts';
import { announceSeed } from '../support/test-seed.ts';
import { readRows } from './import-files.ts';
import { WHOLE_PUBLISH } from './whole-publish.ts';

const RUNS = testCount('APPENDS', { few: 2, all: 30 });

/** Parts and blocks of a few records, so that few records fill many. */
const WRITERS = [
  openColumnWriter(4),
  openRowWriter({ series: 5, singles: 2, order: 3, points: 2, values: 2 }),
];

const MONTHS = ['2024-01-01', '2024-02-01', '2024-03-01', '2024-04-01'];

type Row = {
  readonly shop: string;
  readonly month: string;
  readonly number: bigint;
  readonly name: string | null;
  readonly visits: number | null;
  readonly share: number | null;
  readonly open: boolean | null;
};

const randomRow = fc.record({
  shop: fc.constantFrom('A', 'B', 'Á', 'ß', 'ẞ', 'İ', 'b', 'z', '🜁', '\uffee', 'Straße'),
  month: fc.constantFrom(...MONTHS),
  number: fc.constantFrom(-(2n ** 63n), -1n, 0n, 1n, 2n, 300n, 2n ** 63n - 1n),
  name: fc.option(fc.constantFrom('Ä', 'ǅ', 'x', 'y'.repeat(300), 'İstanbul')),
  visits: fc.option(fc.constantFrom(0, 1, 7, 127, 128, 40_000, 3_000_000_000)),
  share: fc.option(fc.integer({ min: -2, max: 8 }).map((quarters) => quarters / 4)),
  open: fc.option(fc.boolean()),
});

/** Keys with several records of a series, with few, and with one. */
const KEYS = [
  ['shop', 'month', 'number'],
  ['month', 'shop'],
  ['number', 'shop'],
  ['shop'],
] as const;

const randomCase = fc.constantFrom(...KEYS).chain((key) =>
  fc.record({
    key: fc.constant(key),
    rows: fc.uniqueArray(fc.tuple(randomRow, fc.integer({ min: 0, max: 9 })), {
      minLength: 1,
      maxLength: 50,
      size: 'max',
      selector: ([row]) => key.map((name) => row[name]).join(' '),
    }),
    /** Rows whose number is less are added to the others. */
    addedTenths: fc.integer({ min: 0, max: 10 }),
    replacedMonth: fc.option(fc.constantFrom(...MONTHS), { freq: 3 }),
  }),
);

const SOME_ROW = {
  month: '2024-01-01',
  number: 1n,
  name: null,
  visits: 128,
  share: null,
  open: null,
} as const;

/** A new record has the numbers of the only one of its series, whose block is encoded again. */
const SAME_NUMBERS: typeof randomCase extends fc.Arbitrary<infer Case> ? Case : never = {
  key: KEYS[2],
  rows: [
    [{ ...SOME_ROW, shop: 'z' }, 0],
    [{ ...SOME_ROW, shop: 'A' }, 1],
  ],
  addedTenths: 1,
  replacedMonth: null,
};

test(
  'versions that extend another equal those with the same rows that do not',
  async () => {
    const seed = announceSeed('random appends');
    await fc.assert(
      fc.asyncProperty(randomCase, async ({ key, rows, addedTenths, replacedMonth }) => {
        const isAdded = ([row, tenth]: readonly [Row, number]): boolean =>
          tenth < addedTenths && (replacedMonth === null || row.month === replacedMonth);
        const before = rows.filter((row) => !isAdded(row)).map(([row]) => row);
        const added = rows.filter(isAdded).map(([row]) => row);
        const kept = before.filter(({ month }) => month !== replacedMonth);
        const mode: PublishMode =
          replacedMonth === null
            ? { kind: 'append' }
            : { kind: 'replace-period', start: replacedMonth, end: replacedMonth };
        const extended = await publishBoth(key, before, { rows: added, mode });
        const whole = await publishBoth(key, before, {
          rows: [...kept, ...added],
          mode: { kind: 'replace' },
        });
        expect(extended).toEqual(whole);
      }),
      {
        seed,
        numRuns: RUNS,
        verbose: fc.VerbosityLevel.Verbose,
        examples: [[SAME_NUMBERS]],
      },
    );
  },
  60_000 + RUNS * 15_000,
);

/** Publishes rows, then others in a mode. Returns all that the second version has: tables, row file, report. */
async function publishBoth(
  key: readonly string[],
  before: readonly Row[],
  then: { readonly rows: readonly Row[]; readonly mode: PublishMode },
) {
  await using folder = scopedFolder();
  await writeFile(join(folder.path, 'locmetrics.yaml'), manifestOf(key));
  const directory = dataDirectory(join(folder.path, 'data'));
  const publishRows = async (rows: readonly Row[], mode: PublishMode) => {
    await writeFile(join(folder.path, 'visits.csv'), textOf(rows));
    const { datasets } = await publish({
      ...WHOLE_PUBLISH,
      writers: WRITERS,
      mode,
      manifestPath: join(folder.path, 'locmetrics.yaml'),
      datasetNames: [],
      directory,
      clock: Date.now,
    });
    if (datasets[0] === undefined) throw new Error('Nothing was published.');
    return datasets[0];
  };
  await publishRows(before, { kind: 'replace' });
  const { version, report } = await publishRows(then.rows, then.mode);
  const versionFolder = directory.version('shop.visits', version.version);
  const { rowCount, firstObservationDate, lastObservationDate } = version;
  const { fields, periods, features, notCompared, rowCountBefore } = report;
  return {
    records: await readRows(join(versionFolder, COLUMN_FILE)),
    rowFile: readTables(join(versionFolder, ROW_FILE)),
    summary: { rowCount, firstObservationDate, lastObservationDate },
    report: { fields, periods, features, notCompared, rowCountBefore, total: report.rows.total },
  };
}

function manifestOf(key: readonly string[]): string {
  return `format: 1
datasets:
  shop.visits:
    files: visits.csv
    key: [${key.join(', ')}]
    period: { start: month, end: month }
    fields:
      shop: { type: string, searchable: true }
      month: { type: date }
      number: { type: integer }
      name: { type: string }
      visits: { type: integer, sorted: true }
      share: { type: float }
      open: { type: boolean }
`;
}

function textOf(rows: readonly Row[]): string {
  const lines = rows.map(({ shop, month, number, name, visits, share, open }) =>
    [shop, month, number, name, visits, share, open].map((value) => value ?? '').join(','),
  );
  return ['shop,month,number,name,visits,share,open', ...lines, ''].join('\n');
}

/** All rows of all tables of a file. */
function readTables(path: string): Readonly<Record<string, readonly unknown[]>> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all();
    return Object.fromEntries(
      tables.map(({ name }) => {
        const statement = database.prepare(`SELECT * FROM "${name}"`);
        statement.setReadBigInts(true);
        return [String(name), statement.all()];
      }),
    );
  } finally {
    database.close();
  }
}
