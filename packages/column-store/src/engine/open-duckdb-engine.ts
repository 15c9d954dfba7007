import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  DuckDBBlobValue,
  type DuckDBConnection,
  type DuckDBMaterializedResult,
  type DuckDBPreparedStatement,
  type DuckDBType,
  LIST,
  VARCHAR,
} from '@duckdb/node-api';
import type { Field, FieldType } from '@locmetrics/core/domain/field';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import type { Value } from '@locmetrics/core/domain/value';
import { storedRowsOf } from '@locmetrics/core/plan/narrow-dataset';
import type { ReadPlan, RecordsPlan } from '@locmetrics/core/plan/read-plan';
import { versionsOf } from '@locmetrics/core/plan/versions-of';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import { openTicks } from '@locmetrics/core/runtime/ticks';
import { CHORD_COLUMN } from '@locmetrics/core/sql/compile-chord';
import { compileSortedRecords, compileTableRecords } from '@locmetrics/core/sql/compile-plan';
import { duckdbDialect } from '@locmetrics/core/sql/duckdb-dialect';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import type { SqlDialect, SqlParameter, SqlStatement } from '@locmetrics/core/sql/sql-dialect';
import type { Engine, RecordLines } from '@locmetrics/core/storage/engine';
import {
  type QueryColumns,
  type QueryLines,
  type QueryPlan,
  runCompiled,
} from '@locmetrics/core/storage/sql/run-compiled';
import { type InstanceOptions, openInstance } from '../open-instance.ts';
import {
  COLUMN_FILE,
  foldColumn,
  RECORD_TABLE,
  ROW_COLUMN,
  searchColumn,
} from '../record-table.ts';
import type { ReusedInstance } from '../reused-instance.ts';
import { copyToParquetSql, rowGroupRows } from '../table-files/copy-to-parquet.ts';
import { openAttachedVersions } from './attached-versions.ts';
import { openConnectionPool } from './connection-pool.ts';
import { duckdbStatus } from './engine-status.ts';
import { openFreedMemory } from './freed-memory.ts';
import { openKeptRows } from './kept-rows.ts';
import { readColumns } from './read-columns.ts';
import { openSortedCopies, SORTED_ROW_COLUMN } from './sorted-copies.ts';

/** The column store: runs plans over the column files of versions, with DuckDB in the process. */
export async function openDuckdbEngine(
  options: InstanceOptions & {
    /** The folder of a version. */
    readonly directoryOf: (version: ReadableVersion) => string;
    /**
     * The number of concurrent queries, and the length of the queue. Requests for pages are queued by the
     * service before their queries; this queue is for the two or three queries of each page in progress, and
     * for calls without pages.
     */
    readonly connectionsMax: number;
    readonly waitingMax: number;
    /** Lends the instance, which the engine closes; absent: it is opened. */
    readonly reused?: ReusedInstance | undefined;
  },
): Promise<Engine & { readonly returnMemory: () => void }> {
  const instance = await (options.reused?.take() ?? openInstance(options));
  const attaching = await instance.connect();
  const memory = openFreedMemory(await instance.connect(), options.memoryLimitBytes);
  const kept = openKeptRows();
  const versions = openAttachedVersions({
    connection: attaching,
    directoryOf: options.directoryOf,
    onDetached: () => {
      kept.clear();
      memory.give();
    },
  });
  const copies = openSortedCopies({ connection: attaching, onFreed: memory.give });
  const pool = openConnectionPool(instance, options);
  const status = duckdbStatus({
    connection: await instance.connect(),
    queries: pool.length,
    ...options,
  });

  /** How plans are run over tables: those of versions, or a sorted copy of one. */
  const runOver = (dialectOf: DialectOf): Engine['run'] => {
    const query: QueryPlan = (plan, signal, compile) =>
      pool.use(signal, (connection) =>
        versions.use(
          versionsOf(plan),
          (databaseOf) => {
            const statement = compile(dialectOf(databaseOf));
            const rows = () => run(connection, statement, signal);
            return KEPT_KINDS.has(plan.kind) ? kept.rowsOf(statement, rows) : rows();
          },
          // Each worker reads the extents of a new version once, and most callers are answered by the row store.
          { isDoneOnce: plan.kind === 'extent' },
        ),
      );

    const columns: QueryColumns = (plan, signal, compile) =>
      pool.use(signal, (connection) =>
        versions.use(
          versionsOf(plan),
          (databaseOf) =>
            runPrepared(connection, compile(dialectOf(databaseOf)), signal, (result) =>
              readColumns(result, plan.fields.length),
            ),
          { isDoneOnce: false },
        ),
      );

    const lines: QueryLines = (plan, signal, compile) =>
      pool.use(signal, (connection) =>
        versions.use(
          versionsOf(plan),
          async (databaseOf) => {
            const statement = compile(dialectOf(databaseOf));
            return statement && readLines(connection, statement, signal);
          },
          { isDoneOnce: false },
        ),
      );

    return runCompiled(query, { lines, columns });
  };

  const sortRecords: Engine['sortRecords'] = async (plan, path, signal) => {
    const hasChord = plan.order.some(({ kind }) => kind === 'near');
    const fields = hasChord ? [...plan.fields, CHORD_FIELD] : plan.fields;
    // A field of that name would hide the ordinals.
    if (fields.some(({ name }) => name.toLowerCase() === SORTED_ROW_COLUMN)) return undefined;
    const copy = await copies.open(path, (table) =>
      pool.use(signal, (connection) =>
        versions.use(
          versionsOf(plan),
          async (databaseOf) => {
            const { text, parameters } = compileSortedRecords(plan, dialectOf(databaseOf));
            const create = `CREATE TABLE ${table} AS ${text}`;
            const [[size] = []] = await run(connection, { text: create, parameters }, signal);
            return Number(size);
          },
          { isDoneOnce: false },
        ),
      ),
    );
    if (copy === undefined) return undefined;
    const { table, filled: size, use, close } = copy;
    // All of them are visible.
    const { dataset, version: name } = plan.version;
    const version = { dataset, version: name };
    const runSorted = runOver(() => sortedDialect(table));
    return {
      size,
      close,
      read: (range, stop) =>
        use(() => runSorted({ kind: 'batch', version, fields, predicates: [], ...range }, stop)),
    };
  };

  return {
    run: runOver(dialectOf),
    sortRecords,
    copyRecords: (plan, file, signal) =>
      pool.use(signal, (connection) =>
        versions.use(
          versionsOf(plan),
          (databaseOf) => {
            const { text, parameters } = compileTableRecords(plan, dialectOf(databaseOf));
            const rowGroupRows = rowGroupRowsOf(plan, options.directoryOf(plan.version));
            const copy = copyToParquetSql({ ...file, query: text, rowGroupRows });
            return runPrepared(connection, { text: copy, parameters }, signal, async () => {});
          },
          { isDoneOnce: false },
        ),
      ),
    status,
    returnMemory: memory.give,
    close: async () => {
      await Promise.all([versions.close(), copies.close(), status.close()]);
      await memory.close();
      pool.close();
      attaching.closeSync();
      instance.closeSync();
    },
  };
}

