import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import type { DuplicateRule } from '../manifest/row-steps.ts';
import { preparedRows } from '../rows/stage-rows.ts';
import { type DraftField, daySql } from './draft-fields.ts';
import type { FoundKey } from './find-key.ts';
import { measureKind } from './measure-kind.ts';
import type { FieldDocument, ReadRows } from './open-rows.ts';

/** How rows with one key become one. */
export type Combined = {
  readonly duplicates: DuplicateRule | undefined;
  /** Instead of it, where a measure has a mean and no sum. */
  readonly aggregate: DraftAggregate | undefined;
  /** Why numbers are not added up. */
  readonly reason: string | undefined;
  readonly fields: readonly DraftField[];
};

export type DraftAggregate = {
  /** Columns as they are, or new ones by an expression. */
  readonly by: readonly { readonly name: string; readonly expression?: string | undefined }[];
  readonly values: readonly {
    readonly name: string;
    readonly function: 'sum' | 'mean';
    readonly column: string;
    readonly format: string | undefined;
  }[];
};

/** Proposes only what the measures can be: counts are added up, of temperatures and shares there is a mean. */
export async function combineRepeated(
  connection: ImportConnection,
  rows: ReadRows,
  {
    key,
    fields,
    leastOf,
    hasTexts,
    rowNumbers,
  }: {
    readonly key: FoundKey;
    readonly fields: readonly DraftField[];
    readonly leastOf: (name: string) => number;
    /** Whether the rows are read as texts, as steps are. */
    readonly hasTexts: boolean;
    /** Fields that only count the rows, which several rows together have no more. */
    readonly rowNumbers: readonly string[];
  },
): Promise<Combined> {
  const none = { aggregate: undefined, reason: undefined, fields };
  const kept = fields.filter(({ name }) => !rowNumbers.includes(name) || key.fields.includes(name));
  if (key.repeatedCount === 0) return { ...none, duplicates: undefined };
  if (key.conflictCount === 0) return { ...none, duplicates: 'same' };
  if (!key.canAddUp) return { ...none, duplicates: 'first' };
  const measures = kept.filter((field) => isMeasure(field, key));
  const kinds = measures.map((field) => kindOf(field, leastOf(field.name)));
  const named = (kind: string) =>
    measures.flatMap(({ name }, index) => (kinds[index] === kind ? [name] : [])).join(', ');
  if (kinds.every((kind) => kind === 'count')) return { ...none, fields: kept, duplicates: 'sum' };
  if (kinds.includes('unclear')) {
    const reason = `Neither the name nor the values of ${named('unclear')} show whether it can be summed.`;
    return { ...none, duplicates: 'first', reason };
  }
  const reason = `Sums of ${named('mean')} are meaningless.`;
  const others = kept.filter((field) => !measures.includes(field));
  const by = groupColumns(others);
  const names = new Set(by.map(({ name }) => name.toLowerCase()));
  const isClash = measures.some(({ name }) => names.has(name));
  const hasTimes = by.some(({ expression }) => expression !== undefined);
  const isSafe = hasTimes
    ? others.every(({ part }) => part === undefined)
    : await isKeyOf(connection, rows, { by: by.map(({ name }) => name), key });
  if (!hasTexts || isClash || !isSafe) return { ...none, duplicates: 'first', reason };
  const values = measures.map(({ name, document }, index) => ({
    name,
    function: kinds[index] === 'mean' ? ('mean' as const) : ('sum' as const),
    column: columnsOf(document, name)[0] ?? name,
    format: document.format,
  }));
  const combined = kept.map((field) => {
    const index = measures.indexOf(field);
    if (index < 0) return grouped(field);
    const type = kinds[index] === 'mean' ? 'float' : field.document.type;
    return { ...field, document: { type }, column: field.name };
  });
  return { duplicates: undefined, aggregate: { by, values }, reason, fields: combined };
}

/** The columns that the rows of a group share: of times the day and the hour. */
function groupColumns(fields: readonly DraftField[]): DraftAggregate['by'] {
  const found = fields.flatMap(({ name, document, hasTime, time }): DraftAggregate['by'] => {
    const [column = name, ...more] = columnsOf(document, name);
    const { format, zone } = document;
    if (time !== undefined || document.expression !== undefined) {
      return [{ name, expression: document.expression }];
    }
    const isTime = hasTime && format !== undefined && more.length === 0;
    if (isTime) return [{ name, expression: daySql(quoteIdentifier(column), { format, zone }) }];
    return [column, ...more].map((one) => ({ name: one }));
  });
  return found.filter(
    ({ name }, index) => found.findIndex((other) => other.name === name) === index,
  );
}

/** A field of the columns of a group. */
function grouped(field: DraftField): DraftField {
  const { type, as, format, pad } = field.document;
  const isComputed = field.document.expression !== undefined;
  if (field.time === undefined && !field.hasTime && !isComputed) return field;
  const written = isComputed && !field.hasTime ? { format, pad } : {};
  const known = Object.entries({ as, ...written }).filter(([, value]) => value !== undefined);
  return {
    ...field,
    document: { type, ...Object.fromEntries(known) },
    column: field.name,
  };
}

/** Whether a field has numbers that say something about its record, and do not identify it. */
export function isMeasure(
  { name, document, part, isCode, time }: DraftField,
  key: FoundKey,
): boolean {
  const isNumber = document.type === 'integer' || document.type === 'float';
  return (
    isNumber && part === undefined && !isCode && time === undefined && !key.fields.includes(name)
  );
}

function kindOf({ name, document }: DraftField, least: number) {
  return measureKind({ name, type: document.type, format: document.format, least });
}

/** The names of the columns of a field in steps. */
function columnsOf({ column }: FieldDocument, name: string): readonly string[] {
  const columns = Array.isArray(column) ? column : [column ?? name];
  return columns.map((one) => (typeof one === 'number' ? `column ${one}` : String(one)));
}

/** Whether rows with the same texts in these columns are those with the same key. */
async function isKeyOf(
  connection: ImportConnection,
  rows: ReadRows,
  { by, key }: { readonly by: readonly string[]; readonly key: FoundKey },
): Promise<boolean> {
  const documents = by.map((column, index): readonly [string, FieldDocument] => {
    const position = /^column (\d+)$/.exec(column)?.[1];
    const place = position === undefined ? column : Number(position);
    return [`f${index}`, { type: 'string', column: place }];
  });
  const selection = rows.select(Object.fromEntries(documents));
  if (selection === undefined) return false;
  const values = selection.readings.map(({ value }) => `(${value})`).join(', ');
  const [row] = await connection.list(
    `SELECT count(*)::DOUBLE AS rows, (count(*) - count(DISTINCT (${values}, 0)))::DOUBLE AS repeated
      FROM ${preparedRows(selection, selection.readings)}`,
    selection.parameters,
  );
  return row !== undefined && numberOf(row, 'repeated') === key.repeatedCount;
}
