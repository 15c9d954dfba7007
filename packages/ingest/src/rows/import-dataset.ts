import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  openImportConnection,
  SORTED_TABLE,
  STAGE_TABLE,
} from '@locmetrics/column-store/publish/import-connection';
import { countRepeatedKeys, sortRecords } from '@locmetrics/column-store/publish/sort-records';
import {
  type RecordSummary,
  summarizeRecords,
} from '@locmetrics/column-store/publish/summarize-records';
import type { Period } from '@locmetrics/core/dates/period';
import type { RejectedRows, RowCounts } from '@locmetrics/data-directory/versions/publish-report';
import type { ImportedFile } from '../formats/source-file.ts';
import { explainStageError } from '../problems/explain-system-error.ts';
import {
  attachBase,
  baseRecordsOf,
  countKeptKeys,
  replacedPeriodChecks,
  withoutKeptRows,
} from './base-rows.ts';
import { combinedNotices, combinedRows, explainSum, hasUnlikeRows } from './combine-duplicates.ts';
import { boundaryFiles, openComputedFields } from './computed-fields.ts';
import { describePoints } from './describe-points.ts';
import type { Import, ImportOptions } from './import-options.ts';
import type { ImportProgress } from './import-progress.ts';
import { fieldColumns, unusedColumnNotices } from './match-columns.ts';
import { nfcNotices } from './nfc-texts.ts';
import { openFiles, openLookups } from './open-files.ts';
import { type KeptRows, rejectRows, type UncheckedRows } from './reject-rows.ts';
import { countFoundRows, rowChecks } from './row-checks.ts';
import { stageFiles } from './stage-files.ts';
import { valueColumn } from './stage-rows.ts';
import { totalsNotices } from './totals-notices.ts';

/** The result of an import of the files of a dataset. */
export type ImportedDataset = RecordSummary & {
  readonly counts: RowCounts;
  /** Why rows were left out; empty where none was. */
  readonly rejected: readonly RejectedRows[];
  readonly files: readonly ImportedFile[];
  /** Remarks on what is not wrong but unusual, in whole sentences. */
  readonly notices: readonly string[];
};

/**
 * Reads the files of a dataset, checks every value, and writes the files of a version.
 *
 * Rows that are wrong are left out if the manifest accepts so many; otherwise an `ImportError` tells all that
 * is wrong, and no file is left. A signal that is aborted throws its reason.
 */
export async function importDataset(options: ImportOptions): Promise<ImportedDataset> {
  let progress: ImportProgress = { stage: 'reading', rows: 0 };
  const report = (next: ImportProgress) => {
    progress = next;
    options.onProgress?.(progress);
  };
  const connection = await openImportConnection({
    ...options,
    onFraction: (fraction) =>
      report({
        ...progress,
        // The first half of reading is that before the engine.
        fraction: progress.stage === 'reading' ? (1 + fraction) / 2 : fraction,
      }),
    signal: options.signal,
  });
  const copies = join(options.temporaryDirectory, `copies-${randomUUID()}`);
  const close = async () => {
    await connection.close();
    await rm(copies, { recursive: true, force: true });
  };
  let imported: ImportedDataset;
  try {
    imported = await importRows({ ...options, connection, copies, report });
  } catch (error) {
    await close();
    await removeFiles(options);
    const { dataset, source } = options.declared;
    const file = progress.file ?? source.files.join(', ');
    throw explainStageError(error, { datasetName: dataset.name, stage: progress.stage, file });
  }
  await close();
  return imported;
}

