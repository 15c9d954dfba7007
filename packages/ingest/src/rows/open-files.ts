import type { Dataset } from '@locmetrics/core/domain/dataset';
import { toNfc } from '@locmetrics/core/text/nfc';
import { AddressProblem } from '../addresses/address-problem.ts';
import { type FetchedFile, fetchAddress } from '../addresses/fetch-address.ts';
import { copyAsText } from '../formats/copy-as-text.ts';
import { OUTLINE_FUNCTION, outlineProblem } from '../formats/features/outline-problem.ts';
import { listSourceFiles } from '../formats/list-source-files.ts';
import { listNamedTables, withNamedColumns } from '../formats/named-tables.ts';
import type { OpenedRows } from '../formats/row-format.ts';
import { ROW_FORMATS } from '../formats/row-formats.ts';
import { brokenGzip } from '../formats/scan-source-file.ts';
import { fileLabels, inspectSourceFile } from '../formats/source-file.ts';
import { isTable } from '../manifest/file-formats.ts';
import { isAddress, shownAddress } from '../manifest/source-address.ts';
import { type FoundProblems, foundProblem, toImportError } from '../problems/found-problems.ts';
import type { Lookup } from '../steps/join-rows.ts';
import { stepColumns } from '../steps/step-columns.ts';
import type { Import } from './import-options.ts';
import { fieldColumns, findColumnProblems } from './match-columns.ts';
import { NFC_FUNCTION } from './nfc-texts.ts';
import { hasSteps } from './step-rows.ts';

/** Looks at every file before the rows of any are read, so that a wrong name is said at once. */
export async function openFiles(
  options: Import,
  {
    manifestPlace = `datasets.${options.declared.dataset.name}.files`,
    firstNumber = 0,
    label: givenLabel,
  }: {
    readonly manifestPlace?: string;
    readonly firstNumber?: number;
    /** The name of the file in messages; absent: the shortest that distinguishes the files. */
    readonly label?: string;
  } = {},
): Promise<readonly OpenedRows[]> {
  const { connection, memoryLimitBytes, copies, report, signal } = options;
  const { unpackedBytesMax = Number.POSITIVE_INFINITY } = options;
  const { dataset, source } = options.declared;
  const limits = { memoryLimitBytes, unpackedBytesMax, documentBytesMax: memoryLimitBytes };
  const format = ROW_FORMATS[source.format];
  const hasOutlines = dataset.fields.some(({ outline }) => outline === true);
  const functions = {
    ...format.functions,
    ...(hasOutlines ? { [OUTLINE_FUNCTION]: outlineProblem } : {}),
    [NFC_FUNCTION]: toNfc,
  };
  for (const [name, compute] of Object.entries(functions)) connection.addFunction(name, compute);
  const paths = await listSourceFiles(source.files);
  const labels = fileLabels(paths);
  const found: FoundProblems[] = [];
  const opened: OpenedRows[] = [];
  let nextNumber = firstNumber;
  for (const [index, named] of paths.entries()) {
    const number = nextNumber;
    nextNumber += 1;
    const label = givenLabel ?? labels[index] ?? named;
    let fetched: FetchedFile | undefined;
    try {
      fetched = isAddress(named) ? await fetchFile(named, options) : undefined;
    } catch (error) {
      if (!(error instanceof AddressProblem)) throw error;
      const { reason, hint } = error;
      found.push(foundProblem(number, { file: label, reason, hint }));
      continue;
    }
    const inspected = await inspectSourceFile({
      path: fetched?.path ?? named,
      label,
      remote: fetched,
      number,
      manifestPlace,
      format: source.format,
      stop: signal,
    });
    if ('problem' in inspected) {
      found.push(foundProblem(number, inspected.problem));
      continue;
    }
    try {
      const onRead = (fraction: number) =>
        report({ stage: 'reading', file: label, fraction: fraction / 2, rows: 0 });
      const listed = await listNamedTables(
        { ...inspected.file, onRead },
        { named: fetched?.address ?? named, reading: source.reading, unpackedBytesMax },
      );
      if ('found' in listed) found.push(listed.found);
      for (const [place, table] of ('tables' in listed ? listed.tables : []).entries()) {
        const own = { ...source, reading: table.reading };
        const file = { ...table.file, number: number + place };
        nextNumber = file.number + 1;
        const copied = await copyAsText(file, { source: own, limits, folder: copies });
        if ('found' in copied) {
          found.push(copied.found);
          continue;
        }
        const result = await format.open({ connection, source: own, file: copied.file, limits });
        const rows = 'found' in result ? result : withNamedColumns(result.rows, table.columns);
        if ('found' in rows) found.push(rows.found);
        else opened.push(rows.rows);
      }
    } catch (error) {
      const broken = brokenGzip(inspected.file, error);
      if (broken === undefined) throw error;
      found.push(broken);
    }
  }
  if (!hasSteps({ source })) {
    const { columnsVary } = format;
    const { hasHeader, skipLines } = source.reading;
    const isTabular = isTable(source.format) && hasHeader;
    const options = { columnsVary, skipLines: isTabular ? skipLines : undefined };
    found.push(...findColumnProblems(fieldColumns(dataset, source), opened, options));
  }
  const error = toImportError(dataset.name, found);
  if (error !== undefined) throw error;
  return opened;
}

function fetchFile(
  address: string,
  { copies, environment = {}, unpackedBytesMax, report, signal }: Import,
): Promise<FetchedFile> {
  const stage = 'fetching';
  report({ stage, file: shownAddress(address), rows: 0 });
  return fetchAddress(address, {
    folder: copies,
    bytesMax: unpackedBytesMax ?? Number.POSITIVE_INFINITY,
    environment,
    onFraction: (fraction) => report({ stage, file: shownAddress(address), fraction, rows: 0 }),
    signal,
  });
}

export function foundError(dataset: Dataset, found: readonly FoundProblems[]): Error {
  return toImportError(dataset.name, found) ?? new Error(`Nothing is wrong in ${dataset.name}.`);
}

/** A file that a step names, and the table that its rows are loaded into. */
export type OpenedLookup = Lookup & { readonly rows: OpenedRows };

/** Looks at the files that steps name. They are read like those of a dataset. */
export async function openLookups(
  options: Import,
  fileCount: number,
): Promise<readonly OpenedLookup[]> {
  const { declared } = options;
  const { dataset, source } = declared;
  const lookups: OpenedLookup[] = [];
  for (const [index, lookup] of source.lookups.entries()) {
    const { format, reading, step, table } = lookup;
    const fields = new Map(lookup.columns.map((column) => [column, { columns: [column] }]));
    const own = {
      files: [lookup.path],
      format,
      fields,
      reading,
      steps: source.steps,
      lookups: [],
      areas: [],
    };
    const [rows] = await openFiles(
      { ...options, declared: { ...declared, source: own } },
      {
        manifestPlace: `datasets.${dataset.name}.${lookup.place}`,
        firstNumber: fileCount + index,
        label: lookup.label,
      },
    );
    if (rows === undefined) throw new Error(`${lookup.label} is not opened.`);
    const { specialColumns } = rows;
    const columns = stepColumns([...rows.columns, ...specialColumns]);
    lookups.push({ step, table, label: rows.file.label, columns, specialColumns, rows });
  }
  return lookups;
}
