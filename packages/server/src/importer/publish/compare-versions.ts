import { findField } from '../../domain/dataset.ts';
import type { Field } from '../../domain/field.ts';
import type { DatasetVersion } from '../../domain/version.ts';
import { type Acceptance, USUAL_JUMP_PERCENT } from '../../manifest/acceptance.ts';
import { findFeatureField } from '../../manifest/feature-field.ts';
import type { AttachedRecords } from '../../storage/duckdb/publish/check-records.ts';
import {
  countGroups,
  type GroupStore,
  type GroupValues,
  groupRecords,
  intersectGroups,
  listJumpedGroups,
  listMissingGroups,
} from '../../storage/duckdb/publish/compare-groups.ts';
import type { VersionReader } from '../../storage/duckdb/publish/open-version-reader.ts';
import type { GroupChanges, NotCompared } from '../../versions/publish-report.ts';

/** The changes from one version to another, by period and by feature. */
export type Comparison = {
  readonly periods: GroupChanges | null;
  readonly features: GroupChanges | null;
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
  const after = await reader.attach(version);
  const compared = {
    store: { list: after.list, run: reader.run },
    after,
    before: before === undefined ? undefined : await reader.attach(before),
  };
  const { dataset } = version;
  const measures = listMeasures(version).filter(
    (name) => before === undefined || isNumber(findField(before.dataset, name)),
  );
  const notCompared: NotCompared[] = [];
  /** Whether the previous version has such a field. If not, the reason is recorded. */
  const isComparable = (what: NotCompared['what'], field: Field): boolean => {
    if (before === undefined) return false;
    const reason = incomparableReason(field, before);
    if (reason !== undefined) notCompared.push({ what, reason });
    return reason === undefined;
  };

  const { period } = dataset;
  const start = period === undefined ? undefined : findField(dataset, period.start);
  const comparesPeriods = start !== undefined && isComparable('periods', start);
  const periods =
    start === undefined
      ? null
      : await compareGroups({
          ...compared,
          before: comparesPeriods ? compared.before : undefined,
          name: 'periods',
          values: { field: start.name, measures, fold: 'sum' },
          jumpPercent: acceptance.periodJumpPercent,
        });

  const feature = findFeatureField(version);
  const comparesFeatures = feature !== undefined && isComparable('features', feature);
  const within =
    comparesPeriods && comparesFeatures
      ? await findCommonPeriods(compared.store, start.name)
      : undefined;
  const features =
    feature === undefined
      ? null
      : await compareGroups({
          ...compared,
          before: comparesFeatures ? compared.before : undefined,
          name: 'features',
          values: {
            field: feature.name,
            measures,
            fold: 'mean',
            ...(within === undefined ? {} : { within }),
          },
          jumpPercent: acceptance.featureJumpPercent,
        });
  return { periods, features, notCompared };
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

function incomparableReason(
  { name, type }: Field,
  { dataset, version }: DatasetVersion,
): string | undefined {
  const known = findField(dataset, name);
  if (known === undefined) return `Version ${version} has no field '${name}'.`;
  if (known.type !== type)
    return `In version ${version} the field '${name}' is ${known.type}, not ${type}.`;
  return undefined;
}

async function compareGroups({
  store,
  after,
  before,
  name,
  values,
  jumpPercent = USUAL_JUMP_PERCENT,
}: {
  readonly store: GroupStore;
  readonly after: AttachedRecords;
  readonly before: AttachedRecords | undefined;
  readonly name: NotCompared['what'];
  readonly values: GroupValues;
  readonly jumpPercent: number | undefined;
}): Promise<GroupChanges> {
  const tables = tablesOf(name);
  if (before === undefined) {
    await groupRecords(store, tables.after, after, { ...values, measures: [] });
    const count = await countGroups(store, tables.after);
    return {
      field: values.field,
      count,
      appeared: NONE,
      vanished: NONE,
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
