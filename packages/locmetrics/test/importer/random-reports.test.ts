// @module-tag sized

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import type {
  GroupChanges,
  Jump,
  MeasureTotals,
  PublishReport,
  Total,
} from '@locmetrics/data-directory/versions/publish-report';
import { publish } from '@locmetrics/ingest/publish/publish-datasets';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scopedFolder } from '../support/temporary-folder.ts';
import { atLeast, testCount } from '../support/test-count.ts';
import { announceSeed } from '../support/test-seed.ts';
import { WHOLE_PUBLISH } from './whole-publish.ts';

const RUNS = testCount('TABLES', { few: 1, all: 15 });

const MANIFEST = `format: 1
datasets:
  shop.visits:
    files: visits.csv
    key: [store, month, row]
    period: { start: month, end: month }
    fields:
      store: { type: string }
      month: { type: date }
      row: { type: boolean }
      visits: { type: integer }
      share: { type: float, additive: all }
`;

type Row = {
  readonly store: string;
  readonly month: string;
  readonly row: boolean;
  readonly visits: number | null;
  /** Numbers of a few digits, so that sums are exact in any order. */
  readonly share: number | null;
};

const MEASURES = ['visits', 'share'] as const;

const randomRows = fc.uniqueArray(
  fc.record({
    store: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
    month: fc.constantFrom('2024-01-01', '2024-02-01', '2024-03-01', '2024-04-01'),
    row: fc.boolean(),
    visits: fc.option(fc.integer({ min: -2, max: 9 })),
    share: fc.option(fc.integer({ min: -2, max: 8 }).map((quarters) => quarters / 4)),
  }),
  {
    minLength: 5,
    maxLength: 60,
    size: 'max',
    selector: ({ store, month, row }) => `${store} ${month} ${row}`,
  },
);

test(
  'reports of random changes equal those of plain code',
  async () => {
    const seed = announceSeed('random reports');
    const seen = { jumps: 0, appeared: 0, vanished: 0, corrected: 0 };
    await fc.assert(
      fc.asyncProperty(randomRows, randomRows, async (before, after) => {
        const { periods, features, totals } = await publishBoth(before, after);
        expect(periods).toEqual(plainPeriods(before, after));
        expect(features).toEqual(plainFeatures(before, after));
        expect(totals).toEqual(MEASURES.map((field) => plainTotals(field, before, after)));
        seen.corrected += totals?.[0]?.features.count ?? 0;
        for (const changes of [periods, features]) {
          seen.jumps += changes?.jumped.count ?? 0;
          seen.appeared += changes?.appeared.count ?? 0;
          seen.vanished += changes?.vanished.count ?? 0;
        }
      }),
      { seed, numRuns: RUNS, verbose: fc.VerbosityLevel.Verbose },
    );
    // Equal versions would agree too, so a minimum of changes is required.
    expect(seen.jumps).toBeGreaterThan(atLeast(RUNS * 3));
    expect(seen.appeared).toBeGreaterThan(atLeast(RUNS));
    expect(seen.vanished).toBeGreaterThan(atLeast(RUNS));
    expect(seen.corrected).toBeGreaterThan(atLeast(RUNS));
  },
  60_000 + RUNS * 5_000,
);

async function publishBoth(before: readonly Row[], after: readonly Row[]): Promise<PublishReport> {
  await using folder = scopedFolder();
  await writeFile(join(folder.path, 'locmetrics.yaml'), MANIFEST);
  let report: PublishReport | undefined;
  for (const rows of [before, after]) {
    const lines = rows.map(
      ({ store, month, row, visits, share }) =>
        `${store},${month},${row},${visits ?? ''},${share ?? ''}\n`,
    );
    await writeFile(
      join(folder.path, 'visits.csv'),
      `store,month,row,visits,share\n${lines.join('')}`,
    );
    const { datasets } = await publish({
      ...WHOLE_PUBLISH,
      manifestPath: join(folder.path, 'locmetrics.yaml'),
      datasetNames: [],
      directory: dataDirectory(join(folder.path, 'data')),
      clock: Date.now,
    });
    report = datasets[0]?.report;
  }
  if (report === undefined) throw new Error('Nothing was published.');
  return report;
}

/** The number of records, followed by the value of each measure. */
type Values = readonly (number | null)[];
type Group = { readonly values: Values; readonly comparedWith?: string };

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function plainTotals(
  field: (typeof MEASURES)[number],
  before: readonly Row[],
  after: readonly Row[],
): MeasureTotals {
  const number = MEASURES.indexOf(field) + 1;
  const changed = (by: 'month' | 'store', months?: ReadonlySet<string>): readonly Total[] => {
    const [then, now] = [groupRows(before, by, sumOf, months), groupRows(after, by, sumOf, months)];
    const names = [...new Set([...then.keys(), ...now.keys()])].sort();
    const totals = names.map((of) => ({
      of,
      before: then.get(of)?.values[number] ?? null,
      after: now.get(of)?.values[number] ?? null,
    }));
    return totals.filter((total) => total.before !== total.after);
  };
  const listed = (totals: readonly Total[]) => ({
    count: totals.length,
    examples: totals.slice(0, 10),
  });
  const corrected = correctedMonths(before, after);
  const byDifference = (left: Total, right: Total) => differenceOf(right) - differenceOf(left);
  const sum = (rows: readonly Row[]) => {
    const values = rows.flatMap((row) => row[field] ?? []);
    return values.length === 0 ? null : sumOf(values);
  };
  return {
    field,
    overall: { before: sum(before), after: sum(after) },
    periods: listed(changed('month').toSorted(byDifference)),
    features: listed(
      corrected.size === 0 ? [] : changed('store', corrected).toSorted(byDifference),
    ),
  };
}

