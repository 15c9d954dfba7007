import { type Dataset, trimsToExistence } from '../domain/dataset.ts';
import type { Field } from '../domain/field.ts';
import type { Grant } from '../domain/grant.ts';
import type { Narrowing, Predicate, ReadableVersion } from '../domain/predicate.ts';
import { defaultSourceColumn } from '../domain/source-column.ts';
import type { DatasetVersion } from '../domain/version.ts';
import { ServiceError } from '../errors/service-error.ts';
import { keepsTotalsApart } from './check-additivity.ts';
import { planGrantFilters } from './plan-grant-filters.ts';
import { planExisted } from './plan-options.ts';

/**
 * The visible part of a version under a grant. Throws a ServiceError for a grant that does not fit the schema
 * of the version, for example with a filter on a removed field.
 */
export function narrowDataset(
  version: DatasetVersion,
  grant: Grant,
  current: CurrentVersions,
): DatasetVersion {
  const { dataset } = version;
  const filters = planGrantFilters(grant.filters, dataset);
  const seen = seeFields(dataset, grant, filters);
  const predicates = [
    ...filters,
    // If a hidden day decides, trimming always applies: a choice would reveal the day by the difference.
    ...(trimsToExistence(seen) ? [] : planExisted(dataset)),
  ];
  const narrowed = narrow(version, { suppressed: smallCells(dataset, grant, current), predicates });
  if (seen === dataset) return narrowed;
  if (seen.period !== undefined) return { ...narrowed, dataset: seen };
  const {
    firstObservationDate: _first,
    lastObservationDate: _last,
    cadence: _cadence,
    ...rest
  } = narrowed;
  return { ...rest, dataset: seen };
}

/**
 * A version with the narrowing; an empty narrowing leaves the version unchanged. What a publish derived from all records
 * is left out: hidden ones would show in it.
 */
export function narrow(version: DatasetVersion, narrowing: Narrowing): DatasetVersion {
  if (narrowing.predicates.length === 0) {
    return narrowing.suppressed.length === 0 ? version : { ...version, narrowing };
  }
  const {
    rowCount: _count,
    firstObservationDate: _first,
    lastObservationDate: _last,
    cadence: _cadence,
    ...rest
  } = version;
  return { ...rest, narrowing: { ...narrowing, storedRows: storedRowsOf(version) } };
}

/** The number of records, hidden ones included; undefined if it is not known. */
export function storedRowsOf({ rowCount, narrowing }: ReadableVersion): number | undefined {
  return rowCount ?? narrowing?.storedRows;
}

/** The current versions, by the names of the datasets. */
export type CurrentVersions = ReadonlyMap<string, DatasetVersion>;

/**
 * The fields whose small values the grant does not show, with the stricter threshold of the version and
 * the current one: a threshold that is raised now applies to requests for older versions too.
 */
export function smallCells(
  { name, fields }: Dataset,
  { showsSmallCells }: Grant,
  current: CurrentVersions,
): Narrowing['suppressed'] {
  if (showsSmallCells) return [];
  const now = current.get(name)?.dataset.fields ?? [];
  return fields.flatMap((field) => {
    const same = now.find((other) => other.name === field.name);
    const suppressBelow = Math.max(
      field.suppressBelow ?? Number.NEGATIVE_INFINITY,
      same?.suppressBelow ?? Number.NEGATIVE_INFINITY,
    );
    const isNumber = field.type === 'integer' || field.type === 'float';
    if (!isNumber || !Number.isFinite(suppressBelow)) return [];
    // A mark is shown only if no threshold that applies is without one.
    const { marksWithheld: _marks, ...rest } = field;
    const isMarked = [field, same].every(
      (one) => one?.suppressBelow === undefined || one.marksWithheld === true,
    );
    return [{ ...rest, suppressBelow, ...(isMarked ? { marksWithheld: true } : {}) }];
  });
}

export function isGranted({ fields }: Grant, name: string): boolean {
  return fields === undefined || fields.includes(name);
}

/** The granted fields, and the roles whose fields are all granted. */
function seeFields(dataset: Dataset, grant: Grant, filters: readonly Predicate[]): Dataset {
  if (grant.fields === undefined) return dataset;
  const fields = dataset.fields.filter(({ name }) => isGranted(grant, name));
  if (fields.length === 0) {
    throw new ServiceError(
      'UNKNOWN_FIELD',
      `${dataset.name} has none of the fields of the grant.`,
      {
        hint: 'Name fields of the dataset in the grant.',
      },
    );
  }
  const { point, vectors, period, existence, ...rest } = dataset;
  const isSeen = (role: Readonly<Record<string, string | undefined>>): boolean =>
    Object.values(role).every((name) => name === undefined || isGranted(grant, name));
  const hidesTotals = dataset.fields.some(
    (field) =>
      field.totalLabel !== undefined &&
      !isGranted(grant, field.name) &&
      !keepsTotalsApart(field, filters),
  );
  const seen: Dataset = {
    ...rest,
    fields,
    ...(point !== undefined && isSeen(point) ? { point } : {}),
    ...(vectors !== undefined && isSeen(vectors) ? { vectors } : {}),
    ...(period !== undefined && isSeen(period) ? { period } : {}),
    ...(existence !== undefined && isSeen(existence) ? { existence } : {}),
    ...(hidesTotals ? { hidesTotals } : {}),
  };
  return { ...seen, fields: fields.map((field) => hideRole(field, dataset, seen)) };
}

/** A default source column would reveal the hidden role of a field. */
function hideRole(field: Field, dataset: Dataset, seen: Dataset): Field {
  if (field.sourceColumn !== defaultSourceColumn(field, dataset)) return field;
  return { ...field, sourceColumn: defaultSourceColumn(field, seen) };
}
