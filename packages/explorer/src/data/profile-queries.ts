import {
  type AggregatedField,
  type DataReference,
  type FieldDefinition,
  ServiceError,
} from '@locmetrics/client';
import { queryOptions } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';

type Reader = Pick<Session, 'client'>;
type Value = string | number | boolean | null;

/** A profile of the values of a field in all records that the caller may see. A part is undefined if the field has none. */
export type FieldProfile = {
  readonly present: number;
  readonly distinct: number | undefined;
  /** Whether the distinct values are counted yet. */
  readonly isCounted: boolean;
  readonly least: Value | undefined;
  readonly greatest: Value | undefined;
};

/** How the values of a field are distributed. */
export type Distribution =
  | { readonly kind: 'values'; readonly values: readonly CountedValue[] }
  | { readonly kind: 'bars'; readonly bars: readonly Bar[] };

export type CountedValue = { readonly value: Value; readonly count: number };
/** A part of the range of a field, with its share of the values or their number. */
export type Bar = { readonly from: Value; readonly to: Value; readonly size: number };

/** A request has at most 100 aggregates. */
const FIELDS_OF_REQUEST = 25;
/** Distinct values of a million records take about half a second for each field; all ranges together take as long. */
const FIELDS_OF_SLOW_REQUEST = 5;
const MANY_ROWS = 200_000;
const TOP_VALUES = 4;
/** Numbers with so few values are codes or marks rather than measures. */
const FEW_VALUES = 6;
const BARS = 16;
const QUANTILES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;

const RANGE = ['COUNT', 'MIN', 'MAX'] as const;
const COUNTED = ['COUNT_DISTINCT'] as const;

/** Fields and their aggregates, which one request asks for. */
export type ProfilePart = {
  readonly fields: readonly FieldDefinition[];
  readonly aggregations: readonly ((typeof RANGE)[number] | (typeof COUNTED)[number])[];
};
/** What a part says about its fields. */
export type ProfilesByField = ReadonlyMap<string, Partial<FieldProfile>>;

type Profiled = Pick<DataReference, 'name' | 'fields' | 'rowCount' | 'version'>;

/** The parts that one request each can profile. Of a large table, the ranges come before the distinct values. */
export function partsOf({
  fields,
  rowCount,
}: Pick<Profiled, 'fields' | 'rowCount'>): readonly ProfilePart[] {
  const parts = (size: number, aggregations: ProfilePart['aggregations']): ProfilePart[] =>
    Array.from({ length: Math.ceil(fields.length / size) }, (_, part) => ({
      fields: fields.slice(part * size, (part + 1) * size),
      aggregations,
    }));
  if (rowCount <= MANY_ROWS) return parts(FIELDS_OF_REQUEST, [...RANGE, ...COUNTED]);
  return [...parts(FIELDS_OF_REQUEST, RANGE), ...parts(FIELDS_OF_SLOW_REQUEST, COUNTED)];
}

/**
 * A part of the profiles, which costs one row. They are aggregates over what the caller may see, so they tell no more than the
 * records do. 'totals': some records are totals of others, and would count twice.
 */
