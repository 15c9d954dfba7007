import type { DuplicateRule } from '../../manifest/row-steps.ts';
import type { ImportConnection } from '../../storage/duckdb/publish/import-connection.ts';
import { numberOf } from '../../storage/duckdb/publish/result-row.ts';
import { preparedRows } from '../rows/stage-rows.ts';
import type { DraftField } from './draft-fields.ts';
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
  readonly by: readonly string[];
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
  }: {
    readonly key: FoundKey;
    readonly fields: readonly DraftField[];
    readonly leastOf: (name: string) => number;
    /** Whether the rows are read as texts, as steps are. */
    readonly hasTexts: boolean;
  },
): Promise<Combined> {
  const none = { aggregate: undefined, reason: undefined, fields };
  if (key.repeatedCount === 0) return { ...none, duplicates: undefined };
  if (key.conflictCount === 0) return { ...none, duplicates: 'same' };
  if (!key.canAddUp) return { ...none, duplicates: 'first' };
  const measures = fields.filter((field) => isMeasure(field, key));
  const kinds = measures.map((field) => kindOf(field, leastOf(field.name)));
  const named = (kind: string) =>
    measures.flatMap(({ name }, index) => (kinds[index] === kind ? [name] : [])).join(', ');
  if (kinds.every((kind) => kind === 'count')) return { ...none, duplicates: 'sum' };
  if (kinds.includes('unclear')) {
    const reason = `Neither name nor values of ${named('unclear')} tell whether it can be added up.`;
    return { ...none, duplicates: 'first', reason };
  }
  const reason = `A sum of ${named('mean')} has no meaning.`;
  const others = fields.filter((field) => !measures.includes(field));
  const by = [
    ...new Set(
      others.flatMap(({ document, name, time }) => columnsOf(document, time?.column ?? name)),
    ),
  ];
  const names = new Set(by.map((column) => column.toLowerCase()));
  const isClash = measures.some(({ name }) => names.has(name));
  if (!hasTexts || isClash || !(await isKeyOf(connection, rows, { by, key, fields }))) {
    return { ...none, duplicates: 'first', reason };
  }
  const values = measures.map(({ name, document }, index) => ({
    name,
    function: kinds[index] === 'mean' ? ('mean' as const) : ('sum' as const),
    column: columnsOf(document, name)[0] ?? name,
    format: document.format,
  }));
  const combined = fields.map((field) => {
    const index = measures.indexOf(field);
    if (index < 0) return field;
    const type = kinds[index] === 'mean' ? 'float' : field.document.type;
    return { ...field, document: { type }, column: field.name };
  });
  return { duplicates: undefined, aggregate: { by, values }, reason, fields: combined };
}

function isMeasure({ name, document, part, isCode, time }: DraftField, key: FoundKey): boolean {
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
  {
    by,
    key,
    fields,
  }: {
    readonly by: readonly string[];
    readonly key: FoundKey;
    readonly fields: readonly DraftField[];
  },
): Promise<boolean> {
  const documents = by.map((column, index): readonly [string, FieldDocument] => {
    const position = /^column (\d+)$/.exec(column)?.[1];
    const place = position === undefined ? column : Number(position);
    return [`f${index}`, { type: 'string', column: place }];
  });
  const selection = rows.select(Object.fromEntries(documents));
  if (selection === undefined || fields.length === 0) return false;
  const values = selection.readings.map(({ value }) => `(${value})`).join(', ');
  const [row] = await connection.list(
    `SELECT count(*)::DOUBLE AS rows, (count(*) - count(DISTINCT (${values}, 0)))::DOUBLE AS repeated
      FROM ${preparedRows(selection, selection.readings)}`,
    selection.parameters,
  );
  return row !== undefined && numberOf(row, 'repeated') === key.repeatedCount;
}
