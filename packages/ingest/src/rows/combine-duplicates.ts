import { EngineError } from '@locmetrics/column-store/publish/engine-error';
import {
  type ImportConnection,
  STAGE_TABLE,
} from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { DuplicateRule } from '../manifest/row-steps.ts';
import { PublishError } from '../problems/publish-error.ts';
import { columnsOf, type RowCheck, repeatedKeyCheck } from './row-checks.ts';
import { valueColumn } from './stage-rows.ts';

/** The checks of rows whose key an earlier row has, by what the manifest says about them. */
export function duplicateChecks(
  dataset: Dataset,
  rule: DuplicateRule | undefined,
  isLeftOut = 'false',
): readonly RowCheck[] {
  switch (rule) {
    case undefined:
      return [repeatedKeyCheck(dataset, isLeftOut)];
    case 'first':
    case 'last':
      return [];
    case 'sum':
    case 'min':
    case 'max':
    case 'same':
      return unlikeChecks(dataset, rule, isLeftOut);
  }
}

/** Finds rows that differ from the first one with their key in a field that is not combined. */
function unlikeChecks(
  dataset: Dataset,
  rule: DuplicateRule,
  isLeftOut: string,
): readonly RowCheck[] {
  const fixed = dataset.fields.flatMap(({ name }, index) =>
    dataset.key.includes(name) || isCombined(dataset, index, rule) ? [] : { name, index },
  );
  const keys = keyValues(dataset).join(', ');
  const isPresent = keyValues(dataset).map((value) => `${value} IS NOT NULL`);
  const firsts = fixed.map(
    ({ index }) => `first(${valueColumn(index)} ORDER BY rowid) AS first_${index}`,
  );
  return fixed.map(({ name, index }) => ({
    field: name,
    from: `(SELECT staged.*, staged.rowid, earlier_row, first_${index} FROM ${STAGE_TABLE} AS staged
      JOIN (SELECT ${keys}, min(rowid) AS earlier_row, ${firsts.join(', ')} FROM ${STAGE_TABLE}
        WHERE ${isPresent.join(' AND ')} AND NOT ${isLeftOut} GROUP BY ${keys} HAVING count(*) > 1)
        USING (${keys}))`,
    condition: `${valueColumn(index)} IS DISTINCT FROM first_${index} AND NOT ${isLeftOut}`,
    shown: `${valueColumn(index)}::VARCHAR`,
    reason: `'is not the value of an earlier row with the same key'`,
    otherValue: `first_${index}`,
  }));
}

/** Whether a check of duplicates finds rows. */
export async function hasUnlikeRows(
  connection: ImportConnection,
  dataset: Dataset,
  { rule, table }: { readonly rule: DuplicateRule | undefined; readonly table: string },
): Promise<boolean> {
  if (rule === undefined || rule === 'first' || rule === 'last') return false;
  const fixed = dataset.fields.flatMap(({ name }, index) =>
    dataset.key.includes(name) || isCombined(dataset, index, rule) ? [] : valueColumn(index),
  );
  if (fixed.length === 0) return false;
  const isUnlike = fixed.map(
    (value) => `(count(DISTINCT ${value}) > 1 OR count(${value}) NOT IN (0, count(*)))`,
  );
  const [row] = await connection.list(
    `SELECT count(*)::DOUBLE AS count FROM (SELECT 1 FROM ${table}
      GROUP BY ${keyValues(dataset).join(', ')} HAVING count(*) > 1 AND (${isUnlike.join(' OR ')}))`,
  );
  return row !== undefined && numberOf(row, 'count') > 0;
}

/** SQL of the rows with one for each key. */
export function combinedRows(
  dataset: Dataset,
  { rule, table }: { readonly rule: DuplicateRule | undefined; readonly table: string },
): string {
  if (rule === undefined) return table;
  const values = dataset.fields.map(({ name, type }, index) => {
    const value = valueColumn(index);
    if (dataset.key.includes(name)) return value;
    if (!isCombined(dataset, index, rule)) {
      return `${rule === 'last' ? 'last' : 'first'}(${value} ORDER BY rowid) AS ${value}`;
    }
    if (rule !== 'sum') return `${rule}(${value}) AS ${value}`;
    // In the order of the rows, so that the same rows give the same sum of floats.
    return type === 'integer'
      ? `sum(${value})::BIGINT AS ${value}`
      : `sum(${value} ORDER BY rowid) AS ${value}`;
  });
  return `(SELECT ${values.join(', ')} FROM ${table} GROUP BY ${keyValues(dataset).join(', ')})`;
}

/** Numbers are combined, but not those that identify or place a record. */
function isCombined({ fields, key, point }: Dataset, index: number, rule: DuplicateRule): boolean {
  const field = fields[index];
  if (field === undefined || (rule !== 'sum' && rule !== 'min' && rule !== 'max')) return false;
  if (key.includes(field.name)) return false;
  if (field.name === point?.latitude || field.name === point?.longitude) return false;
  return field.type === 'integer' || field.type === 'float';
}

function keyValues(dataset: Dataset): readonly string[] {
  return dataset.key.map((name) => columnsOf(dataset, name).value);
}

/** A sum of whole numbers can be none of 64 bits. Any other error is returned unchanged. */
export function explainSum(error: unknown, { name }: Dataset): unknown {
  if (!(error instanceof EngineError) || !/out of range/.test(error.reason)) return error;
  return new PublishError(
    `${name}: the sum of the numbers of rows with the same key exceeds 64 bits (rows: duplicates: sum).`,
    'Declare the field as float, or use another rule for duplicates.',
    { cause: error },
  );
}

/** Nothing is combined silently. */
export function combinedNotices(rule: DuplicateRule | undefined, count: number): readonly string[] {
  if (rule === undefined || count === 0) return [];
  const rows = count === 1 ? '1 row has' : `${count.toLocaleString('en-US')} rows have`;
  return [`${rows} the key of another row: ${RULE_WORDS[rule]} (rows: duplicates: ${rule}).`];
}

const RULE_WORDS: Readonly<Record<DuplicateRule, string>> = {
  first: 'the first row with the key is kept',
  last: 'the last row with the key is kept',
  sum: 'their numbers are summed',
  min: 'the least of their numbers is kept',
  max: 'the greatest of their numbers is kept',
  same: 'they are the same in all fields, and one is kept',
};
