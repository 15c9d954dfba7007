import { bucketType } from '../../domain/date-bucket.ts';
import type { ExactSum } from '../../domain/exact-sum.ts';
import type { PresentValue, Value } from '../../domain/value.ts';
import { TILE_CELLS } from '../../geometry/tile.ts';
import { partCountOf } from '../../plan/part-count.ts';
import {
  type BatchPlan,
  type DistinctPlan,
  GROUPS_MAX,
  type GroupsPlan,
  type NamedValuesPlan,
  type ReadPlan,
  type RecordsPlan,
  type TilePlan,
} from '../../plan/read-plan.ts';
import { pointsOf } from '../../plan/tile-points.ts';
import type { StopSignal } from '../../runtime/stop.ts';
import { compileGroups, compileGroupsPage } from '../../sql/compile-groups.ts';
import { compileNamedValues, compileNamedValuesCount } from '../../sql/compile-named-values.ts';
import {
  compileBatch,
  compileBatchBytes,
  compileBatchLines,
  compileCount,
  compileDistinct,
  compileExtent,
  compileRecords,
} from '../../sql/compile-plan.ts';
import { compileTile } from '../../sql/compile-tile.ts';
import type { SqlDialect, SqlStatement } from '../../sql/sql-dialect.ts';
import {
  type DistinctPage,
  type Engine,
  type GroupsPage,
  type NamedValuesPage,
  type RecordLines,
  type RecordsBatch,
  type RecordsPage,
  runBy,
  type TileCell,
} from '../engine.ts';
import { aggregateOf } from '../reference/aggregate-of.ts';
import { type FoundGroup, finishGroups, finishGroupsPage } from '../reference/finish-groups.ts';
import { rankOf } from '../reference/rank-numbers.ts';
import { endOfBatch } from './end-of-batch.ts';

/** Runs a statement for a plan, and returns its rows. The statement is compiled once the database is ready. */
export type QueryPlan = (
  plan: ReadPlan,
  signal: StopSignal,
  compile: (dialect: SqlDialect) => SqlStatement,
) => Promise<readonly (readonly Value[])[]>;

/** The same for a statement of `compileBatch`, of which the answer has each field as a column. */
export type QueryColumns = (
  plan: BatchPlan,
  signal: StopSignal,
  compile: (dialect: SqlDialect) => SqlStatement,
) => Promise<Pick<RecordsBatch, 'size' | 'columns'>>;

/** The same for a statement that returns lines of records. */
export type QueryLines = (
  plan: BatchPlan,
  signal: StopSignal,
  compile: (dialect: SqlDialect) => SqlStatement | undefined,
) => Promise<readonly RecordLines[] | undefined>;

/**
 * How an engine that is queried in SQL runs plans: the statements, and the answers from their rows. `lines` is given for
 * a database that writes lines; it resolves to undefined if there is no statement for the format. `columns` is given for
 * a driver that returns columns.
 */
export function runCompiled(
  query: QueryPlan,
  batches: { readonly lines?: QueryLines; readonly columns?: QueryColumns } = {},
): Engine['run'] {
  return runBy({
    batch: async (whole, signal) => {
      const end = await endOfBatch(whole, (part, ordinals) =>
        query(part, signal, (dialect) => compileBatchBytes(part, ordinals, dialect)),
      );
      const plan = { ...whole, end };
      const lines = await batches.lines?.(plan, signal, (dialect) =>
        compileBatchLines(plan, dialect),
      );
      if (lines !== undefined) {
        return { size: lines.reduce((sum, { size }) => sum + size, 0), end, rows: [], lines };
      }
      const compile = (dialect: SqlDialect) => compileBatch(plan, dialect);
      const found = await batches.columns?.(plan, signal, compile);
      if (found !== undefined) return { ...found, end, rows: [] };
      const rows = await query(plan, signal, compile);
      return { size: rows.length, end, rows };
    },
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
    groups: async (plan, signal) => {
      let isPage = false;
      const rows = await query(plan, signal, (dialect) => {
        const page = compileGroupsPage(plan, dialect);
        isPage = page !== undefined;
        return page ?? compileGroups(plan, dialect, GROUPS_MAX + 1);
      });
      if (isPage && Number(rows[0]?.at(-1) ?? 0) === 0) return toGroupsPage(plan, rows);
      const read = async (part: GroupsPlan) => {
        const found = await query(part, signal, (dialect) =>
          compileGroups(part, dialect, GROUPS_MAX + 1),
        );
        return found.values().map((row) => toFoundGroup(plan, row));
      };
      const { compared } = plan;
      return finishGroups(
        plan,
        isPage ? await read(plan) : rows.values().map((row) => toFoundGroup(plan, row)),
        compared && (await read({ ...plan, ...compared })),
      );
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
  });
}

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
    rank: Number(place),
  }));
  return {
    values: page.map(({ value }) => value),
    positionAt: (index) => page[index] ?? { value: '', rank: 0 },
    hasMore: found.length > plan.limit,
  };
}

/** Reads a row of `compileGroups`. */
function toFoundGroup(plan: GroupsPlan, found: readonly Value[]): FoundGroup {
  const { groups } = plan;
  const values = groups.map(({ bucket }, index) => {
    const value = found[index] ?? null;
    // A database can return a small whole number as a number.
    const isNumber = bucket !== undefined && bucketType(bucket) === 'integer' && value !== null;
    return isNumber ? BigInt(value) : value;
  });
  return { values, parts: partsFrom(plan, found, groups.length) };
}

/** The parts of each aggregate, which are in a row from an index on. */
function partsFrom({ aggregates }: GroupsPlan, found: readonly Value[], first: number) {
  let at = first;
  return aggregates.map((term) => {
    const from = at;
    at += partCountOf(term);
    return found.slice(from, at);
  });
}

/** Reads the rows of `compileGroupsPage`. */
function toGroupsPage(plan: GroupsPlan, rows: readonly (readonly Value[])[]): GroupsPage {
  const { groups, aggregates, compared, rankBy } = plan;
  const parts = aggregates.reduce((sum, term) => sum + partCountOf(term), 0);
  const afterGroup = groups.length + parts;
  const page = rows.map((row) => {
    const group = toFoundGroup(plan, row);
    const hasBase = compared !== undefined && Number(row[afterGroup] ?? 0) === 1;
    const [above = 0, aboveOrEqual = 0, count = 0] = row.slice(-5).map(Number);
    const isRanked = rankBy !== undefined && row.at(-6) !== null;
    return {
      group,
      compared: hasBase
        ? { values: group.values, parts: partsFrom(plan, row, afterGroup + 1) }
        : undefined,
      rank: isRanked
        ? rankOf({ below: count - aboveOrEqual, equal: aboveOrEqual - above, count })
        : undefined,
    };
  });
  return finishGroupsPage(plan, page, Number(rows[0]?.at(-2) ?? plan.after));
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
