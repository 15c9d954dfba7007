import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import type { PlaceCode } from './keys/place-code.ts';
import type { DraftField, Period } from './values/draft-fields.ts';
import { TYPED_ROWS } from './values/typed-rows.ts';

/** The first and the last period, and the first rows, so that a reader can compare them with the file. */
export type DraftExamples = {
  /** As the file has them, such as 2024-01; undefined without a period. */
  readonly periods: { readonly first: string; readonly last: string } | undefined;
  /** The texts of the values by field. */
  readonly rows: readonly ReadonlyMap<string, string>[];
};

export async function readExamples(
  connection: ImportConnection,
  /** Those of the table of values. */
  fields: readonly DraftField[],
  period: Period | undefined,
  /** The code of places that several fields make. */
  code: PlaceCode | undefined,
): Promise<DraftExamples> {
  const nameOf = (name: string): string => period?.renamed.get(name) ?? name;
  const indexOf = (day: string | undefined) => fields.findIndex(({ name }) => nameOf(name) === day);
  // The first day of weeks can be computed from their last one.
  const found = indexOf(period?.start);
  const start = found < 0 ? indexOf(period?.end) : found;
  // Rows with all values show more.
  const absent = fields.map((_, index) => `(v${index} IS NULL)::INTEGER`);
  const list = await connection.list(
    `SELECT ${[
      ...fields.map((_, index) => `v${index}::VARCHAR AS v${index}`),
      `${code?.sql ?? 'NULL'} AS code`,
    ].join(', ')}
      FROM ${TYPED_ROWS} ORDER BY ${absent.join(' + ')}, rowid LIMIT ${EXAMPLES_MAX}`,
  );
  const rows = list.map(
    (row) =>
      new Map([
        ...(code === undefined ? [] : [[code.field.name, String(row['code'])] as const]),
        ...fields.flatMap(({ name, document }, index): (readonly [string, string])[] => {
          const value = row[`v${index}`];
          if (value === null || value === undefined) return [];
          const text = document.type === 'float' ? String(Number(value)) : String(value);
          return [[nameOf(name), index === start ? periodName(text, period?.unit) : text]];
        }),
      ]),
  );
  if (start < 0) return { periods: undefined, rows };
  const [range] = await connection.list(
    `SELECT min(v${start})::VARCHAR AS first, max(v${start})::VARCHAR AS last FROM ${TYPED_ROWS}`,
  );
  const [first, last] = [range?.['first'], range?.['last']].map((day) =>
    typeof day === 'string' ? periodName(day, period?.unit) : undefined,
  );
  const periods = first === undefined || last === undefined ? undefined : { first, last };
  return { periods, rows };
}

/** The first day of a period, without what its length makes needless. */
function periodName(day: string, unit: Period['unit']): string {
  switch (unit) {
    case 'month':
      return day.slice(0, 7);
    case 'year':
      return day.slice(0, 4);
    default:
      return day;
  }
}

const EXAMPLES_MAX = 3;
