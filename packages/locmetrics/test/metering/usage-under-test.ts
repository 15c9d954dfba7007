import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { dayText } from '@locmetrics/core/dates/calendar-date';
import type { UsageRecord } from '@locmetrics/core/domain/usage-record';
import type { UsageFiles, UsagePlace } from '@locmetrics/server/metering/usage-files';
import type { UsageReads } from '@locmetrics/server/metering/usage-store';
import { beforeEach } from 'vitest';
import { openUsageStore } from '../../src/compose/open-usage-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A folder for the usage of each test, removed after it. */
export function useUsageFiles(): () => UsageFiles {
  let folder = '';
  beforeEach(async () => {
    folder = temporaryFolder();
  });
  return () => ({ store: join(folder, 'usage.sqlite'), segments: join(folder, 'usage') });
}

/** The names of the segments without their unique part. */
export async function segmentEndings({ segments }: UsageFiles): Promise<readonly string[]> {
  const names = await readdir(segments).catch(() => []);
  const found = names.filter((name) => name.includes('.'));
  return found.map((name) => name.slice(name.indexOf('.')));
}

/** All merged records. Also checks that their sums equal the stored sums. */
export async function readAll(place: UsagePlace): Promise<readonly UsageRecord[]> {
  const store = await openUsageStore(place);
  try {
    const { records, total, rows } = await store.reading(readWhole);
    const sums = {
      requests: records.length,
      rows: records.reduce((sum, record) => sum + record.rows, 0),
      bytes: records.reduce((sum, record) => sum + record.bytes, 0),
    };
    const days = new Set(records.map(({ time }) => dayText(time)));
    if (JSON.stringify(total) !== JSON.stringify(sums) || rows.length !== days.size) {
      throw new Error(`The sums are ${JSON.stringify(total)}, of records ${JSON.stringify(sums)}.`);
    }
    return records;
  } finally {
    await store.close();
  }
}

/** All merged records, several for an answer that was sent in pieces. The sums count its request once. */
export async function readRecords(place: UsagePlace): Promise<readonly UsageRecord[]> {
  const store = await openUsageStore(place);
  try {
    return (await store.reading(readWhole)).records;
  } finally {
    await store.close();
  }
}

async function readWhole({ organisations, records, read }: UsageReads) {
  const period = { from: '1970-01-01', to: '9999-12-31' };
  const all = { ...period, organisationId: undefined, after: undefined, rowsMax: 1_000_000 };
  const found: UsageRecord[] = [];
  for (const organisationId of await organisations(period)) {
    for await (const record of records({ ...period, organisationId })) found.push(record);
  }
  return { records: found, ...(await read({ ...all, groupBy: ['day'] })) };
}

export const requestIds = (records: readonly UsageRecord[]): readonly string[] =>
  records.map(({ requestId }) => requestId).sort();