/** The rows are read once into a stage, then checked, then sorted, then written. */
async function importRows(options: Import): Promise<ImportedDataset> {
  const { connection, declared, base, directory, report } = options;
  const { dataset, source } = declared;
  const opened = await openFiles(options);
  const lookups = await openLookups(options, opened.length);
  const carried =
    base === undefined
      ? { carriedOver: 0, replaced: 0 }
      : await attachBase(connection, dataset, base);
  const computed = await openComputedFields(connection, declared, base);
  const staged = await stageFiles({ ...options, computed }, opened, lookups);
  const { duplicates } = source;
  const unchecked = {
    connection,
    dataset,
    base,
    acceptance: declared.accept,
    duplicates,
    ...staged,
  };
  const rows = staged.stagedCount;
  report({ stage: 'checking', rows });
  const checked = await checkRows(unchecked, options.replacedPeriod);
  report({ stage: 'writing', rows });
  const sorted = await sortRows(unchecked, checked);
  const { readCount, rejectedCount, rejected } = sorted;
  const pointNotices = await describePoints(
    { ...staged, connection, ...sorted },
    declared,
    computed,
  );
  // From here on only the sorted rows are needed; on disk they are as large as the staged ones.
  await connection.run(`DROP TABLE ${STAGE_TABLE}`);
  const notices = [
    ...staged.fileNotices,
    ...unusedColumnNotices(fieldColumns(dataset, source), staged.columns, source.siblings),
    ...staged.notices,
    ...pointNotices,
  ];
  const onNotice = (sentence: string) => notices.push(sentence);
  const isChanged = readCount > rejectedCount || carried.replaced > 0;
  const records = base && baseRecordsOf(base, { ...options, isChanged });
  for (const writer of options.writers) {
    await writer.write({ connection, dataset, folder: directory, onNotice, base: records });
  }
  const summary = await summarizeRecords(connection, dataset);
  const kept =
    duplicates === undefined ? readCount - rejectedCount : summary.rowCount - carried.carriedOver;
  notices.push(...(await totalsNotices(connection, dataset)));
  notices.push(...(await nfcNotices(connection, dataset)));
  notices.push(...combinedNotices(duplicates, readCount - rejectedCount - kept));
  return {
    ...summary,
    counts: {
      read: readCount,
      kept,
      rejected: rejectedCount,
      ...carried,
      total: summary.rowCount,
    },
    rejected,
    files: [...staged.imported, ...boundaryFiles(computed)],
    notices,
  };
}

async function checkRows(
  unchecked: UncheckedRows,
  replacedPeriod: Period | undefined,
): Promise<KeptRows> {
  const { connection, dataset, stagedCount, refused } = unchecked;
  const checks = [
    ...rowChecks(dataset),
    ...(replacedPeriod === undefined ? [] : replacedPeriodChecks(dataset, replacedPeriod)),
  ];
  const counts = await countFoundRows(connection, checks);
  const failed = checks.filter((_, index) => counts[index] !== 0);
  if (failed.length > 0 || refused.some((part) => part.counts.length > 0)) {
    return rejectRows(unchecked, failed);
  }
  return { table: STAGE_TABLE, readCount: stagedCount, rejectedCount: 0, rejected: [] };
}

/**
 * Sorts the kept rows of the files. Equal keys are neighbours only then, so rows with a repeated key are rejected
 * only now.
 */
async function sortRows(unchecked: UncheckedRows, kept: KeptRows): Promise<KeptRows> {
  const { connection, dataset, base, duplicates: rule } = unchecked;
  const toSort = ({ table }: KeptRows): string => {
    const combined = combinedRows(dataset, { rule, table });
    const isKept = rule === 'same' && base !== undefined;
    return isKept ? withoutKeptRows(dataset, base, combined) : combined;
  };
  const sort = (rows: KeptRows) =>
    sortRecords(connection, dataset, { table: toSort(rows), column: valueColumn }).catch(
      (error: unknown) => {
        throw rule === 'sum' ? explainSum(error, dataset) : error;
      },
    );
  if (await hasUnlikeRows(connection, dataset, { rule, table: kept.table })) {
    const alike = await rejectRows(unchecked, []);
    await sort(alike);
    return alike;
  }
  await sort(kept);
  const repeated = await countRepeatedKeys(connection, dataset);
  const known = base === undefined ? 0 : await countKeptKeys(connection, dataset, base);
  if (repeated === 0 && known === 0) return kept;
  const unique = await rejectRows(unchecked, []);
  await connection.run(`DROP TABLE ${SORTED_TABLE}`);
  await sort(unique);
  return unique;
}

/** Also removes files that an engine had beside its own, for example a log; their names begin with the same. */
async function removeFiles({ directory, writers }: ImportOptions): Promise<void> {
  const files = writers.flatMap((writer) => writer.files);
  for (const name of await readdir(directory).catch(() => [])) {
    if (files.some((file) => name.startsWith(file))) await rm(join(directory, name));
  }
}
