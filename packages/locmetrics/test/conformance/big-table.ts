import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import {
  COLUMN_FILE,
  COLUMN_TYPES,
  foldColumn,
  RECORD_TABLE,
  ROW_COLUMN,
  searchColumn,
} from '@locmetrics/column-store/record-table';
import type { FilterClause } from '@locmetrics/core/domain/filter';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import { makeOnce } from '../support/make-once.ts';
import { isInFull } from '../support/test-count.ts';
import { where } from './filter-clause.ts';
import { defineLayer } from './metrics/define-layer.ts';
import { defineMetric } from './metrics/define-metric.ts';
import { defineTable } from './table.ts';

/** A million takes 20 seconds of the processor to search; some of the tests of test:all search faster than that. */
export const BIG_ROWS = isInFull() ? 3_000_000 : 1_000_000;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/**
 * A version so big that a query on it can take many seconds. Its records are also places, and trips
 * between them.
 */
export const BIG: DatasetVersion = {
  ...defineTable({
    name: 'conformance.big',
    fields: { id: 'integer', name: 'string' },
    rows: [],
    layers: [defineLayer({ id: 'places', featureId: 'name', components: { name: 'taxonomy' } })],
    metrics: [
      defineMetric({
        metricId: 'trips',
        layerId: 'places',
        featureId: 'name',
        related: { layerId: 'places', featureId: 'name', relationType: 'trip' },
        period: { start: { day: '2024-01-01' }, end: { day: '2024-01-01' } },
        measures: { id: 'count' },
        dimensions: { name: {} },
      }),
    ],
  }).version,
  rowCount: BIG_ROWS,
};

/** The alphabet after many repetitions of its first letters. They make a search slow. */
export const NAME_START = `${'abc'.repeat(60)}${ALPHABET} `;

/** Every name contains every part of the alphabet, so each filter searches every name. */
export const SLOW_FILTERS: readonly FilterClause[] = [0, 1, 2, 3, 4]
  .flatMap((start) =>
    Array.from({ length: ALPHABET.length - start - 3 }, (_, length) =>
      where('name', 'contains', ALPHABET.slice(start, start + length + 4)),
    ),
  )
  .slice(0, 100);

/**
 * The folder of the version. Its column file is written once in a run, with DuckDB, in the shape of
 * `record-table.ts`: an import of so many rows from text would take most of the time of the tests.
 */
export async function useBigTable(): Promise<string> {
  return (await makeOnce('big', writeBigTable)).path;
}

async function writeBigTable(directory: string): Promise<void> {
  const instance = await DuckDBInstance.create(join(directory, COLUMN_FILE), { threads: '2' });
  const connection = await instance.connect();
  await connection.run(
    `CREATE TABLE ${RECORD_TABLE} (${ROW_COLUMN} BIGINT NOT NULL,
      id ${COLUMN_TYPES.integer} NOT NULL, name ${COLUMN_TYPES.string},
      ${foldColumn('name')} ${COLUMN_TYPES.string}, ${searchColumn('name')} ${COLUMN_TYPES.string})`,
  );
  await connection.run(
    `INSERT INTO ${RECORD_TABLE}
      SELECT range, range, '${NAME_START}' || range, '${NAME_START}' || range, NULL FROM range(${BIG_ROWS})`,
  );
  connection.closeSync();
  instance.closeSync();
}
