import { FULL_TURN, type Ring, UNITS_PER_DEGREE } from '../geometry/ring.ts';
import { ringBands } from '../geometry/ring-bands.ts';
import type { ParameterList } from './parameter-list.ts';

/**
 * A query of the rows whose points are in a ring, as `domain/is-in-ring.ts` decides. `points` is a query of the columns
 * `row`, `_longitude` and `_latitude`, in degrees.
 *
 * A point is joined with those edges of its band that are at its height and not west of it. An edge that a line to the
 * east crosses counts as 1, and one with the point on it as `ON_EDGE`.
 */
export function compileRing(
  ring: Ring,
  { row, points }: { readonly row: string; readonly points: string },
  list: ParameterList,
): string {
  const { dialect } = list;
  const { minX, minY, height, bands } = ringBands(ring);
  const entries = bands.flatMap((edges, band) => edges.map((edge) => ({ band, ...edge })));
  const edges = list.bindTable({
    _band: entries.map(({ band }) => band),
    _x1: entries.map(({ from }) => from.x),
    _y1: entries.map(({ from }) => from.y),
    _x2: entries.map(({ to }) => to.x),
    _y2: entries.map(({ to }) => to.y),
  });
  const bind = (units: number) => list.bind('integer', BigInt(units));
  const x = toUnits('_longitude', list);
  const y = toUnits('_latitude', list);
  const turned = `CASE WHEN _lng < ${bind(minX)} THEN _lng + ${FULL_TURN} WHEN _lng >= ${bind(minX + FULL_TURN)} THEN _lng - ${FULL_TURN} ELSE _lng END`;
  const band = dialect.wholeQuotient(`(_y - ${bind(minY)})`, height);
  const rounded = `SELECT ${row} AS _at, ${x} AS _lng, ${y} AS _y FROM (${points}) AS _degrees`;
  const placed = `SELECT _at, ${turned} AS _x, _y, ${band} AS _band FROM (${rounded}) AS _rounded`;
  const counted = `SELECT _at, ${countOf(list)} AS _count FROM (${placed}) AS _point INNER JOIN ${edges} AS _edge ON _point._band = _edge._band WHERE _y BETWEEN _y1 AND _y2 AND _x <= greatest(_x1, _x2)`;
  return `SELECT _at FROM (${counted}) AS _counted GROUP BY _at HAVING sum(_count) >= ${ON_EDGE} OR sum(_count) % 2 = 1`;
}

/** More than all edges of a ring, and even. */
const ON_EDGE = 1024;

/** As `toUnits` of the domain. */
function toUnits(degrees: string, { dialect }: ParameterList): string {
  return dialect.wholeNumber(`floor(${degrees} * ${UNITS_PER_DEGREE} + 0.5)`);
}

function countOf({ dialect: { wide } }: ParameterList): string {
  const crossed = 'CASE WHEN _y < _y2 THEN 1 ELSE 0 END';
  const left = `${wide('_x2 - _x1')} * ${wide('_y - _y1')}`;
  const right = `${wide('_x - _x1')} * ${wide('_y2 - _y1')}`;
  return `CASE WHEN _x < least(_x1, _x2) THEN ${crossed} WHEN _y1 = _y2 OR ${left} = ${right} THEN ${ON_EDGE} WHEN ${left} > ${right} THEN ${crossed} ELSE 0 END`;
}
