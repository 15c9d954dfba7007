import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  type DuckDBType,
  LIST,
  VARCHAR,
} from '@duckdb/node-api';
import type { ExactSum } from '../../../domain/exact-sum.ts';
import type { FieldType } from '../../../domain/field.ts';
import type { ReadableVersion } from '../../../domain/predicate.ts';
import type { StopSignal } from '../../../domain/stop.ts';
import { TILE_CELLS } from '../../../domain/tile.ts';
import { openTurns } from '../../../domain/turns.ts';
import type { PresentValue, Value } from '../../../domain/value.ts';
import type {
  DistinctPlan,
  NamedValuesPlan,
  ReadPlan,
  RecordsPlan,
  TilePlan,
} from '../../../plan/read-plan.ts';
import { pointsOf } from '../../../plan/tile-points.ts';
import { versionsOf } from '../../../plan/versions-of.ts';
import { compileNamedValues, compileNamedValuesCount } from '../../../sql/compile-named-values.ts';
import {
  compileCount,
  compileDistinct,
  compileExtent,
  compileRecords,
} from '../../../sql/compile-plan.ts';
import { compileTile } from '../../../sql/compile-tile.ts';
import { duckdbDialect } from '../../../sql/duckdb-dialect.ts';
import { quoteIdentifier } from '../../../sql/quote-identifier.ts';
import type { SqlDialect, SqlParameter, SqlStatement } from '../../../sql/sql-dialect.ts';
import {
  type DistinctPage,
  type Engine,
  type NamedValuesPage,
  type RecordsPage,
  runBy,
  type TileCell,
} from '../../engine.ts';
import { aggregateOf } from '../../reference/aggregate-of.ts';
import { type InstanceOptions, openInstance } from '../open-instance.ts';
import { foldColumn, RECORD_TABLE, ROW_COLUMN } from '../record-table.ts';
import { openAttachedVersions } from './attached-versions.ts';
import { openConnectionPool } from './connection-pool.ts';
import { duckdbStatus } from './engine-status.ts';
import { openFreedMemory } from './freed-memory.ts';

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
  },
): Promise<Engine & { readonly returnMemory: () => void }> {
  const instance = await openInstance(options);
  const attaching = await instance.connect();
  const memory = openFreedMemory(await instance.connect(), options.memoryLimitBytes);
  const versions = openAttachedVersions({
    connection: attaching,
    directoryOf: options.directoryOf,
    onDetached: memory.give,
  });
  const pool = openConnectionPool(instance, options);
  const status = duckdbStatus({
    connection: await instance.connect(),
    queries: pool.length,
    ...options,
  });

  const query = (
    plan: ReadPlan,
    signal: StopSignal,
    compile: (dialect: SqlDialect) => SqlStatement,
  ): Promise<readonly (readonly Value[])[]> =>
    pool.use(signal, (connection) =>
      versions.use(
        versionsOf(plan),
        (databaseOf) => run(connection, compile(dialectOf(databaseOf)), signal),
        // Each worker reads the extents of a new version once, and most callers are answered by the row store.
        { isDoneOnce: plan.kind === 'extent' },
      ),
    );

  return {
    run: runBy({
      records: async (plan, signal) => {
        const rows = await query(plan, signal, (dialect) => compileRecords(plan, dialect));
        return toRecordsPage(plan, rows);
      },
      count: async (plan, signal) => {
        const rows = await query(plan, signal, (dialect) => compileCount(plan, dialect));
        return Number(rows[0]?.[0]);
      },
      distinct: async (plan, signal) => {
        const rows = await query(plan, signal, (dialect) => compileDistinct(plan, dialect));
        return toDistinctPage(plan, rows);
      },
      named_values: async (plan, signal) => {
        const rows = await query(plan, signal, (dialect) => compileNamedValues(plan, dialect));
        return toNamedValuesPage(plan, rows);
      },
      named_values_count: async (plan, signal) => {
        const rows = await query(plan, signal, (dialect) => compileNamedValuesCount(plan, dialect));
        return Number(rows[0]?.[0]);
      },
      extent: async (plan, signal) => {
        const rows = await query(plan, signal, (dialect) => compileExtent(plan, dialect));
        const [firstDay, lastDay, count] = rows[0] ?? [];
        return { firstDay: textOf(firstDay), lastDay: textOf(lastDay), count: Number(count) };
      },
      tile: async (plan, signal) => {
        const rows = await query(plan, signal, (dialect) => compileTile(plan, dialect));
        const cells = rows.map((row) => toTileCell(plan, row));
        const records = cells.reduce((sum, { count }) => sum + count, 0);
        if (records > plan.limit) return { kind: 'cells', cells };
        if (records === 0) return { kind: 'points', rows: [] };
        const points = pointsOf(plan);
        return {
          kind: 'points',
          rows: toRecordsPage(
            points,
            await query(points, signal, (dialect) => compileRecords(points, dialect)),
          ).rows,
        };
      },
    }),
    status,
    returnMemory: memory.give,
    close: async () => {
      await Promise.all([versions.close(), status.close()]);
      await memory.close();
      pool.close();
      attaching.closeSync();
      instance.closeSync();
    },
  };
}

