import { FRACTIONS } from '../domain/exact-sum.ts';
import { TILE_CELLS, type TileGrid } from '../domain/tile.ts';
import type { TileAggregate, TilePlan } from '../plan/read-plan.ts';
import {
  compilePredicates,
  compileTable,
  openParameterList,
  type ParameterList,
  whereClause,
} from './compile-predicates.ts';
import { quoteIdentifier } from './quote-identifier.ts';
import type { SqlDialect, SqlStatement } from './sql-dialect.ts';

/**
 * The cells of a tile that have records: the row times the number of columns, plus the column; the number of records; and
 * the parts of the exact sum of each aggregate. See `domain/exact-sum.ts`.
 */
export function compileTile(plan: TilePlan, dialect: SqlDialect): SqlStatement {
  const list = openParameterList(dialect);
  const cell = `${compileRow(plan, list)} * ${TILE_CELLS} + ${compileColumn(plan, dialect, list)}`;
  const sums = plan.aggregates.flatMap((aggregate) => compileSum(aggregate, dialect));
  const columns = [`${cell} AS _cell`, 'count(*)', ...sums].join(', ');
  const table = compileTable(plan.version, dialect, list);
  const conditions = compilePredicates(plan.predicates, plan.version, dialect, list);
  return {
    text: `SELECT ${columns} FROM ${table} AS _record${whereClause(conditions)} GROUP BY _cell ORDER BY _cell`,
    parameters: list.parameters,
  };
}

function compileColumn(
  { longitude, grid }: TilePlan,
  dialect: SqlDialect,
  list: ParameterList,
): string {
  const west = list.bind('float', grid.west);
  const perDegree = list.bind('float', grid.columnsPerDegree);
  const column = dialect.wholeNumber(
    `(${quoteIdentifier(longitude.name)} - ${west}) * ${perDegree}`,
  );
  return `least(${column}, ${TILE_CELLS - 1})`;
}

/** Compares a latitude with the edges of the rows, halving them each time. */
function compileRow({ latitude, grid }: TilePlan, list: ParameterList): string {
  return compileHalves(quoteIdentifier(latitude.name), grid, list, [0, TILE_CELLS - 1]);
}

function compileHalves(
  latitude: string,
  grid: TileGrid,
  list: ParameterList,
  [first, last]: readonly [number, number],
): string {
  if (first === last) return String(first);
  const middle = Math.ceil((first + last) / 2);
  const edge = list.bind('float', grid.edges[middle] ?? 0);
  const north = compileHalves(latitude, grid, list, [first, middle - 1]);
  const south = compileHalves(latitude, grid, list, [middle, last]);
  return `CASE WHEN ${latitude} > ${edge} THEN ${north} ELSE ${south} END`;
}

function compileSum({ field }: TileAggregate, dialect: SqlDialect): readonly string[] {
  const column = quoteIdentifier(field.name);
  if (field.type === 'integer') {
    return [dialect.sum(column), '0', `count(${column})`, `count(${column})`];
  }
  const whole = dialect.wholeNumber(column);
  const fraction = dialect.wholeNumber(`(${column} - ${whole}) * ${FRACTIONS}.0`);
  return [dialect.sum(whole), dialect.sum(fraction), `count(${column})`, `count(${whole})`];
}
