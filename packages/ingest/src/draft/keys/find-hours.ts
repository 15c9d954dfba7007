import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import type { DraftField, Period } from '../values/draft-fields.ts';
import { type HourForm, hourForm } from '../values/hour-texts.ts';
import { isCategoryName, measureKind, unitOfName } from '../values/measure-kind.ts';
import { TYPED_ROWS } from '../values/typed-rows.ts';
import { snake } from '../values/valid-name.ts';
import { isMeasure } from './combine-repeated.ts';
import type { FoundKey } from './find-key.ts';

/** What becomes of the hours of a day: a dimension, or sums of days. */
export const HOUR_CHOICES = ['dimension', 'days'] as const;
export type HourChoice = (typeof HOUR_CHOICES)[number];

/** The field of a key that has an hour or a time of day, and what the sums of days would be. */
export type FoundHours = HourForm & {
  readonly field: string;
  /** The hours with two digits, by what the field has. */
  readonly shown: ReadonlyMap<string, string>;
  readonly days: FoundDays;
};

/** The days that the hours add up to. */
export type FoundDays = {
  /** Records, each a sum of a day. */
  readonly count: number;
  /** The rows that most of them have, and how many days have fewer. */
  readonly usual: number;
  readonly incompleteCount: number;
  /** How the hours of each measure become the value of the day. */
  readonly values: ReadonlyMap<string, 'sum' | 'mean'>;
  /** Measures with one value in each day, beside others. */
  readonly same: readonly string[];
  /** Those of the values that may have no sum. */
  readonly unclear: readonly string[];
  /** Fields with several values in a day. */
  readonly varying: ReadonlySet<string>;
  /** The first ones, by field. */
  readonly rows: readonly ReadonlyMap<string, string>[];
};

type HoursOptions = {
  /** In the order of the table of values. */
  readonly fields: readonly DraftField[];
  readonly key: FoundKey;
  /** The least number of a field. */
  readonly leastOf: (name: string) => number;
};

/** Finds the hour in the key of values by period. */
export async function findHours(
  connection: ImportConnection,
  { period, ...options }: HoursOptions & { readonly period: Period | undefined },
): Promise<FoundHours | undefined> {
  const { fields, key } = options;
  if (period === undefined || !fields.some((field) => isMeasure(field, key))) return undefined;
  for (const [index, field] of fields.entries()) {
    if (!key.fields.includes(field.name) || !isHourName(field)) continue;
    const listed = await connection.list(
      `SELECT DISTINCT v${index}::VARCHAR AS text FROM ${TYPED_ROWS}
        WHERE v${index} IS NOT NULL ORDER BY text LIMIT ${TEXTS_MAX}`,
    );
    const texts = listed.map(({ text }) => String(text));
    const found = hourForm(texts);
    if (found === undefined) continue;
    // The hour of a time is that of a clock in any case.
    const form = field.time === undefined ? found : { ...found, read: undefined, isFromOne: false };
    const { read = (text: string) => `lpad(${text}, 2, '0')` } = form;
    const shown = await connection.list(
      `SELECT DISTINCT v${index}::VARCHAR AS text, ${read(`v${index}::VARCHAR`)} AS hour
        FROM ${TYPED_ROWS} WHERE v${index} IS NOT NULL`,
    );
    return {
      field: field.name,
      ...form,
      shown: new Map(shown.map(({ text, hour }) => [String(text), String(hour)])),
      days: await findDays(connection, { ...options, field }),
    };
  }
  return undefined;
}

const TEXTS_MAX = 1500;

function isHourName({ name, column, time, document }: DraftField): boolean {
  if (time !== undefined) return true;
  const isWhole = document.type === 'integer' || document.type === 'string';
  return isWhole && typeof document.column !== 'object' && HOUR_NAME.test(snake(column ?? name));
}

const HOUR_NAME =
  /(^|_)(hour|hours|hr|hrs|hora|ora|ore|heure|stunde|std|uhrzeit|uur|time|zeit|tijd|hod)(_|$)|^(h|interval|hour_?(of_?(the_)?day|beginning|ending|start|end))$/;