function dialectOf(databaseOf: (version: ReadableVersion) => string): SqlDialect {
  return duckdbDialect({
    recordTable: (version) => `${databaseOf(version)}.${quoteIdentifier(RECORD_TABLE)}`,
    rowColumn: ROW_COLUMN,
    foldColumn,
  });
}

async function run(
  connection: DuckDBConnection,
  statement: SqlStatement,
  signal: StopSignal,
): Promise<readonly (readonly Value[])[]> {
  const prepared = await connection.prepare(statement.text);
  try {
    signal.throwIfAborted();
    for (const [index, parameter] of statement.parameters.entries()) {
      bind(prepared, index + 1, parameter);
    }
    const result = await prepared.run();
    signal.throwIfAborted();
    // Columns are selected so that each is returned as text, bigint, number, boolean or null.
    const rows: (readonly Value[])[] = [];
    const turns = openTurns();
    for await (const some of result.yieldRowsJs()) {
      rows.push(...(some as readonly (readonly Value[])[]));
      if (turns.isOver()) await turns.next();
    }
    return rows;
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

/** Splits the hidden columns off the rows: see `compileRecords`. */
function toRecordsPage(plan: RecordsPlan, found: readonly (readonly Value[])[]): RecordsPage {
  const width = plan.fields.length;
  const rows = found.slice(0, plan.limit).map((row) => row.slice(0, width));
  return {
    size: rows.length,
    rows,
    positionAt: (index) => ({
      row: Number(found[index]?.at(-1)),
      orderValues: found[index]?.slice(width, -1) ?? [],
    }),
    hasMore: found.length > plan.limit,
  };
}

function toDistinctPage(plan: DistinctPlan, found: readonly (readonly Value[])[]): DistinctPage {
  const page = found.slice(0, plan.limit).map(([value, place]) => ({
    // The plan excludes absent values.
    value: value as PresentValue,
    startsWithTerm: Number(place) === 0,
  }));
  return {
    values: page.map(({ value }) => value),
    positionAt: (index) => page[index] ?? { value: '', startsWithTerm: false },
    hasMore: found.length > plan.limit,
  };
}

/** Reads a row of `compileTile`. */
function toTileCell({ aggregates }: TilePlan, found: readonly Value[]): TileCell {
  const [cell, count, ...parts] = found;
  const values = aggregates.map((aggregate, index) => {
    const [whole, fraction, values, added] = parts.slice(index * 4, index * 4 + 4);
    const sum: ExactSum = {
      whole: BigInt(whole ?? 0),
      fraction: BigInt(fraction ?? 0),
      count: Number(values),
      added: Number(added),
    };
    return aggregateOf(aggregate, sum);
  });
  return {
    row: Math.trunc(Number(cell) / TILE_CELLS),
    column: Number(cell) % TILE_CELLS,
    count: Number(count),
    values,
  };
}

function toNamedValuesPage(
  plan: NamedValuesPlan,
  found: readonly (readonly Value[])[],
): NamedValuesPage {
  return {
    values: found.slice(0, plan.limit).map(([value, shortName, displayName]) => ({
      value: String(value),
      shortName: textOf(shortName),
      displayName: textOf(displayName),
    })),
    positionAt: (index) => ({
      rank: Number(found[index]?.at(-1)),
      value: String(found[index]?.[0]),
    }),
    hasMore: found.length > plan.limit,
  };
}

function textOf(value: Value | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
