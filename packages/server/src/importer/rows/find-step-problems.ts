import type { DeclaredDataset } from '../../manifest/manifest.ts';
import { type Example, type FoundProblems, foundProblem } from '../problems/found-problems.ts';
import { placeText, type StepError, type StepRow } from '../steps/step-error.ts';
import {
  locateFileRows,
  type Place,
  placeInResult,
  repeatedReason,
  type StagedFile,
} from './find-row-problems.ts';

type Tables = ReadonlyMap<string, { readonly file: StagedFile }>;

/** The rows for which a step fails, with their places; or else its place in the manifest. */
export async function findStepProblems(
  error: StepError,
  {
    declared,
    files,
    tables,
  }: {
    readonly declared: DeclaredDataset;
    readonly files: readonly StagedFile[];
    /** The files that steps name, by table. */
    readonly tables: Tables;
  },
): Promise<FoundProblems> {
  const { reason, hint } = error;
  const field = placeText(error.keys);
  const examples: Example[] = [];
  for (const row of error.rows) {
    const [found, earlier] = [
      await placeOf(row, row.row, files, tables),
      row.earlierRow === undefined ? undefined : await placeOf(row, row.earlierRow, files, tables),
    ];
    if (found === undefined) continue;
    examples.push({
      problem: {
        file: found.file.label,
        ...found.place,
        field,
        value: row.value,
        reason: repeatedReason(earlier, found.file) ?? reason,
        hint,
      },
      countedReason: reason,
      fileNumber: found.file.number,
      position: found.place.line ?? found.place.row ?? row.row,
    });
  }
  if (examples.length > 0) return { examples, counts: [{ field, reason, count: error.count }] };
  const written = declared.lineOf?.(error.keys);
  const line =
    written === undefined || !written.isBlock ? written?.line : written.line + error.textLine;
  return foundProblem(0, {
    file: written?.file ?? files[0]?.rows.file.label ?? '',
    line,
    field: `datasets.${declared.dataset.name}.${field}`,
    reason,
    hint,
  });
}

async function placeOf(
  { table, origin }: StepRow,
  row: number,
  files: readonly StagedFile[],
  tables: Tables,
): Promise<Place | undefined> {
  if (origin !== undefined) return placeInResult(origin, row);
  const file = table === undefined ? undefined : tables.get(table)?.file;
  const located = await locateFileRows(file === undefined ? files : [file], [row]);
  return located.get(row);
}
