import { ORGANISATION } from './organisation.ts';
import { VALUES_PATH } from './series.ts';
import type { HttpRequest } from './workload.ts';

/** One way to get all visits in one answer, with a line for each. */
export type StreamShape = {
  readonly system: 'ours' | 'postgrest';
  readonly request: HttpRequest;
  readonly format: 'csv' | 'ndjson';
  /** Of place, day and visits. */
  readonly columns: readonly [place: string, day: string, visits: string];
};

const VISITS = ['location_id', 'observation_start_date', 'visits'] as const;
const VALUES = ['feature_id', 'period_start', 'visit_count'] as const;

/** W10: all visits in one answer. */
export const STREAM_SHAPES: ReadonlyMap<string, StreamShape> = new Map<string, StreamShape>([
  ['oursCsv', ours('/v3/catalog/bench.visits/records.csv', 'csv', VISITS)],
  ['oursNdjson', ours('/v3/catalog/bench.visits/records.ndjson', 'ndjson', VISITS)],
  ['oursValues', ours(`${VALUES_PATH}.csv?billingContext=${ORGANISATION}`, 'csv', VALUES)],
  [
    'oursSlimValues',
    ours(
      `${VALUES_PATH}.csv?billingContext=${ORGANISATION}&addressComponentWhitelist=&skipGeo=true`,
      'csv',
      VALUES,
    ),
  ],
  [
    'postgrestCsv',
    {
      system: 'postgrest',
      request: {
        ...get('/visits?order=location_id,observation_start_date'),
        headers: { accept: 'text/csv' },
      },
      format: 'csv',
      columns: VISITS,
    },
  ],
]);

/** The same as a Parquet file, which is not read line by line. */
export const PARQUET_REQUEST: HttpRequest = get('/v3/catalog/bench.visits/records.parquet');

/** The same for DuckDB, which writes a file. */
export function duckdbCopy(file: string, format: 'csv' | 'parquet'): string {
  const path = `'${file.replaceAll("'", "''")}'`;
  const options = format === 'csv' ? 'FORMAT csv, HEADER' : 'FORMAT parquet';
  return `COPY (SELECT location_id, observation_start_date, observation_end_date, visits, visitors, median_minutes FROM visits) TO ${path} (${options})`;
}

function ours(
  path: string,
  format: StreamShape['format'],
  columns: StreamShape['columns'],
): StreamShape {
  return { system: 'ours', request: get(path), format, columns };
}

function get(path: string): HttpRequest {
  return { protocol: 'http', method: 'GET', path };
}