async function findDays(
  connection: ImportConnection,
  { fields, key, leastOf, field: hour }: HoursOptions & { readonly field: DraftField },
): Promise<FoundDays> {
  const groups = fields.flatMap((field, index) =>
    field !== hour && key.fields.includes(field.name) ? [`v${index}`] : [],
  );
  const by = groups.length === 0 ? '' : `GROUP BY ${groups.join(', ')}`;
  const counts = fields.map(
    (_, index) =>
      `count(DISTINCT v${index}) + CASE WHEN count(v${index}) BETWEEN 1 AND count(*) - 1 THEN 1 ELSE 0 END AS different_${index}`,
  );
  const most = fields.map((_, index) => `max(different_${index})::DOUBLE AS most_${index}`);
  const [row] = await connection.list(
    `WITH days AS (SELECT ${['count(*) AS row_count', ...counts].join(', ')} FROM ${TYPED_ROWS} ${by})
      SELECT count(*)::DOUBLE AS days, max(row_count)::DOUBLE AS usual,
        count(*) FILTER (WHERE row_count < (SELECT max(row_count) FROM days))::DOUBLE AS incomplete,
        ${most.join(', ')} FROM days`,
  );
  if (row === undefined) throw new Error('The days cannot be counted.');
  const varying = new Set(
    fields.flatMap(({ name }, index) => (numberOf(row, `most_${index}`) > 1 ? [name] : [])),
  );
  const { values, same, unclear } = valuesOf({ fields, key, leastOf }, varying);
  return {
    count: numberOf(row, 'days'),
    usual: numberOf(row, 'usual'),
    incompleteCount: numberOf(row, 'incomplete'),
    values,
    same,
    unclear,
    varying,
    rows: await firstDays(connection, { fields, values, by }),
  };
}

/** The measures of a day: sums, or means of those that have no sum. What is the same all day, such as lanes, is none. */
function valuesOf(
  { fields, key, leastOf }: HoursOptions,
  varying: ReadonlySet<string>,
): Pick<FoundDays, 'values' | 'same' | 'unclear'> {
  const measures = fields.filter(
    (field) =>
      isMeasure(field, key) && !(field.document.type === 'integer' && isCategoryName(field.name)),
  );
  const changes = measures.some(({ name }) => varying.has(name));
  const summed = measures.filter(({ name }) => !changes || varying.has(name));
  const same = measures.flatMap(({ name }) => (changes && !varying.has(name) ? [name] : []));
  const kinds = summed.map(
    ({ name, column, document: { type, format }, unit = unitOfName(column) }) => ({
      name,
      kind: measureKind({ name, type, format, unit, least: leastOf(name) }),
    }),
  );
  return {
    values: new Map(kinds.map(({ name, kind }) => [name, kind === 'mean' ? 'mean' : 'sum'])),
    same,
    unclear: kinds.flatMap(({ name, kind }) => (kind === 'unclear' ? [name] : [])),
  };
}

async function firstDays(
  connection: ImportConnection,
  {
    fields,
    values,
    by,
  }: {
    readonly fields: readonly DraftField[];
    readonly values: FoundDays['values'];
    readonly by: string;
  },
): Promise<FoundDays['rows']> {
  const columns = fields.map(({ name }, index) => {
    const read = values.get(name);
    const value =
      read === undefined
        ? `first(v${index} ORDER BY rowid)`
        : read === 'sum'
          ? `sum(v${index})`
          : `avg(v${index})`;
    return `${value}::VARCHAR AS v${index}`;
  });
  const rows = await connection.list(
    `SELECT ${columns.join(', ')} FROM ${TYPED_ROWS} ${by} ORDER BY min(rowid) LIMIT ${EXAMPLES_MAX}`,
  );
  return rows.map(
    (row) =>
      new Map(
        fields.flatMap(({ name }, index): (readonly [string, string])[] => {
          const text = row[`v${index}`];
          return text === null || text === undefined ? [] : [[name, String(text)]];
        }),
      ),
  );
}

const EXAMPLES_MAX = 3;
