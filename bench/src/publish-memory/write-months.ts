import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

export type RowFormat = 'parquet' | 'csv';

/** The months of the first publish, from January 2016. The added month comes after them. */
export const MONTHS = 100;
export const NEXT_MONTH = '2024-05';

/**
 * Writes visits of places month by month, so not in the order of their key: `MONTHS` months into the
 * folder `all`, and the next month into `next`. Returns the path of the manifest.
 */
export async function writeMonths(
  folder: string,
  { places, format }: { readonly places: number; readonly format: RowFormat },
): Promise<string> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '2GB' });
  const connection = await instance.connect();
  try {
    for (const [name, first, end] of [
      ['all', 0, MONTHS],
      ['next', MONTHS, MONTHS + 1],
    ] as const) {
      await mkdir(join(folder, name));
      const path = join(folder, name, `visits.${format}`).replaceAll("'", "''");
      await connection.run(
        `COPY (
          SELECT format('{:016x}', hash(place)) AS place_id,
            (DATE '2016-01-01' + to_months(month::INTEGER))::DATE AS first_day,
            (DATE '2016-01-01' + to_months(month::INTEGER + 1) - INTERVAL 1 DAY)::DATE AS last_day,
            (hash(place, month, 1) % 100000)::BIGINT AS visits,
            (hash(place, month, 2) % 50000)::BIGINT AS visitors,
            round((hash(place, month, 3) % 480000) / 1000, 1) AS dwell_minutes,
            'Region ' || (place % 51)::VARCHAR AS region
          FROM (SELECT row_number // ${places} AS month, row_number % ${places} AS place
            FROM range(${first * places}, ${end * places}) AS rows(row_number))
        ) TO '${path}' (FORMAT ${format})`,
      );
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  const manifest = join(folder, 'locmetrics.yaml');
  await writeFile(manifest, manifestText(format));
  return manifest;
}

function manifestText(format: RowFormat): string {
  return `format: 1
datasets:
  bench.visits:
    files: visits.${format}
    key: [place_id, first_day]
    period: { start: first_day, end: last_day }
    fields:
      place_id: { type: string }
      first_day: { type: date }
      last_day: { type: date }
      visits: { type: integer }
      visitors: { type: integer }
      dwell_minutes: { type: float }
      region: { type: string }
`;
}
