import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import type { DraftDataset } from './draft-dataset.ts';
import type { ChanceKey } from './keys/find-chance.ts';
import { type DraftField, strptimePattern } from './values/draft-fields.ts';
import { flowText } from './yaml-text.ts';

type Events = Pick<
  DraftDataset,
  'key' | 'point' | 'period' | 'fields' | 'files' | 'chance' | 'wide' | 'unnest'
>;

/** Why a key that no two rows share may not hold. */
export function chanceDoubt({ parts, day, combinations }: ChanceKey, rowCount: number): string {
  const few =
    parts.length === 0
      ? `the days in ${day} follow no pattern`
      : `only ${shown(rowCount)} of ${shown(combinations)} combinations of ${[...parts, day].join(', ')} have one, on days without a pattern`;
  return `Each row seems to be an event: ${few}. So no two rows share the key by chance, and a later file with two such rows is refused. If a column identifies each row, write it as the key. If not, count the rows.`;
}

/** How rows that are events, such as trips, become values of places. */
export function eventLines(dataset: Events): readonly string[] {
  const found = dataset.chance === undefined ? tripsOf(dataset) : eventsOf(dataset);
  if (found === undefined || dataset.files.length === 0) return [];
  const { place, day, sums } = found;
  const values = [
    `events: { count: '*' }`,
    ...sums.map(
      ({ name, document }) => `${flowText(name)}: { sum: ${flowText(document.column ?? name)} }`,
    ),
  ];
  const fields = [
    `${flowText(place.name)}: { type: string }`,
    'day: { type: date }',
    'events: { type: integer }',
    ...sums.map(({ name, document }) => `${flowText(name)}: { type: ${document.type} }`),
  ];
  const source =
    place.document.expression ?? quoteIdentifier(String(place.document.column ?? place.name));
  return [
    dataset.chance === undefined
      ? 'Each row seems to be an event. To count them by place and day, for a metric:'
      : 'To count them by place and day, for a metric:',
    'rows:',
    `  - aggregate: { by: { ${flowText(place.name)}: ${flowText(source)}, day: ${flowText(day)} }, values: { ${values.join(', ')} } }`,
    `key: [${flowText(place.name)}, day]`,
    'period: { start: day, end: day }',
    `fields: { ${fields.join(', ')} }`,
  ].map((line) => `    # ${line}`);
}

type Counted = {
  readonly place: DraftField;
  /** SQL of the day. */
  readonly day: string;
  /** Numbers whose sums are kept beside the counts. */
  readonly sums: readonly DraftField[];
};

/** Rows with a key of one field, a time of day and the code of a place. */
function tripsOf({ key, point, period, fields }: Events): Counted | undefined {
  const time = fields.find(({ time: found }) => found !== undefined)?.time;
  const place = fields.find(
    ({ name, isCode, document }) =>
      isCode && !key.fields.includes(name) && typeof (document.column ?? name) === 'string',
  );
  const isEvent = period === undefined && point === undefined && key.fields.length === 1;
  if (!isEvent || time === undefined || time.zone !== undefined || time.moment !== undefined)
    return undefined;
  const day = `strptime(trim(${quoteIdentifier(time.column)}), '${time.pattern}')::DATE`;
  return place && { place, day, sums: [] };
}

/** Rows whose key is unique by chance, beside a day and a place. */
function eventsOf({ chance, fields, wide, unnest }: Events): Counted | undefined {
  const place = fields.find(({ name }) => name === chance?.place);
  const date = fields.find(({ name }) => name === chance?.day);
  const isOfFile = wide === undefined && unnest === undefined;
  if (place === undefined || date === undefined || !isOfFile) return undefined;
  const { column = date.name, expression, format = 'YYYY-MM-DD' } = date.document;
  if (expression !== undefined || typeof column !== 'string' || !isPlain(place)) return undefined;
  const day = `strptime(trim(${quoteIdentifier(column)}), '${strptimePattern(format)}')::DATE`;
  const sums = fields.filter(
    (field) =>
      field.document.additive === 'all' && field.document.format === undefined && isPlain(field),
  );
  return { place, day, sums: sums.slice(0, SUMS_MAX) };
}

function isPlain({ name, document: { column = name, expression } }: DraftField): boolean {
  return typeof column === 'string' && expression === undefined;
}

const SUMS_MAX = 3;

function shown(count: number): string {
  return count.toLocaleString('en-US');
}
