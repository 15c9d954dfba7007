import type { AttachedRecords } from '@locmetrics/column-store/publish/check-records';
import {
  type GroupTables,
  groupRecords,
  listChangedTotals,
  sumMeasures,
} from '@locmetrics/column-store/publish/compare-groups';
import { additivityOf } from '@locmetrics/core/domain/additivity';
import { findField } from '@locmetrics/core/domain/dataset';
import type { Additivity } from '@locmetrics/core/domain/field';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import type { MeasureTotals } from '@locmetrics/data-directory/versions/publish-report';

/**
 * Compares the sums of measures: over all records, of each period, and of each feature over the corrected periods. A sum
 * that would mean nothing, such as that of a population over months, is left out.
 */
export async function compareTotals({
  version,
  after,
  before,
  measures,
  periods,
  features,
}: {
  readonly version: DatasetVersion;
  readonly after: AttachedRecords;
  readonly before: AttachedRecords;
  /** The measures in the tables of the periods. */
  readonly measures: readonly string[];
  /** The groups by period; undefined if they cannot be compared. */
  readonly periods: GroupTables | undefined;
  /** Undefined if no period was corrected, or if features cannot be compared. */
  readonly features:
    | { readonly field: string; readonly within: { field: string; table: string } | undefined }
    | undefined;
}): Promise<readonly MeasureTotals[]> {
  const { dataset } = version;
  const additivity = (name: string): Additivity => {
    const field = findField(dataset, name);
    return (field && additivityOf(field, dataset)) ?? 'none';
  };
  const summed = measures.filter((name) => additivity(name) !== 'none');
  if (summed.length === 0) return [];
  const overPeriods = summed.filter((name) => additivity(name) !== 'places');
  const store = after.connection;
  if (features !== undefined && overPeriods.length > 0) {
    const values = { ...features, measures: overPeriods, fold: 'sum' as const };
    await groupRecords(store, FEATURES.after, after, values);
    await groupRecords(store, FEATURES.before, before, values);
  }
  const inAll = summed.filter((name) => additivity(name) === 'all');
  const [sumsBefore, sumsAfter] = [
    await sumMeasures(before, inAll),
    await sumMeasures(after, inAll),
  ];
  const totals: MeasureTotals[] = [];
  for (const field of summed) {
    const number = inAll.indexOf(field);
    const hasPeriods = periods !== undefined && additivity(field) !== 'periods';
    const hasFeatures = features !== undefined && overPeriods.includes(field);
    totals.push({
      field,
      overall:
        number < 0
          ? null
          : { before: sumsBefore[number] ?? null, after: sumsAfter[number] ?? null },
      periods: hasPeriods ? await listChangedTotals(store, periods, measures.indexOf(field)) : NONE,
      features: hasFeatures
        ? await listChangedTotals(store, FEATURES, overPeriods.indexOf(field))
        : NONE,
    });
  }
  return totals;
}

const NONE = { count: 0, examples: [] };
const FEATURES = { before: 'feature_totals_before', after: 'feature_totals_after' };
