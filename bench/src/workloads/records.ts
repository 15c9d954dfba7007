import type { DatasetReader } from '../dataset/dataset-reader.ts';
import { list, member, members } from './read-json.ts';
import type { Answer, Facts, HttpRequest } from './workload.ts';

/** The fields of a record, in the order of the answers. Numbers are text on our wire. */
export type RecordFields = {
  readonly names: readonly string[];
  readonly numbers: ReadonlySet<string>;
};

export const PLACE_FIELDS: RecordFields = {
  names: [
    'location_id',
    'location_name',
    'category',
    'city',
    'region',
    'latitude',
    'longitude',
    'floor_area',
  ],
  numbers: new Set(['latitude', 'longitude', 'floor_area']),
};

export const VISIT_FIELDS: RecordFields = {
  names: [
    'location_id',
    'observation_start_date',
    'observation_end_date',
    'visits',
    'visitors',
    'median_minutes',
  ],
  numbers: new Set(['visits', 'visitors', 'median_minutes']),
};

/** The number of records of a page. */
export const PAGE_SIZE = 100;

/** A Locmetrics request for a page of records. */
export function askRecords(dataset: string, fields: RecordFields, given: object): HttpRequest {
  return {
    protocol: 'http',
    method: 'POST',
    path: '/v3/catalog/listRecords',
    body: JSON.stringify({
      dataReferenceName: dataset,
      fields: fields.names,
      pageSize: PAGE_SIZE,
      ...given,
    }),
  };
}

/** The facts of a Locmetrics answer. */
export function readRecords(fields: RecordFields): (answer: Answer) => Facts {
  return ({ body }) => ({
    records: list(member(body, 'records')).map((record) => {
      const values = members(member(record, 'fields'), fields.names);
      return values.map((value, index) =>
        fields.numbers.has(fields.names[index] ?? '') ? Number(value) : value,
      );
    }),
    total: member(body, 'totalSize'),
  });
}

/** The facts of a PostgREST answer, with the total if it has one. */
export function readRows(fields: RecordFields, withTotal: boolean): (answer: Answer) => Facts {
  return ({ body, contentRange }) => ({
    records: list(body).map((row) => members(row, fields.names)),
    ...(withTotal ? { total: Number(contentRange?.split('/')[1]) } : {}),
  });
}

/** The records and their total, read from the files. Conditions and order are SQL. */
export async function expectRecords(
  dataset: DatasetReader,
  fields: RecordFields,
  {
    from,
    order,
    offset = 0,
  }: { readonly from: string; readonly order: string; readonly offset?: number },
): Promise<Facts> {
  const columns = fields.names.map((name) => (fields.numbers.has(name) ? `${name}::DOUBLE` : name));
  const records = await dataset.rows(
    `SELECT ${columns.join(', ')} FROM ${from} ORDER BY ${order} LIMIT ${PAGE_SIZE} OFFSET ${offset}`,
  );
  const [[total] = []] = await dataset.rows(`SELECT count(*)::INTEGER FROM ${from}`);
  return { records, total };
}

/** The ways to request a total from PostgREST: none, the planner's estimate, or exact. */
export const COUNTS = [
  ['postgrest', {}],
  ['postgrestPlannedCount', { prefer: 'count=planned' }],
  ['postgrestExactCount', { prefer: 'count=exact' }],
] as const;
