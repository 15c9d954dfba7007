import type {
  DataReference,
  FieldDefinition,
  FilterClause,
  ListRecordsRequest,
  Metric,
} from '@locmetrics/client';
import { queryOptions } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';
import { type Colour, categoryField, colourField } from './map-address.ts';
import type { LayerId } from './metric-queries.ts';
import { type Selection, toBoundingBox } from './selection.ts';

/** The layer that has the places of the records of a dataset. */
export type RecordLayer = LayerId & {
  /** The field with the id of the place. */
  readonly field: FieldDefinition;
  /** The field with the start of the period, if the records have one. */
  readonly start: FieldDefinition | undefined;
  /** The metrics of the layer. */
  readonly metrics: readonly Metric[];
};

/** The layer of the metrics whose values or places are the records; undefined if there is none. */
export function recordLayerOf(
  { name, fields }: Pick<DataReference, 'name' | 'fields'>,
  metrics: readonly Metric[],
): RecordLayer | undefined {
  const ofSource = (source: string) => fields.find(({ sourceColumn }) => sourceColumn === source);
  const field = ofSource('feature.feature_id.value');
  const [first] = metrics.filter(
    ({ dataReferenceName, featureDataReferenceName }) =>
      dataReferenceName === name || featureDataReferenceName === name,
  );
  if (field === undefined || first === undefined) return undefined;
  const { catalogId, layerId } = first;
  return {
    ...{ catalogId, layerId, field },
    start: ofSource('observation_period.start.value'),
    metrics: metrics.filter((one) => one.catalogId === catalogId && one.layerId === layerId),
  };
}

const PERIODS_MAX = 1_000;

/** The first days of the periods of the records, the latest first. */
export function periodStartsQuery(
  { client }: Pick<Session, 'client'>,
  dataset: string,
  start: string | undefined,
) {
  return queryOptions({
    queryKey: ['period-starts', dataset, start],
    queryFn: async ({ signal }): Promise<readonly string[]> => {
      if (start === undefined) return [];
      const request: ListRecordsRequest = {
        dataReferenceName: dataset,
        groupBy: [{ fieldName: start }],
        fields: [{ name: start }],
        options: { orderBy: { fieldName: start, direction: 'DESC' } },
        pageSize: PERIODS_MAX,
      };
      const { records } = await client.listRecords(request, { signal });
      return records.map(({ fields }) => String(fields[start])).filter((day) => day !== '');
    },
  });
}

/** The values of areas: numbers, or the most frequent category of the records of each. */
export type AreaValues = {
  readonly values: ReadonlyMap<string, number | string | null>;
  readonly withheld: ReadonlySet<string>;
  /** How many records each area has. */
  readonly counts: ReadonlyMap<string, number>;
  /** Areas beyond so many are not read. */
  readonly isCut: boolean;
};

export const AREAS_MAX = 10_000;

/** How many rows the values of the areas cost: one for each area. To ask for it costs one. */
export function areasCostQuery(
  { client }: Pick<Session, 'client'>,
  {
    dataset,
    field,
    filters = [],
    box,
  }: Selection & { readonly dataset: string; readonly field: string },
) {
  return queryOptions({
    queryKey: ['areas-cost', dataset, field, JSON.stringify([filters, box])],
    queryFn: async ({ signal }): Promise<number> => {
      const request: ListRecordsRequest = {
        dataReferenceName: dataset,
        filters,
        options: { boundingBox: toBoundingBox({ box }) },
        groupBy: [{ fieldName: field }],
        fields: [{ name: field }],
        pageSize: 1,
      };
      return Math.min((await client.listRecords(request, { signal })).totalSize, AREAS_MAX);
    },
  });
}

/** The value of a colour for each area with records: one group, and so one row, for each. */
export function areaValuesQuery(
  { client }: Pick<Session, 'client'>,
  {
    dataset,
    field,
    colour,
    filters = [],
    box,
  }: Selection & {
    readonly dataset: string;
    /** The field with the id of the area. */
    readonly field: string;
    readonly colour: Colour | undefined;
  },
) {
  const category = categoryField(colour);
  const selection = {
    dataReferenceName: dataset,
    filters,
    options: { boundingBox: toBoundingBox({ box }) },
  };
  return queryOptions({
    queryKey: ['area-values', dataset, field, colour, filters, box],
    queryFn: async ({ signal }): Promise<AreaValues> => {
      const request: ListRecordsRequest = {
        ...selection,
        groupBy: [
          { fieldName: field },
          ...(category === undefined ? [] : [{ fieldName: category }]),
        ],
        fields: [
          { name: field },
          ...(colour === undefined
            ? []
            : category === undefined
              ? [aggregateOf(colour)]
              : [{ name: category }]),
        ],
        recordCount: true,
        typedValues: true,
        pageSize: AREAS_MAX,
      };
      const { records, totalSize } = await client.listRecords(request, { signal });
      const values = new Map<string, number | string | null>();
      const counts = new Map<string, number>();
      const most = new Map<string, number>();
      for (const { fields } of records) {
        const id = String(fields[field] ?? '');
        const count = Number(fields['record_count']);
        counts.set(id, (counts.get(id) ?? 0) + count);
        // Of a category, the most frequent value; groups come in the order of their values.
        if (category !== undefined && count <= (most.get(id) ?? 0)) continue;
        most.set(id, count);
        values.set(id, shownValue(fields, colour));
      }
      return {
        values,
        counts,
        withheld: await readWithheld(values, signal),
        isCut: totalSize > records.length,
      };
    },
  });

  /** Aggregates do not say what is withheld. The records do, where the owner of the data marks it. */
  async function readWithheld(
    values: AreaValues['values'],
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    const ids = [...values].flatMap(([id, value]) => (value === null ? [id] : []));
    if (colour === undefined || category !== undefined || ids.length === 0) return new Set();
    const name = colourField(colour);
    const { records } = await client.listRecords(
      {
        ...selection,
        filters: [...filters, { fieldName: field, operator: 'in', values: ids }],
        fields: [{ name: field }, { name }],
        typedValues: true,
        pageSize: AREAS_MAX,
      },
      { signal },
    );
    const marked = records.filter(({ withheld = [] }) => withheld.includes(name));
    return new Set(marked.map(({ fields }) => String(fields[field])));
  }
}

function aggregateOf(colour: Colour) {
  const aggregation = colour.startsWith('sum:') ? ('SUM' as const) : ('AVG' as const);
  return { name: colourField(colour), aggregation };
}

function shownValue(
  fields: Readonly<Record<string, unknown>>,
  colour: Colour | undefined,
): number | string | null {
  const value = fields[colour === undefined ? 'record_count' : colourField(colour)];
  if (value === null || value === undefined) return null;
  return categoryField(colour) === undefined ? Number(value) : String(value);
}

/** A filter that leaves the records of a period. */
export function periodFilter(start: string, day: string): FilterClause {
  return { fieldName: start, operator: '==', value: day };
}
