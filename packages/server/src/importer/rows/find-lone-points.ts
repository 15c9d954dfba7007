import { countPoints, type LocatedRows, listPoints } from './find-points.ts';
import { shareText } from './share-text.ts';

/**
 * Tells of points that lie far from all others, but would lie among many with latitude and longitude exchanged. It needs
 * no region, and it is only a remark: a lone point can be right.
 */
export async function findLonePoints(
  rows: LocatedRows,
  pointCount: number,
): Promise<readonly string[]> {
  const condition = `rowid IN (${loneRows(rows)})`;
  const [count = 0] = await countPoints(rows, [condition]);
  if (count === 0) return [];
  const examples = await listPoints(rows, { condition, count });
  const [lie, are] = count === 1 ? ['lies', 'it is'] : ['lie', 'they are'];
  return [
    `${shareText(count, pointCount, 'points')} ${lie} far from all others, but among many if latitude and longitude are exchanged, so perhaps ${are} written in the wrong order: ${examples}.`,
  ];
}

/** Degrees of the cells that points are counted in. */
const CELL = 5;
/** The points in a cell and around it that are few, and those in a cell that are many. */
const FEW = 3;
const MANY = 10;

function loneRows({ table, latitude, longitude }: LocatedRows): string {
  const north = `floor(${latitude} / ${CELL})`;
  const east = `floor(${longitude} / ${CELL})`;
  return `WITH cells AS (SELECT ${north} AS north, ${east} AS east, count(*) AS points
      FROM ${table} WHERE ${latitude} IS NOT NULL GROUP BY ALL),
    suspects AS (SELECT own.* FROM cells AS own JOIN cells AS exchanged
      ON exchanged.north = own.east AND exchanged.east = own.north
      WHERE own.points <= ${FEW} AND exchanged.points >= ${MANY}),
    lone AS (SELECT own.north, own.east FROM suspects AS own JOIN cells AS near
      ON abs(near.north - own.north) <= 1 AND abs(near.east - own.east) <= 1
      GROUP BY ALL HAVING sum(near.points) <= ${FEW})
    SELECT lone_rows.rowid FROM (SELECT ${north} AS north, ${east} AS east, rowid FROM ${table}
      WHERE ${latitude} IS NOT NULL) AS lone_rows JOIN lone USING (north, east)`;
}
