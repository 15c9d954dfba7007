import { type DraftDataset, type DraftOptions, draftDataset } from './draft-dataset.ts';
import type { InspectedFile } from './files/inspect-file.ts';
import { EVENT_NAME } from './keys/draft-period.ts';
import { type FoundNames, findNames } from './values/name-column.ts';
import { TIME_NAME } from './values/period-of-file.ts';

/** Drafts files, with a column of the periods in their names if the rows have none. */
export async function draftNamed(
  files: readonly InspectedFile[],
  options: DraftOptions,
): Promise<{ readonly dataset: DraftDataset; readonly files: readonly InspectedFile[] }> {
  const names = findNames(files);
  if (names?.of === 'sheet') return draftWith(names, files, options);
  const dataset = await draftDataset(files, options);
  if (names === undefined) return { dataset, files };
  const fields = dataset.fields.filter(({ name }) => !EVENT_NAME.test(name));
  if (fields.some(({ document }) => document.type === 'date')) return { dataset, files };
  const { repeatedCount, conflictCount } = dataset.key;
  // A month without a year, or a time that is not read.
  const hasPart = fields.some(({ name }) => TIME_NAME.test(name));
  // Each file has the same rows again.
  const areCopies = !hasPart && repeatedCount > 0 && conflictCount === 0;
  if (areCopies || (hasPart && repeatedCount === 0)) return { dataset, files };
  const other = await draftWith(names, files, options);
  return hasPart && other.dataset.key.repeatedCount > 0 ? { dataset, files } : other;
}

async function draftWith(
  { of, column, periods }: FoundNames,
  files: readonly InspectedFile[],
  options: DraftOptions,
): ReturnType<typeof draftNamed> {
  const key = of === 'file' ? 'fileName' : 'sheetName';
  const taken = files
    .flatMap(({ headerNames = [] }) => headerNames)
    .map((one) => one.toLowerCase());
  const name = [column.column, `${of}_${column.column}`].find((one) => !taken.includes(one));
  const own = { ...column, column: name ?? `name_of_${of}` };
  const [first = '', ...others] = periods;
  const last = others.at(-1);
  const shown = others.length < 3 ? periods.join(', ') : `${first} to ${last}`;
  const doubt =
    of === 'file'
      ? `The rows have no period, so it is that in the names of the files: ${shown}. If that is when they were written, leave this out.`
      : `The sheets have the same columns, so they are one dataset, with the period in their names: ${shown}. If they are no periods, make a dataset of each sheet.`;
  const withNames = files.map((seen) => ({
    ...seen,
    reading: { ...seen.reading, [key]: own },
    doubts: new Map([
      ...[...seen.doubts].filter(([about]) => of === 'file' || about !== 'sheet'),
      [`${of}_name`, [...((of === 'sheet' && seen.doubts.get('sheet')) || []), doubt]] as const,
    ]),
  }));
  return { dataset: await draftDataset(withNames, options), files: withNames };
}