/** The months of both versions whose records or sums differ. */
function correctedMonths(before: readonly Row[], after: readonly Row[]): ReadonlySet<string> {
  const [then, now] = [groupRows(before, 'month', sumOf), groupRows(after, 'month', sumOf)];
  const corrected = [...now].filter(
    ([month, { values }]) => then.has(month) && String(then.get(month)?.values) !== String(values),
  );
  return new Set(corrected.map(([month]) => month));
}

function plainPeriods(before: readonly Row[], after: readonly Row[]): GroupChanges {
  const [then, now] = [groupRows(before, 'month', sumOf), groupRows(after, 'month', sumOf)];
  const base = new Map(then);
  const months = [...now.keys()].sort();
  for (const [index, month] of months.entries()) {
    const previous = months[index - 1];
    const group = previous === undefined ? undefined : now.get(previous);
    if (previous === undefined || group === undefined || then.has(month)) continue;
    base.set(month, { values: group.values, comparedWith: previous });
  }
  return changesOf('month', { then, now, base });
}

function plainFeatures(before: readonly Row[], after: readonly Row[]): GroupChanges {
  const mean = (values: readonly number[]): number => sumOf(values) / values.length;
  const monthsOf = (rows: readonly Row[]) => new Set(rows.map(({ month }) => month));
  const common = monthsOf(before).intersection(monthsOf(after));
  const grouped = (rows: readonly Row[]) =>
    groupRows(rows, 'store', mean, common.size === 0 ? undefined : common);
  const [then, now] = [grouped(before), grouped(after)];
  return changesOf('store', { then, now, base: then });
}

function groupRows(
  rows: readonly Row[],
  field: 'store' | 'month',
  fold: (values: readonly number[]) => number,
  months?: ReadonlySet<string>,
): ReadonlyMap<string, Group> {
  return new Map(
    [...Map.groupBy(rows, (row) => row[field])].map(([of, all]) => {
      const members = all.filter(({ month }) => months?.has(month) ?? true);
      const values = MEASURES.map((measure) => {
        const present = members.flatMap((row) => row[measure] ?? []);
        return present.length === 0 ? null : fold(present);
      });
      return [of, { values: [members.length, ...values] }];
    }),
  );
}

function changesOf(
  field: string,
  { then, now, base }: Readonly<Record<'then' | 'now' | 'base', ReadonlyMap<string, Group>>>,
): GroupChanges {
  const missing = (from: ReadonlyMap<string, Group>, there: ReadonlyMap<string, Group>) =>
    [...from.keys()].filter((of) => !there.has(of)).sort();
  const jumps = [...now]
    .flatMap(([of, { values }]) => greatestJump(of, base.get(of), values) ?? [])
    .sort((left, right) => byGreatness(left, right) || (left.of < right.of ? -1 : 1));
  const listed = <Item>(items: readonly Item[]) => ({
    count: items.length,
    examples: items.slice(0, 10),
  });
  return {
    field,
    count: now.size,
    appeared: listed(missing(now, then)),
    vanished: listed(missing(then, now)),
    changed: [...now].filter(
      ([of, { values }]) => then.has(of) && String(then.get(of)?.values) !== String(values),
    ).length,
    jumped: listed(
      jumps.map((jump) => ({ ...jump, before: rounded(jump.before), after: rounded(jump.after) })),
    ),
    jumpPercent: 50,
  };
}

function greatestJump(of: string, base: Group | undefined, after: Values): Jump | undefined {
  return base?.values
    .map((before, index) => ({
      of,
      field: MEASURES[index - 1] ?? null,
      before,
      after: after[index] ?? null,
      comparedWith: base.comparedWith ?? null,
    }))
    .filter(({ before, after: value }) =>
      before === null || value === null
        ? before !== value
        : Math.abs(value - before) * 100 > 50 * Math.abs(before),
    )
    .sort(byGreatness)[0];
}

function byGreatness(left: Jump, right: Jump): number {
  const [ofLeft, ofRight] = [timesOf(left), timesOf(right)];
  if (ofLeft !== ofRight) return ofLeft > ofRight ? -1 : 1;
  return differenceOf(right) - differenceOf(left);
}

function timesOf({ before, after }: Jump): number {
  if (before === null || after === null || before * after <= 0) return Number.POSITIVE_INFINITY;
  const sizes = [Math.abs(before), Math.abs(after)];
  return Math.max(...sizes) / Math.min(...sizes);
}

function differenceOf({ before, after }: Pick<Jump, 'before' | 'after'>): number {
  return Math.abs((after ?? 0) - (before ?? 0));
}

function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(12));
}
