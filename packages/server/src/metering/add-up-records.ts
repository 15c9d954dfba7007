import { dayText } from '@locmetrics/core/dates/calendar-date';
import type { UsageRecord } from '@locmetrics/core/domain/usage-record';
import type { UsageSums } from './usage-query.ts';

/** Sums, with the values of organisation, day, token, operation and resource. */
export type SummedUsage = UsageSums & { readonly parts: readonly string[] };

/** The sums of records by organisation, day, token, operation and resource, in the order of their keys. */
export function addUpRecords(records: readonly UsageRecord[]): readonly SummedUsage[] {
  const sums = new Map<string, SummedUsage>();
  for (const record of records) {
    const { organisationId, tokenId, operation, resource, rows, bytes, isContinued } = record;
    const parts = [organisationId, dayText(record.time), tokenId, operation, resource];
    const key = JSON.stringify(parts);
    const sum = sums.get(key) ?? { parts, requests: 0, rows: 0, bytes: 0 };
    sums.set(key, {
      parts,
      requests: sum.requests + (isContinued ? 0 : 1),
      rows: sum.rows + rows,
      bytes: sum.bytes + bytes,
    });
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}
