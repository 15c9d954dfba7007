import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import { quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { OUTLINE_COLUMN } from '../formats/features/geojson-format.ts';
import {
  EMPTY_OUTLINE,
  OUTLINE_FUNCTION,
  outlineProblem,
} from '../formats/features/outline-problem.ts';
import type { RowSelection } from '../formats/row-format.ts';
import { isTable } from '../manifest/file-formats.ts';
import { preparedRows } from '../rows/stage-rows.ts';
import type { InspectedFile } from './files/inspect-file.ts';
import type { DraftField, Point } from './values/draft-fields.ts';
import type { ReadRows } from './values/open-rows.ts';
import type { Stats } from './values/typed-rows.ts';

/** Few features whose geometry has no point, such as areas of size zero: they are left out, and the others have their points and outlines. */
export type WrongShapes = { readonly count: number; readonly doubt: string };

export async function findWrongShapes(
  connection: ImportConnection,
  seen: InspectedFile,
  rows: ReadRows,
): Promise<WrongShapes | undefined> {
  const isOfFeatures = rows.specialColumns.includes('$latitude') && seen.pointProblem === undefined;
  if (!isOfFeatures) return undefined;
  const id = [...rows.columns, '$id'].find(
    (column) => rows.select({ id: { type: 'string', column } }) !== undefined,
  );
  const selection = rows.select({
    ...POINT,
    ...(id === undefined ? {} : { id: { type: 'string', column: id } }),
  });
  const [latitude, longitude, name] = selection?.readings ?? [];
  if (selection === undefined || latitude === undefined || longitude === undefined) {
    return undefined;
  }
  const reading = `CASE WHEN ${isWrongPoint([latitude])} THEN`;
  const [row] = await connection.list(
    `SELECT count(*)::DOUBLE AS total, count(*) FILTER (is_wrong)::DOUBLE AS wrong,
      min(reason) FILTER (is_wrong) AS reason, arg_min(shown, reason) FILTER (is_wrong) AS shown,
      arg_min(name, reason) FILTER (is_wrong AND name IS NOT NULL) AS name
      FROM (SELECT ${isWrongPoint([latitude, longitude])} AS is_wrong,
        ${reading} ${latitude.reason} ELSE ${longitude.reason} END AS reason,
        (${reading} ${latitude.shown} ELSE ${longitude.shown} END)::VARCHAR AS shown, (${name?.shown ?? 'NULL'})::VARCHAR AS name
        FROM ${preparedRows(selection, selection.readings)})`,
    selection.parameters,
  );
  const [total, wrong] =
    row === undefined ? [0, 0] : [numberOf(row, 'total'), numberOf(row, 'wrong')];
  if (row === undefined || wrong === 0 || wrong > total * WRONG_SHARE_MAX) return undefined;
  const shown = row['name'] === null ? row['shown'] : `${row['shown']} of ${row['name']}`;
  const [features, they] =
    wrong === 1
      ? [`1 of ${count(total)} features has`, 'It is']
      : [`${count(wrong)} of ${count(total)} features have`, 'They are'];
  return {
    count: wrong,
    doubt: `${features} no point that can be served: '${shown}' ${row['reason']}. ${they} left out. To keep all, correct the geometry in the file, or remove point, outline and the fields with $latitude, $longitude and $outline.`,
  };
}

const POINT = {
  latitude: { type: 'float', column: '$latitude' },
  longitude: { type: 'float', column: '$longitude' },
} as const;

/** More are a sign of another cause than single mistakes. */
const WRONG_SHARE_MAX = 0.05;

function isWrongPoint(readings: RowSelection['readings']): string {
  const wrong = readings.map(({ value, isAbsent }) => `((${value}) IS NULL AND NOT (${isAbsent}))`);
  return `(${wrong.join(' OR ')})`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** Why the points of features cannot be fields; undefined if they can, or if there are none. */
export async function findPointDoubt(
  connection: ImportConnection,
  seen: InspectedFile,
  rows: ReadRows,
): Promise<string | undefined> {
  if (seen.pointProblem !== undefined) return `Without the points: ${seen.pointProblem}`;
  for (const column of rows.specialColumns.filter((name) => name !== '$id')) {
    const selection = rows.select({ value: { type: 'float', column } });
    const [reading] = selection?.readings ?? [];
    if (selection === undefined || reading === undefined) continue;
    const [row] = await connection.list(
      `SELECT count(*)::DOUBLE AS count, min(${reading.reason}) AS reason, min(${reading.shown}) AS shown
        FROM ${preparedRows(selection, selection.readings)}
        WHERE (${reading.value}) IS NULL AND NOT (${reading.isAbsent})`,
      selection.parameters,
    );
    const count = row === undefined ? 0 : numberOf(row, 'count');
    if (row === undefined || count === 0) continue;
    const features = count === 1 ? '1 feature has no point' : `${count} features have no point`;
    const isDegrees = !String(row['reason']).startsWith('is not between');
    const hint = isDegrees
      ? `To publish the others, declare point with $latitude and $longitude, and accept: { rejected_rows: ${count} }.`
      : 'GeoJSON uses degrees in WGS 84. If the file has another coordinate system, convert it with ogr2ogr -t_srs EPSG:4326.';
    return `Without the points, because ${features} that can be served: '${row['shown']}' ${row['reason']}. ${hint}`;
  }
  return undefined;
}

/** The outlines of features that are areas, with the doubt why those of all cannot be a field. */
export type FoundOutlines = { readonly doubt: string | undefined };

/** Finds whether the features of files are areas; undefined if none is one. */
export async function findOutlines(
  connection: ImportConnection,
  seen: InspectedFile,
  rows: ReadRows,
  wrongShapes: WrongShapes | undefined,
): Promise<FoundOutlines | undefined> {
  if (isTable(seen.format) || seen.pointProblem !== undefined) return undefined;
  const selection = rows.select({
    value: { type: 'string', column: OUTLINE_COLUMN },
    ...(wrongShapes === undefined ? {} : POINT),
  });
  const [reading, ...point] = selection?.readings ?? [];
  if (selection === undefined || reading === undefined) return undefined;
  const isLeftOut = point.length === 0 ? 'false' : isWrongPoint(point);
  connection.addFunction(OUTLINE_FUNCTION, outlineProblem);
  const [row] = await connection.list(
    `SELECT count(*) FILTER (problem = '')::DOUBLE AS areas,
      count(*) FILTER (problem NOT IN ('', ${quoteLiteral(EMPTY_OUTLINE)}))::DOUBLE AS refused,
      min(problem) FILTER (problem NOT IN ('', ${quoteLiteral(EMPTY_OUTLINE)})) AS reason
      FROM (SELECT coalesce(${OUTLINE_FUNCTION}(${reading.value}), ${reading.reason}) AS problem
        FROM ${preparedRows(selection, selection.readings)}
        WHERE NOT (${reading.isAbsent}) AND NOT ${isLeftOut})`,
    selection.parameters,
  );
  if (row === undefined || numberOf(row, 'areas') === 0) return undefined;
  const refused = numberOf(row, 'refused');
  if (refused === 0) return { doubt: undefined };
  const features =
    refused === 1 ? '1 feature has no outline' : `${refused} features have no outline`;
  return {
    doubt: `Without the outlines, because ${features} that can be served: one ${row['reason']}. To publish the others, add outline: outline, the field outline: { type: string, column: $outline }, and accept: { rejected_rows: ${refused} }.`,
  };
}

export function pointOf(fields: readonly DraftField[]): Point | undefined {
  const latitude = coordinateOf(fields, 'latitude');
  const longitude = coordinateOf(fields, 'longitude');
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/** The one of the geometry, because columns beside it can be in another coordinate system. */
function coordinateOf(
  fields: readonly DraftField[],
  part: 'latitude' | 'longitude',
): string | undefined {
  const found = fields.filter((field) => field.part === part);
  return (found.find(({ column }) => column === `$${part}`) ?? found[0])?.name;
}

export function isInRange(
  fields: readonly DraftField[],
  { latitude, longitude }: Point,
  stats: Stats,
): boolean {
  const within = (name: string, limit: number): boolean => {
    const found = stats.fields[fields.findIndex((field) => field.name === name)];
    return found !== undefined && found.least >= -limit && found.greatest <= limit;
  };
  return within(latitude, 90) && within(longitude, 180);
}
