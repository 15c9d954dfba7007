import type { AttachedRecords } from '@locmetrics/column-store/publish/check-records';
import {
  correctedGroups,
  countGroups,
  type GroupStore,
  type GroupValues,
  groupRecords,
  intersectGroups,
  listJumpedGroups,
  listMissingGroups,
} from '@locmetrics/column-store/publish/compare-groups';
import type { VersionReader } from '@locmetrics/column-store/publish/open-version-reader';
import { findField } from '@locmetrics/core/domain/dataset';
import { findFeatureField } from '@locmetrics/core/domain/feature-field';
import type { Field } from '@locmetrics/core/domain/field';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import type {
  GroupChanges,
  MeasureTotals,
  NotCompared,
} from '@locmetrics/data-directory/versions/publish-report';
import { type Acceptance, USUAL_JUMP_PERCENT } from '../manifest/acceptance.ts';
import { compareTotals } from './compare-totals.ts';

/** The changes from one version to another, by period and by feature. */
export type Comparison = {
  readonly periods: GroupChanges | null;
  readonly features: GroupChanges | null;
  readonly totals: readonly MeasureTotals[];
  readonly notCompared: readonly NotCompared[];
};

/** Compares a version with the previous one. Without one, only counts its periods and features. */
export async function compareVersions({
  version,
  before,
  acceptance,
  reader,
}: {
  readonly version: DatasetVersion;
  readonly before: DatasetVersion | undefined;
  readonly acceptance: Acceptance;
  readonly reader: VersionReader;
}): Promise<Comparison> {
  const { dataset } = version;
  const start = dataset.period && findField(dataset, dataset.period.start);
  const feature = findFeatureField(version);
  const notCompared = [
    ...listReasons('periods', start, before),
    ...listReasons('features', feature, before),
  ];
  const unlike = new Set(notCompared.map(({ what }) => what));
  const after = await reader.attach(version);
  const earlier = before && (await reader.attach(before));
  const measures = listMeasures(version).filter(
    (name) => before === undefined || isNumber(findField(before.dataset, name)),
  );
  const periods =
    start &&
    (await compareGroups({
      after,
      before: unlike.has('periods') ? undefined : earlier,
      name: 'periods',
      values: { field: start.name, measures, fold: 'sum' },
      jumpPercent: acceptance.periodJumpPercent,
    }));
  const within =
    start && feature && earlier && unlike.size === 0
      ? await findCommonPeriods(after.connection, start.name)
      : undefined;
  const features =
    feature &&
    (await compareGroups({
      after,
      before: unlike.has('features') ? undefined : earlier,
      name: 'features',
      values: { field: feature.name, measures, fold: 'mean', within },
      jumpPercent: acceptance.featureJumpPercent,
    }));
  const compared = { periods: periods ?? null, features: features ?? null, notCompared };
  if (earlier === undefined) return { ...compared, totals: [] };
  const hasPeriods = start !== undefined && !unlike.has('periods');
  const hasFeatures = feature !== undefined && unlike.size === 0;
  const isCorrected = !hasPeriods || (compared.periods?.changed ?? 0) > 0;
  const corrected = hasPeriods ? { field: start.name, table: correctedOf('periods') } : undefined;
  const totals = await compareTotals({
    version,
    after,
    before: earlier,
    measures,
    periods: hasPeriods ? tablesOf('periods') : undefined,
    features: hasFeatures && isCorrected ? { field: feature.name, within: corrected } : undefined,
  });
  return { ...compared, totals };
}

/** The reason if groups by a field cannot be compared, because the previous version has no such field. */
function listReasons(
  what: NotCompared['what'],
  field: Field | undefined,
  before: DatasetVersion | undefined,
): readonly NotCompared[] {
  if (field === undefined || before === undefined) return [];
  const { name, type } = field;
  const known = findField(before.dataset, name);
  if (known?.type === type) return [];
  const reason =
    known === undefined
      ? `Version ${before.version} has no field '${name}'.`
      : `In version ${before.version} the field '${name}' is ${known.type}, not ${type}.`;
  return [{ what, reason }];
}

/** The periods that both versions have, if any. */
async function findCommonPeriods(store: GroupStore, field: string): Promise<GroupValues['within']> {
  const table = 'common_periods';
  await intersectGroups(store, table, tablesOf('periods'));
  return (await countGroups(store, table)) === 0 ? undefined : { field, table };
}

/** The measured fields: those of the metrics, or else the number fields without another role. */
function listMeasures({ dataset, layers, metrics }: DatasetVersion): readonly string[] {
  const ofMetrics = metrics.flatMap(({ measures }) =>
    measures.filter(({ kind }) => kind !== 'category').map(({ field }) => field),
  );
  if (ofMetrics.length > 0) return [...new Set(ofMetrics)];
  const points = [dataset.point, ...layers.map(({ point }) => point)];
  const others = [
    ...dataset.key,
    ...points.flatMap((point) => (point === undefined ? [] : [point.latitude, point.longitude])),
  ];
  return dataset.fields
    .filter((field) => isNumber(field) && !others.includes(field.name))
    .map(({ name }) => name);
}

function isNumber(field: Field | undefined): boolean {
  return field?.type === 'integer' || field?.type === 'float';
}

async function compareGroups({
  after,
  before,
  name,
  values,
  jumpPercent = USUAL_JUMP_PERCENT,
}: {
  readonly after: AttachedRecords;
  readonly before: AttachedRecords | undefined;
  readonly name: NotCompared['what'];
  readonly values: GroupValues;
  readonly jumpPercent: number | undefined;
}): Promise<GroupChanges> {
  const store = after.connection;
  const tables = tablesOf(name);
  if (before === undefined) {
    await groupRecords(store, tables.after, after, { ...values, measures: [] });
    const count = await countGroups(store, tables.after);
    return {
      field: values.field,
      count,
      appeared: NONE,
      vanished: NONE,
      changed: 0,
      jumped: NONE,
      jumpPercent,
    };
  }
  await groupRecords(store, tables.after, after, values);
  await groupRecords(store, tables.before, before, values);
  const jumped = await listJumpedGroups(store, tables, {
    measureCount: values.measures.length,
    jumpPercent,
    comparesAppeared: name === 'periods',
  });
  return {
    field: values.field,
    count: await countGroups(store, tables.after),
    appeared: await listMissingGroups(store, { table: tables.after, from: tables.before }),
    vanished: await listMissingGroups(store, { table: tables.before, from: tables.after }),
    changed: await correctedGroups(store, correctedOf(name), tables, values.measures.length),
    jumped: {
      count: jumped.count,
      examples: jumped.examples.map(({ measure, ...jump }) => ({
        ...jump,
        field: measure === null ? null : (values.measures[measure] ?? null),
      })),
    },
    jumpPercent,
  };
}

const NONE = { count: 0, examples: [] };

function tablesOf(name: NotCompared['what']): { readonly before: string; readonly after: string } {
  return { before: `${name}_before`, after: `${name}_after` };
}

function correctedOf(name: NotCompared['what']): string {
  return `${name}_corrected`;
}
