import {
  type ImportConnection,
  REJECTED_TABLE,
  STAGE_TABLE,
} from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { RejectedRows } from '@locmetrics/data-directory/versions/publish-report';
import { type Acceptance, amountText, isWithin } from '../manifest/acceptance.ts';
import type { DuplicateRule } from '../manifest/row-steps.ts';
import { type FoundProblems, toImportError, toRejectedRows } from '../problems/found-problems.ts';
import { type BaseRows, keptKeyCheck } from './base-rows.ts';
import { duplicateChecks } from './combine-duplicates.ts';
import { findRowProblems, type StagedRows } from './find-row-problems.ts';
import { repeatedKeyAdvice } from './repeated-key-advice.ts';
import type { RowCheck } from './row-checks.ts';

/** The staged rows of a dataset, before they are checked. */
export type UncheckedRows = StagedRows & {
  readonly dataset: Dataset;
  /** Kept rows of the current version; their keys must not be repeated either. */
  readonly base: BaseRows | undefined;
  readonly acceptance: Acceptance;
  readonly stagedCount: number;
  /** How rows with the same key are combined; absent: they are refused. */
  readonly duplicates: DuplicateRule | undefined;
  /** The rows that the readers of the files refused. */
  readonly refused: readonly FoundProblems[];
};

/** The staged rows without the rejected ones. */
export type KeptRows = {
  /** SQL of a table with the columns of the stage. */
  readonly table: string;
  /** The number of rows in the files, including the lines that the reader refused. */
  readonly readCount: number;
  readonly rejectedCount: number;
  readonly rejected: readonly RejectedRows[];
};

/**
 * Leaves out the rows that these checks find (each finds some), the rows that the reader refused, and rows that repeat the key of
 * a remaining row. Throws an `ImportError` if they are more than the manifest accepts.
 *
 * The rows are not deleted; their numbers are recorded. After a delete, DuckDB may renumber the later rows, and
 * these numbers are needed to find the rows in their files.
 */
export async function rejectRows(
  unchecked: UncheckedRows,
  checks: readonly RowCheck[],
): Promise<KeptRows> {
  const { connection, dataset, refused, stagedCount } = unchecked;
  const { rejectedRows } = unchecked.acceptance;
  const refusal = async (rejection?: string): Promise<Error> => {
    const all = [...checks, ...keyChecks(unchecked)];
    const found = await findRowProblems({ ...unchecked, checks: all });
    const hint = await repeatedKeyAdvice(connection, dataset, found);
    const error = toImportError(dataset.name, [...refused, found], { rejection, hint });
    return error ?? new Error(`Rows of ${dataset.name} are wrong, but which is not found again.`);
  };
  if (!isWithin(1, rejectedRows, Number.POSITIVE_INFINITY)) throw await refusal();
  if (
    refused.some((part) => part.isOfFile || part.countsAreLowerBounds) ||
    (await hasRunningLines(connection))
  ) {
    throw await refusal(
      'Wrong rows could be left out (accept.rejected_rows), but not if a file cannot be read to its end or if a wrong row spans several lines, because the number of its rows is then unknown.',
    );
  }
  const conditions = checks.map(({ condition }) => `(${condition})`);
  await connection.run(
    `CREATE TABLE ${REJECTED_TABLE} AS SELECT rowid AS row_number FROM ${STAGE_TABLE}
      WHERE ${['false', ...conditions].join(' OR ')}`,
  );
  const found = [await findRowProblems({ ...unchecked, checks })];
  // The checks run one after the other, so that no row is found twice.
  for (const check of keyChecks(unchecked, IS_REJECTED)) {
    found.push(await findRowProblems({ ...unchecked, checks: [check] }));
    await connection.run(
      `INSERT INTO ${REJECTED_TABLE} SELECT rowid FROM ${check.from} WHERE ${check.condition}`,
    );
  }
  const [row] = await connection.list(`SELECT count(*)::DOUBLE AS count FROM ${REJECTED_TABLE}`);
  const refusedCount = refused
    .flatMap(({ counts }) => counts)
    .reduce((sum, { count }) => sum + count, 0);
  const readCount = stagedCount + refusedCount;
  const rejectedCount = refusedCount + (row === undefined ? 0 : numberOf(row, 'count'));
  if (!isWithin(rejectedCount, rejectedRows, readCount)) {
    throw await refusal(
      `${rejectedCount.toLocaleString('en-US')} of ${readCount.toLocaleString('en-US')} rows would be left out; the manifest accepts ${amountText(rejectedRows)} (accept.rejected_rows).`,
    );
  }
  return {
    table: `(SELECT *, rowid FROM ${STAGE_TABLE} WHERE NOT ${IS_REJECTED})`,
    readCount,
    rejectedCount,
    rejected: toRejectedRows([...refused, ...found]),
  };
}

function keyChecks(
  { dataset, base, duplicates }: UncheckedRows,
  isLeftOut?: string,
): readonly RowCheck[] {
  const repeated = duplicateChecks(dataset, duplicates, isLeftOut);
  if (base === undefined) return repeated;
  const known = keptKeyCheck(dataset, base, { isLeftOut, mayBeSame: duplicates === 'same' });
  return [known, ...repeated];
}

/** Whether a refused value has a line break: then an unclosed quote may contain other rows. */
async function hasRunningLines({ list }: ImportConnection): Promise<boolean> {
  const rows = await list(
    `SELECT 1 AS found FROM (SELECT unnest(refused).shown AS shown FROM ${STAGE_TABLE}
      WHERE refused IS NOT NULL) WHERE regexp_matches(shown, '[\\r\\n]') LIMIT 1`,
  );
  return rows.length > 0;
}

const IS_REJECTED = `(rowid IN (SELECT row_number FROM ${REJECTED_TABLE}))`;
