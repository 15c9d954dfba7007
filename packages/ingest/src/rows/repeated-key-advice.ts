import {
  type ImportConnection,
  STAGE_TABLE,
} from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { FoundProblems } from '../problems/found-problems.ts';
import { KEPT_KEY_REASON } from './base-rows.ts';
import { columnsOf, REPEATED_KEY_REASON } from './row-checks.ts';

/** What to choose if rows have the key of another row: the cause is mostly a key that lacks a field. */
export async function repeatedKeyAdvice(
  connection: ImportConnection,
  dataset: Dataset,
  found: FoundProblems,
): Promise<string | undefined> {
  const key = dataset.key.join(', ');
  const has = (reason: string) =>
    found.counts.some((count) => count.field === key && count.reason.startsWith(reason));
  const isRepeated = has(REPEATED_KEY_REASON);
  const isKept = has(KEPT_KEY_REASON);
  const { period } = dataset;
  const lacksPeriod =
    period !== undefined && ![period.start, period.end].some((name) => dataset.key.includes(name));
  if (
    lacksPeriod &&
    (isKept || (isRepeated && (await varies(connection, dataset, period.start))))
  ) {
    return `The key [${key}] has no period, so a place can have only one record, and the values of another period have the same key. Add ${period.start} to the key of ${dataset.name}: key: [${[...dataset.key, period.start].join(', ')}]. Then publish the files of all periods once, without --append.`;
  }
  if (!isRepeated) return undefined;
  const telling = await tellingFields(connection, dataset);
  const fields =
    telling.length === 0
      ? 'no other field tells these rows apart by itself'
      : `${telling.join(', ')} ${telling.length === 1 ? 'tells' : 'tell'} these rows apart`;
  return `Choose for ${dataset.name}: a key with more fields (${fields}), or how rows with the same key become one record, as rows: [{ duplicates: … }] with sum, first, last, min, max or same.`;
}

/** Whether rows with the same key differ in a field. */
async function varies(
  { list }: ImportConnection,
  dataset: Dataset,
  name: string,
): Promise<boolean> {
  const keys = dataset.key.map((one) => columnsOf(dataset, one).value).join(', ');
  const rows = await list(
    `SELECT 1 AS found FROM ${STAGE_TABLE} GROUP BY ${keys}
      HAVING count(DISTINCT ${columnsOf(dataset, name).value}) > 1 LIMIT 1`,
  );
  return rows.length > 0;
}

/** The fields with which the key would be unique. Measures are none, because they are different by chance. */
async function tellingFields(
  { list }: ImportConnection,
  dataset: Dataset,
): Promise<readonly string[]> {
  const keys = dataset.key.map((name) => columnsOf(dataset, name).value);
  const others = dataset.fields.filter(
    ({ name, type, outline }) =>
      !dataset.key.includes(name) &&
      ['string', 'date', 'boolean'].includes(type) &&
      outline !== true,
  );
  if (others.length === 0) return [];
  const counts = others.map(({ name }, index) => {
    const { value } = columnsOf(dataset, name);
    return `(count(DISTINCT ${value}) = count(*))::INTEGER AS told_${index}`;
  });
  const whole = others.map((_, index) => `min(told_${index})::DOUBLE AS told_${index}`);
  const [row] = await list(
    `SELECT ${whole.join(', ')} FROM (SELECT ${counts.join(', ')} FROM ${STAGE_TABLE}
      GROUP BY ${keys.join(', ')} HAVING count(*) > 1)`,
  );
  if (row === undefined) return [];
  return others
    .filter((_, index) => row[`told_${index}`] !== null && numberOf(row, `told_${index}`) === 1)
    .map(({ name }) => name)
    .slice(0, FIELDS_MAX);
}

const FIELDS_MAX = 5;
