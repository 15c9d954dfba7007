import { TILE_CELLS } from '../geometry/tile.ts';
import type { TilePlan } from '../plan/read-plan.ts';
import { compileSum } from './compile-groups.ts';
import { compilePredicates, compileTable, whereClause } from './compile-predicates.ts';
import { openParameterList, type ParameterList } from './parameter-list.ts';
import { quoteIdentifier } from './quote-identifier.ts';
import type { SqlDialect, SqlStatement } from './sql-dialect.ts';

/**
 * The cells of a tile that have records: the row times the number of columns, plus the column; the number of records; and
 * the parts of the exact sum of each aggregate. See `core/domain/exact-sum.ts`.
 */
export function compileTile(plan: TilePlan, dialect: SqlDialect): SqlStatement {
  const list = openParameterList(dialect);
  const cell = `${compileRow(plan, list)} * ${TILE_CELLS} + ${compileColumn(plan, list)}`;
  const sums = plan.aggregates.flatMap(({ field }) => compileSum(field, dialect));
  const columns = [`${cell} AS _cell`, 'count(*)', ...sums].join(', ');
  const estimate = compileEstimate(plan, list);
  const table = compileTable(plan.version, list);
  const conditions = compilePredicates(plan.predicates, plan.version, list);
  const estimated = `SELECT *, ${estimate} AS _estimate FROM ${table} AS _record${whereClause(conditions)}`;
  return {
    text: `SELECT ${columns} FROM (${estimated}) AS _estimated GROUP BY _cell ORDER BY _cell`,
    parameters: list.parameters,
  };
}

function compileColumn({ longitude, grid }: TilePlan, list: ParameterList): string {
  const west = list.bind('float', grid.west);
  const perDegree = list.bind('float', grid.columnsPerDegree);
  const column = list.dialect.wholeNumber(
    `(${quoteIdentifier(longitude.name)} - ${west}) * ${perDegree}`,
  );
  return `least(${column}, ${TILE_CELLS - 1})`;
}

/**
 * The row of a latitude in whole rows and parts from the north, within `ESTIMATE_ERROR`: by the projection of Mercator.
 * A logarithm is many times faster than comparing a latitude with the edges.
 */
function compileEstimate({ latitude, grid }: TilePlan, list: ParameterList): string {
  const { rowsPerRadian, equator } = grid;
  const halfAngle = `${quoteIdentifier(latitude.name)} * ${list.bind('float', Math.PI / 360)}`;
  const projected = `ln(tan(${halfAngle} + ${list.bind('float', Math.PI / 4)}))`;
  return `${list.bind('float', equator)} - ${list.bind('float', rowsPerRadian)} * ${projected}`;
}

/** In rows. Doubles lose about 1e-8 at the deepest zoom, so this is a hundred times as much. */
const ESTIMATE_ERROR = 1e-6;

/** The estimated row; the few latitudes that are so near to an edge that it could be wrong are compared with it. */
function compileRow({ latitude, grid }: TilePlan, list: ParameterList): string {
  const near = 'round(_estimate)';
  const error = list.bind('float', ESTIMATE_ERROR);
  const edges = list.bindItem('float', grid.edges, `${list.dialect.wholeNumber(near)} + 1`);
  const isNorth = `${quoteIdentifier(latitude.name)} > ${edges}`;
  const compared = `CASE WHEN ${isNorth} THEN ${near} - 1 ELSE ${near} END`;
  const row = `CASE WHEN abs(_estimate - ${near}) < ${error} THEN ${compared} ELSE _estimate END`;
  return `least(${list.dialect.wholeNumber(row)}, ${TILE_CELLS - 1})`;
}
