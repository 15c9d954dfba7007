import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import type { DraftField, Point } from '../values/draft-fields.ts';
import { WAY_NAME } from './fill-blanks.ts';
import { FLAG_NAME, isAreaName, STATISTIC_DIMENSION } from './key-roles.ts';

/** The places that the rows of a dataset repeat for each period. */
export type RepeatedPlaces = {
  /** The field that identifies a place. */
  readonly id: string;
  /** The other fields with one value for each place. */
  readonly fields: readonly string[];
  /** Those of them that no two places share. */
  readonly unique: readonly string[];
  readonly count: number;
  /** Why the id may stand for several places. */
  readonly doubt?: string | undefined;
};

/**
 * Finds them by a code of the key with which nothing about a place changes, and its point least of all. In a file of one
 * period nothing changes at all, so numbers are values there.
 */
export async function findPlaces(
  connection: ImportConnection,
  {
    table,
    fields,
    ids,
    point,
    isOnePeriod,
  }: {
    /** The table with a column for each field: v0, v1, … */
    readonly table: string;
    readonly fields: readonly DraftField[];
    /** The texts of the key, with their SQL, that could identify a place. */
    readonly ids: readonly { readonly name: string; readonly sql: string }[];
    readonly point: Point | undefined;
    readonly isOnePeriod: boolean;
  },
): Promise<RepeatedPlaces | undefined> {
  const isPart = ({ name }: DraftField) => name === point?.latitude || name === point?.longitude;
  // Numbers of places that have no point, too: a series can be constant.
  const mayChange = isOnePeriod || point === undefined;
  const others = fields.flatMap((field, index) => {
    const { type } = field.document;
    const canChange =
      type === 'date' || ((type === 'integer' || type === 'float') && !field.isCode);
    const isOwn = ids.some(({ name }) => name === field.name);
    const isOfValue = FLAG_NAME.test(field.name) || STATISTIC_DIMENSION.test(field.name);
    return isOwn || (mayChange && (canChange || isOfValue) && !isPart(field))
      ? []
      : { name: field.name, sql: `v${index}` };
  });
  const texts = fields.flatMap(({ name, document }, index) =>
    document.type === 'string' ? { name, sql: `v${index}` } : [],
  );
  for (const { name: id, sql: own } of ids) {
    const counts = others.map(
      ({ sql }, number) =>
        `count(DISTINCT (${own}, ${sql}))::DOUBLE AS count_${number}, count(DISTINCT ${sql})::DOUBLE AS own_${number}`,
    );
    const [row] = await connection.list(
      `SELECT ${[`count(DISTINCT ${own})::DOUBLE AS ids`, ...counts].join(', ')} FROM ${table}
        WHERE ${own} IS NOT NULL`,
    );
    if (row === undefined) continue;
    const count = numberOf(row, 'ids');
    const same = others.flatMap(({ name }, number) =>
      numberOf(row, `count_${number}`) === count ? [name] : [],
    );
    const unique = others.flatMap(({ name }, number) =>
      same.includes(name) && numberOf(row, `own_${number}`) === count ? [name] : [],
    );
    const [whole] = await connection.list(`SELECT count(*)::DOUBLE AS rows FROM ${table}`);
    // A row of its own for nearly each id is no repeated place, unless the next file repeats it.
    const isRepeated = whole !== undefined && numberOf(whole, 'rows') >= count * REPEATED_MIN;
    const hasPoint =
      point === undefined || (same.includes(point.latitude) && same.includes(point.longitude));
    // Nor is one for each id over several periods, which are events.
    const isEvent = !isOnePeriod && whole !== undefined && numberOf(whole, 'rows') === count;
    if ((isRepeated || (mayChange && !isEvent)) && hasPoint)
      return {
        id,
        fields: same,
        unique,
        count,
        doubt: await findDivided(connection, { table, ids, id, texts, same }),
      };
  }
  return undefined;
}

/**
 * Whether another column with places differs for one id, by another field of the key: a turnstile has the same number at
 * several stations.
 */
async function findDivided(
  connection: ImportConnection,
  {
    table,
    ids,
    id,
    texts,
    same,
  }: {
    readonly table: string;
    readonly ids: readonly Text[];
    readonly id: string;
    readonly texts: readonly Text[];
    readonly same: readonly string[];
  },
): Promise<string | undefined> {
  const own = ids.find(({ name }) => name === id)?.sql;
  const places = texts.filter(
    ({ name }) => isAreaName(name) && !same.includes(name) && !WAY_NAME.test(name),
  );
  for (const place of own === undefined ? [] : places) {
    for (const part of texts.filter(({ name }) => ![place.name, id, ...same].includes(name))) {
      const [row] = await connection.list(
        `SELECT count(DISTINCT (${own}, ${part.sql}))::DOUBLE AS parts, count(DISTINCT (${own}, ${part.sql}, ${place.sql}))::DOUBLE AS places,
          (SELECT concat_ws('|', min((${own})::VARCHAR), min(${place.sql})::VARCHAR, max(${place.sql})::VARCHAR) FROM ${table} GROUP BY (${own}) HAVING count(DISTINCT ${place.sql}) > 1 ORDER BY 1 LIMIT 1) AS example
          FROM ${table} WHERE ${own} IS NOT NULL AND ${part.sql} IS NOT NULL AND ${place.sql} IS NOT NULL`,
      );
      const isDivided = row !== undefined && numberOf(row, 'parts') === numberOf(row, 'places');
      const [code = '', one = '', other = ''] = String(row?.['example'] ?? '').split('|');
      if (!isDivided || other === '') continue;
      return `'${code}' has several values of ${place.name}, such as '${one}' and '${other}', by ${part.name}. If these are several places, identify them by both: an expression such as ${part.name} || ' ' || ${id}, in the fields of the values too.`;
    }
  }
  return undefined;
}

type Text = { readonly name: string; readonly sql: string };

/** The rows of a place, in the mean. */
const REPEATED_MIN = 1.5;