export function partProfilesQuery(
  { client }: Reader,
  { name, version }: Profiled,
  { fields, aggregations }: ProfilePart,
) {
  return queryOptions({
    queryKey: ['profiles', name, version, aggregations, fields.map((field) => field.name)],
    queryFn: async ({ signal }): Promise<ProfilesByField | 'totals'> => {
      const request = {
        dataReferenceName: name,
        fields: fields.flatMap((field, index) => aggregatesOf(field, index, aggregations)),
        typedValues: true,
      };
      try {
        const [row] = (await client.listRecords(request, { signal })).records;
        return new Map(
          fields.map((field, index) => [
            field.name,
            toProfile(aggregations, (name) => row?.fields[aliasOf(name, index)]),
          ]),
        );
      } catch (error) {
        if (error instanceof ServiceError && error.reason === 'NOT_ADDITIVE') return 'totals';
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function toProfile(
  aggregations: ProfilePart['aggregations'],
  of: (aggregation: string) => Value | undefined,
): Partial<FieldProfile> {
  const distinct = of('COUNT_DISTINCT') ?? undefined;
  return {
    ...(aggregations.includes('COUNT')
      ? { present: Number(of('COUNT') ?? 0), least: of('MIN'), greatest: of('MAX') }
      : {}),
    ...(aggregations.includes('COUNT_DISTINCT')
      ? { distinct: distinct === undefined ? undefined : Number(distinct), isCounted: true }
      : {}),
  };
}

/** The profile of a field of a dataset without aggregates, from counts and its first and last value. It costs two rows. */
export function countedProfileQuery(
  { client }: Reader,
  { name, rowCount, version }: Profiled,
  field: FieldDefinition,
) {
  return queryOptions({
    queryKey: ['profile', name, version, field.name],
    queryFn: async ({ signal }): Promise<FieldProfile> => {
      const base = { dataReferenceName: name, typedValues: true };
      const filters = [{ fieldName: field.name, operator: 'is_not_empty' }];
      const edge = async (direction: 'ASC' | 'DESC'): Promise<Value | undefined> => {
        const options = { orderBy: { fieldName: field.name, direction } };
        const request = { ...base, fields: [field.name], filters, options, pageSize: 1 };
        return (await client.listRecords(request, { signal })).records[0]?.fields[field.name];
      };
      const absent = await client.listRecords(
        { ...base, filters: [{ fieldName: field.name, operator: 'is_empty' }], countOnly: true },
        { signal },
      );
      const values = await client.searchFieldValues(
        { dataReferenceName: name, field: field.name, countOnly: true },
        { signal },
      );
      return {
        present: rowCount - absent.totalSize,
        distinct: values.totalSize,
        isCounted: true,
        least: await edge('ASC'),
        greatest: await edge('DESC'),
      };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The distribution of the values of a field; at most 40 rows. */
export function distributionQuery(
  { client }: Reader,
  { name, version }: Pick<DataReference, 'name' | 'version'>,
  { field, profile }: { readonly field: FieldDefinition; readonly profile: FieldProfile },
) {
  return queryOptions({
    queryKey: ['distribution', name, version, field.name],
    queryFn: async ({ signal }): Promise<Distribution> => {
      const way = wayOf(field, profile);
      const base = { dataReferenceName: name, typedValues: true };
      if (way.kind === 'quantiles') {
        const fields = QUANTILES.map((quantile, index) => ({
          ...{ name: field.name, aggregation: 'QUANTILE' as const, quantile },
          alias: aliasOf('QUANTILE', index),
        }));
        const [row] = (await client.listRecords({ ...base, fields }, { signal })).records;
        const between = QUANTILES.map((_, index) => row?.fields[aliasOf('QUANTILE', index)]);
        const points = [profile.least, ...between, profile.greatest].map(Number);
        return { kind: 'bars', bars: toBars(points, BARS) };
      }
      const isOrdered = way.kind === 'buckets';
      const { records } = await client.listRecords(
        {
          ...base,
          groupBy: [{ fieldName: field.name, ...(isOrdered ? { bucket: way.bucket } : {}) }],
          fields: [field.name],
          recordCount: true,
          filters: [{ fieldName: field.name, operator: 'is_not_empty' }],
          options: {
            orderBy: isOrdered
              ? { fieldName: field.name, direction: 'ASC' }
              : { fieldName: 'record_count', direction: 'DESC' },
          },
          pageSize: isOrdered ? BUCKETS_MAX : TOP_VALUES,
        },
        { signal },
      );
      const values = records.map(({ fields }) => ({
        value: fields[field.name] ?? null,
        count: Number(fields['record_count']),
      }));
      return isOrdered
        ? {
            kind: 'bars',
            bars: values.map(({ value, count }) => ({ from: value, to: value, size: count })),
          }
        : { kind: 'values', values };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Whether a distribution says anything: values that are all different, or all equal, have none. */
export function hasDistribution(field: FieldDefinition, profile: FieldProfile): boolean {
  const { present, distinct = 0 } = profile;
  if (present === 0 || distinct < 2) return false;
  return field.type !== 'COLUMN_TYPE_STRING' || distinct < present;
}

/** How many lines a list of frequent values has; 0 if the distribution is a histogram. */
export function valueLines(field: FieldDefinition, profile: FieldProfile): number {
  const { distinct = 0 } = profile;
  if (!hasDistribution(field, profile) || wayOf(field, profile).kind !== 'values') return 0;
  return Math.min(distinct, TOP_VALUES + 1);
}

type Way =
  | { readonly kind: 'quantiles' }
  | { readonly kind: 'buckets'; readonly bucket: 'DAY' | 'MONTH' | 'YEAR' }
  | { readonly kind: 'values' };

function wayOf(field: FieldDefinition, profile: FieldProfile): Way {
  const { distinct = 0, least, greatest } = profile;
  const { type } = field;
  if (type === 'COLUMN_TYPE_DATE')
    return { kind: 'buckets', bucket: bucketOf(String(least), String(greatest)) };
  const isMeasured = type === 'COLUMN_TYPE_INTEGER' || type === 'COLUMN_TYPE_FLOAT';
  return { kind: isMeasured && distinct > FEW_VALUES ? 'quantiles' : 'values' };
}

const BUCKETS_MAX = 40;
const DAY_MS = 86_400_000;

/** The smallest bucket of which a range has few. */
function bucketOf(least: string, greatest: string): 'DAY' | 'MONTH' | 'YEAR' {
  const days = (Date.parse(greatest) - Date.parse(least)) / DAY_MS;
  if (days < BUCKETS_MAX) return 'DAY';
  return days < (BUCKETS_MAX - 2) * 30 ? 'MONTH' : 'YEAR';
}

function aggregatesOf(
  field: FieldDefinition,
  index: number,
  aggregations: ProfilePart['aggregations'],
): readonly AggregatedField[] {
  return aggregations
    .filter((aggregation) => field.aggregations?.includes(aggregation) === true)
    .map((aggregation) => ({
      name: field.name,
      aggregation,
      alias: aliasOf(aggregation, index),
    }));
}

function aliasOf(aggregation: string, index: number): string {
  return `${aggregation.toLowerCase()}_${index}`;
}

/**
 * Bars of equal width, from points between which equally many values lie. Between two points, the values are taken to be
 * evenly spread; several equal points are a value that many records share.
 */
export function toBars(points: readonly number[], count: number): readonly Bar[] {
  const [least = 0] = points;
  const greatest = points.at(-1) ?? least;
  const edges = Array.from(
    { length: count + 1 },
    (_, index) => least + ((greatest - least) * index) / count,
  );
  return edges.slice(1).map((to, index) => {
    const from = edges[index] ?? least;
    const below = index === 0 ? 0 : shareUpTo(points, from);
    const upTo = index === count - 1 ? 1 : shareUpTo(points, to);
    return { from, to, size: upTo - below };
  });
}

/** The share of the values that are not greater. */
function shareUpTo(points: readonly number[], value: number): number {
  const last = points.findLastIndex((point) => point <= value);
  const [from, to] = [points[last], points[last + 1]];
  if (from === undefined) return 0;
  if (to === undefined) return 1;
  return (last + (value - from) / (to - from)) / (points.length - 1);
}
