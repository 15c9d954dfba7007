import type { Report } from './manifest-report.ts';
import type { DatasetDocument } from './manifest-schema.ts';
import type { Join } from './row-steps.ts';

type JoinDocument = NonNullable<NonNullable<DatasetDocument['rows']>[number]['join']>;

/** The join of another file, without the file itself. */
export function readJoin(
  { on: written, pad, columns, unmatched = 'keep' }: JoinDocument,
  at: readonly string[],
  report: Report,
): Join {
  const on = readNames(written);
  const digits = typeof pad === 'number' ? [pad] : pad;
  if (digits !== undefined && digits.length !== on.length) {
    report(
      [...at, 'pad'],
      `The key has ${on.length === 1 ? 'one column' : `${on.length} columns`}, and pad ${digits.length === 1 ? 'one number' : `${digits.length} numbers`} of digits.`,
      'Write a number of digits for each column of the key: pad: [2, 3].',
    );
  }
  return {
    on,
    ...(digits === undefined ? {} : { pad: digits }),
    ...(columns === undefined ? {} : { columns: readNames(columns) }),
    unmatched,
  };
}

/** A list of names that stay, or new names with the columns of the file. */
function readNames(names: readonly string[] | Readonly<Record<string, string>>): Join['on'] {
  return isList(names)
    ? names.map((name) => ({ name, fileColumn: name }))
    : Object.entries(names).map(([name, fileColumn]) => ({ name, fileColumn }));
}

/** Unlike `Array.isArray`, it knows readonly lists. */
function isList(
  names: readonly string[] | Readonly<Record<string, string>>,
): names is readonly string[] {
  return Array.isArray(names);
}
