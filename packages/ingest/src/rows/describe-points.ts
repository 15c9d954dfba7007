import { type Dataset, findField } from '@locmetrics/core/domain/dataset';
import type { DeclaredDataset } from '../manifest/manifest.ts';
import { checkRegion } from './check-region.ts';
import type { ComputedFields } from './computed-fields.ts';
import { countPoints, type LocatedRows, listPoints } from './find-points.ts';
import { columnsOf } from './row-checks.ts';
import { shareText } from './share-text.ts';

/**
 * Remarks on the points of the rows: how many are absent, lie in no area or outside the region, and where the first of
 * them are. Throws a `PublishError` if more lie outside the region than the manifest accepts.
 */
export async function describePoints(
  located: Omit<LocatedRows, 'latitude' | 'longitude'>,
  { dataset, source, accept }: Pick<DeclaredDataset, 'dataset' | 'source' | 'accept'>,
  computed: ComputedFields,
): Promise<readonly string[]> {
  if (dataset.point === undefined) return [];
  const latitude = columnsOf(dataset, dataset.point.latitude).value;
  const longitude = columnsOf(dataset, dataset.point.longitude).value;
  const rows = { ...located, latitude, longitude };
  const remarks = [...plainRemarks(rows), ...areaRemarks(rows, dataset, source, computed)];
  const [rowCount = 0, pointCount = 0, ...counts] = await countPoints(rows, [
    'true',
    `${latitude} IS NOT NULL`,
    ...remarks.map(({ condition }) => condition),
  ]);
  const sentences: string[] = [];
  for (const [index, { condition, of, say }] of remarks.entries()) {
    const count = counts[index] ?? 0;
    if (count === 0) continue;
    const examples = await listPoints(rows, { condition, count });
    const whole = of === 'rows' ? rowCount : pointCount;
    sentences.push(`${shareText(count, whole, of)} ${say(count === 1)}: ${examples}.`);
  }
  const { region } = source;
  const others =
    region === undefined
      ? await findLonePoints(rows, pointCount)
      : await checkRegion(rows, {
          dataset,
          region,
          idFunctions: computed.idFunctions,
          accepted: accept.outsideRegion,
          pointCount,
        });
  return [...sentences, ...others];
}

/** Something that is said of rows, if it is true for any. */
type Remark = {
  readonly condition: string;
  readonly of: 'rows' | 'points';
  readonly say: (isOne: boolean) => string;
};

function plainRemarks({ latitude, longitude }: LocatedRows): readonly Remark[] {
  return [
    {
      condition: `${latitude} IS NULL`,
      of: 'rows',
      say: (isOne) =>
        `${isOne ? 'has' : 'have'} no point, so no bounding box finds ${isOne ? 'it' : 'them'}`,
    },
    {
      condition: `${latitude} = 0 AND ${longitude} = 0`,
      of: 'points',
      say: (isOne) => `${isOne ? 'is' : 'are'} 0, 0, which often stands for a missing point`,
    },
  ];
}

/** The areas that a field has, and those that several points lie in. */
function areaRemarks(
  { latitude, longitude }: LocatedRows,
  dataset: Dataset,
  { fields }: DeclaredDataset['source'],
  { areas, idFunctions, overlapFunctions }: ComputedFields,
): readonly Remark[] {
  return [...areas.keys()].flatMap((area): readonly Remark[] => {
    const own = [...fields].filter(([, { from }]) => from?.kind === 'area' && from.area === area);
    if (own.length === 0) return [];
    const [withId] = own.find(([, { from }]) => from?.kind === 'area' && from.value === 'id') ?? [];
    const id =
      withId !== undefined && findField(dataset, withId) !== undefined
        ? columnsOf(dataset, withId).value
        : `${idFunctions.get(area)}(${latitude}, ${longitude})`;
    const overlap = overlapFunctions.get(area);
    return [
      {
        condition: `${latitude} IS NOT NULL AND ${id} IS NULL`,
        of: 'points',
        say: (isOne) => `${isOne ? 'lies' : 'lie'} in no area of ${area}`,
      },
      ...(overlap === undefined
        ? []
        : [
            {
              condition: `${overlap}(${latitude}, ${longitude}) IS NOT NULL`,
              of: 'points' as const,
              say: (isOne: boolean) =>
                `${isOne ? 'lies' : 'lie'} in several areas of ${area}; the first one by id is used`,
            },
          ]),
    ];
  });
}

/**
 * Tells of points that lie far from all others, but would lie among many with latitude and longitude exchanged. It needs
 * no region, and it is only a remark: a lone point can be right.
 */
async function findLonePoints(rows: LocatedRows, pointCount: number): Promise<readonly string[]> {
  const condition = `rowid IN (${loneRows(rows)})`;
  const [count = 0] = await countPoints(rows, [condition]);
  if (count === 0) return [];
  const examples = await listPoints(rows, { condition, count });
  const [lie, are] = count === 1 ? ['lies', 'it is'] : ['lie', 'they are'];
  return [
    `${shareText(count, pointCount, 'points')} ${lie} far from all others, but would lie near many others with latitude and longitude swapped. Perhaps ${are} written in the wrong order: ${examples}.`,
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
