import { rm } from 'node:fs/promises';
import {
  BIGINT,
  BOOLEAN,
  DATE,
  DOUBLE,
  type DuckDBConnection,
  DuckDBTableFunction,
  type DuckDBType,
  VARCHAR,
} from '@duckdb/node-api';
import type { FieldType } from '@locmetrics/core/domain/field';
import type { TypedColumn, VisitRecord } from '@locmetrics/core/domain/value-visitor';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { Stop } from '@locmetrics/core/runtime/stop';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import type { NewTableFile, OpenTableFile, TableFile } from '@locmetrics/core/storage/table-file';
import { attachDatabaseSql } from '../attach-database.ts';
import { interruptible } from '../interruptible.ts';
import { type InstanceOptions, openInstance } from '../open-instance.ts';
import { shortageOf } from '../publish/engine-error.ts';
import { COLUMN_TYPES } from '../record-table.ts';
import { copyToParquetSql, rowGroupRows } from './copy-to-parquet.ts';
import { fillVectors } from './fill-vectors.ts';

/**
 * Opens files that the engine writes: see `TableFile`. Each has an instance of the engine with its own memory while it is
 * written. Rows are first stored in a database file beside it, compressed, because a row group of Parquet can only be
 * written once all its rows are there, and because the engine reads what it writes by itself, in its own thread.
 */
export function tableFileOpener(
  options: Omit<InstanceOptions, 'temporaryDirectory'>,
): OpenTableFile {
  return async (file) => {
    const stored = `${file.path}.rows`;
    // Instances of the engine must not share it.
    const temporaryDirectory = `${file.path}.spills`;
    const working = [stored, `${stored}.wal`, temporaryDirectory];
    const instance = await openInstance({ ...options, temporaryDirectory });
    const connection = await instance.connect();
    const added = addRowsFunction(connection, file.columns);
    const stop = new Stop();
    const forward = (): void => stop.abort(file.signal?.reason);
    const count = { rows: 0, textBytes: 0 };
    let running: Promise<unknown> = Promise.resolve();
    let isOpen = true;

    const close = async (paths: readonly string[]): Promise<void> => {
      if (!isOpen) return;
      isOpen = false;
      file.signal?.removeEventListener('abort', forward);
      connection.closeSync();
      instance.closeSync();
      for (const path of paths) await rm(path, { recursive: true, force: true });
    };
    const removeAll = () => close([...working, file.path]);
    /** After the step before; a step that fails ends the file. */
    const step = async (work: () => Promise<unknown>): Promise<void> => {
      const turn = running.then(() => interruptible(connection, stop, work));
      running = turn.catch(() => {});
      try {
        await turn;
      } catch (error) {
        const thrown = explain(error);
        stop.abort(thrown);
        await removeAll();
        throw thrown;
      }
    };

    file.signal?.addEventListener('abort', forward, { once: true });
    if (file.signal?.aborted === true) forward();
    await step(async () => {
      await connection.run(attachDatabaseSql(stored, DATABASE));
      await connection.run(createTableSql(file.columns));
      // Nothing must survive a crash, so nothing is committed, and the rows are written only once.
      await connection.run('BEGIN');
    });
    return {
      add: (rows) =>
        step(async () => {
          count.rows += rows.size;
          count.textBytes += await added(rows);
        }),
      finish: async () => {
        await step(() => connection.run(copySql(file, count)));
        await close(working);
      },
      abort: async () => {
        stop.abort();
        await running;
        await removeAll();
      },
    } satisfies TableFile;
  };
}

const DATABASE = 'file';
const TABLE = `${DATABASE}.rows`;
const FUNCTION = 'added_rows';

/** Columns have numbers as names, because names of the table can differ in case alone. */
function createTableSql(columns: readonly TypedColumn[]): string {
  const defined = columns.map(({ type }, index) => `_${index} ${COLUMN_TYPES[type]}`);
  return `CREATE TABLE ${TABLE} (${defined.join(', ')})`;
}

function copySql(
  { path, columns, metadata }: NewTableFile,
  { rows, textBytes }: { readonly rows: number; readonly textBytes: number },
): string {
  const selected = columns.map(({ name }, index) => `_${index} AS ${quoteIdentifier(name)}`);
  return copyToParquetSql({
    query: `SELECT ${selected.join(', ')} FROM ${TABLE}`,
    path,
    metadata,
    rowGroupRows: rowGroupRows({ columns: columns.length, rows, textBytes }),
  });
}

type AddRows = (rows: { readonly size: number; readonly visit: VisitRecord }) => Promise<number>;

/**
 * Adds rows by a table function that the engine calls for each chunk, so that all but filling the chunks runs in its
 * thread. An appender would compress and write on the event loop. Returns the bytes of their texts.
 */
function addRowsFunction(connection: DuckDBConnection, columns: readonly TypedColumn[]): AddRows {
  const chunkRows = Math.ceil(Math.min(CHUNK_ROWS_MAX, CHUNK_VALUES / columns.length));
  const reading = { at: 0, size: 0, visit: NO_VISIT, textBytes: 0 };
  connection.registerTableFunction(
    DuckDBTableFunction.create({
      name: FUNCTION,
      bindFunction: (bind) => {
        for (const [index, { type }] of columns.entries()) {
          bind.addResultColumn(`_${index}`, TYPES[type]);
        }
      },
      initFunction: (init) => init.setMaxThreads(1),
      mainFunction: (_info, chunk) => {
        const { at, visit } = reading;
        const size = Math.min(chunkRows, reading.size - at);
        reading.textBytes += fillVectors(chunk, columns, { from: at, size, visit });
        reading.at += size;
      },
    }),
  );
  return async (rows) => {
    Object.assign(reading, { ...rows, at: 0, textBytes: 0 });
    await connection.run(`INSERT INTO ${TABLE} SELECT * FROM ${FUNCTION}()`);
    return reading.textBytes;
  };
}

const NO_VISIT: VisitRecord = () => {};

/** Of the engine. */
const CHUNK_ROWS_MAX = 2048;
/** Filling them takes about a millisecond. */
const CHUNK_VALUES = 6000;

const TYPES: Readonly<Record<FieldType, DuckDBType>> = {
  string: VARCHAR,
  integer: BIGINT,
  float: DOUBLE,
  boolean: BOOLEAN,
  date: DATE,
};

function explain(error: unknown): unknown {
  if (!(error instanceof Error) || shortageOf(error) !== 'disk') return error;
  return new ServiceError(
    'DISK_FULL',
    'The file could not be written, because the disk of the data directory is full.',
    { hint: 'Try again later, or ask for fewer rows. CSV and NDJSON need no disk.', cause: error },
  );
}