/** DuckDB stores texts in about this share of their bytes. */
const STORED_SHARE = 0.25;

/** The rows of a row group, by the size of the stored records. */
function rowGroupRowsOf({ version, fields }: RecordsPlan, folder: string): number {
  const textBytes = statSync(join(folder, COLUMN_FILE)).size / STORED_SHARE;
  return rowGroupRows({ columns: fields.length, rows: storedRowsOf(version) ?? 0, textBytes });
}

/** The square of the chord in sorted records. */
const CHORD_FIELD: Field = {
  name: CHORD_COLUMN,
  type: 'float',
  sourceColumn: '',
  description: '',
  exampleValue: '',
  includedByDefault: false,
};

/** Plans that read many records for few rows. */
const KEPT_KINDS: ReadonlySet<ReadPlan['kind']> = new Set([
  'groups',
  'named_values',
  'named_values_count',
]);

/** The dialect of statements over attached databases, by the names of those of versions. */
type DialectOf = (databaseOf: (version: ReadableVersion) => string) => SqlDialect;

const dialectOf: DialectOf = (databaseOf) =>
  duckdbDialect({
    recordTable: (version) => `${databaseOf(version)}.${quoteIdentifier(RECORD_TABLE)}`,
    rowColumn: ROW_COLUMN,
    foldColumn,
    searchColumn,
  });

function sortedDialect(table: string): SqlDialect {
  return duckdbDialect({
    recordTable: () => table,
    rowColumn: SORTED_ROW_COLUMN,
    foldColumn,
    searchColumn,
  });
}

function run(
  connection: DuckDBConnection,
  statement: SqlStatement,
  signal: StopSignal,
): Promise<readonly (readonly Value[])[]> {
  return runPrepared(connection, statement, signal, async (result) => {
    // Columns are selected so that each is returned as text, bigint, number, boolean or null.
    const rows: (readonly Value[])[] = [];
    const ticks = openTicks();
    for await (const some of result.yieldRowsJs()) {
      rows.push(...(some as readonly (readonly Value[])[]));
      if (ticks.isOver()) await ticks.next();
    }
    return rows;
  });
}

/** Reads the rows of `compileBatchLines`. */
function readLines(
  connection: DuckDBConnection,
  statement: SqlStatement,
  signal: StopSignal,
): Promise<readonly RecordLines[]> {
  return runPrepared(connection, statement, signal, async (result) => {
    const lines: RecordLines[] = [];
    for (const chunk of await result.fetchAllChunks()) {
      const sizes = chunk.getColumnVector(0);
      const texts = chunk.getColumnVector(1);
      for (let index = 0; index < chunk.rowCount; index += 1) {
        const text = texts.getItem(index);
        if (!(text instanceof DuckDBBlobValue)) continue;
        // The driver has copied the bytes out of the chunk.
        lines.push({ size: Number(sizes.getItem(index)), bytes: text.bytes });
      }
    }
    return lines;
  });
}

async function runPrepared<Result>(
  connection: DuckDBConnection,
  statement: SqlStatement,
  signal: StopSignal,
  read: (result: DuckDBMaterializedResult) => Promise<Result>,
): Promise<Result> {
  const prepared = await connection.prepare(statement.text);
  try {
    signal.throwIfAborted();
    for (const [index, parameter] of statement.parameters.entries()) {
      bind(prepared, index + 1, parameter);
    }
    const result = await prepared.run();
    signal.throwIfAborted();
    return await read(result);
  } finally {
    prepared.destroySync();
  }
}

/** Binds by the type of the value; the placeholder casts to the type of the column. */
function bind(
  prepared: DuckDBPreparedStatement,
  number: number,
  { type, value }: SqlParameter,
): void {
  switch (typeof value) {
    case 'object':
      prepared.bindList(number, value, LIST(ELEMENT_TYPES[type]));
      break;
    case 'string':
      prepared.bindVarchar(number, value);
      break;
    case 'bigint':
      prepared.bindBigInt(number, value);
      break;
    case 'number':
      prepared.bindDouble(number, value);
      break;
    case 'boolean':
      prepared.bindBoolean(number, value);
      break;
  }
}

const ELEMENT_TYPES: Readonly<Record<FieldType, DuckDBType>> = {
  string: VARCHAR,
  integer: BIGINT,
  float: DOUBLE,
  boolean: BOOLEAN,
  date: VARCHAR,
};
