/**
 * A problem in the files of a dataset.
 *
 * - `file`: the shortest name that distinguishes it from the other files of the dataset.
 * - `line`, `row`, `feature`: the place in the file, counted from 1: the line in formats with lines, the
 *   row in Parquet, the feature in a GeoJSON collection; absent for a problem of the whole file.
 * - `field`: the field, or the fields of a composite key; absent for a problem of the whole row.
 * - `value`: the original text; absent if there is none.
 * - `reason`: continues the sentence that starts with the value, for example `is not true or false`.
 * - `hint`: what to do.
 */
export type RowProblem = {
  readonly file: string;
  readonly line?: number | undefined;
  readonly row?: number | undefined;
  readonly feature?: number | undefined;
  readonly field?: string | undefined;
  readonly value?: string | undefined;
  readonly reason: string;
  readonly hint?: string | undefined;
};

/** The number of problems with one reason in one field. */
export type ProblemCount = {
  readonly field?: string | undefined;
  readonly reason: string;
  readonly count: number;
  /** The number of them among the examples. */
  readonly shown?: number;
};

/** The maximum number of examples in an error. If there are more problems, it has two of each reason. */
export const PROBLEMS_MAX = 20;

/** Files that cannot be imported, with examples of the problems and the count of all. */
export class ImportError extends Error {
  readonly dataset: string;
  /** At most `PROBLEMS_MAX` examples in file order: all problems, or two of each reason while they fit. */
  readonly problems: readonly RowProblem[];
  readonly counts: readonly ProblemCount[];
  readonly total: number;
  /** Whether there may be more than `total`, because counting stopped in a file with broken lines. */
  readonly totalIsLowerBound: boolean;
  readonly rejection: string | undefined;
  /** Advice on all problems together, in addition to the hint of each. */
  readonly hint: string | undefined;

  constructor({
    dataset,
    problems,
    counts,
    totalIsLowerBound = false,
    rejection,
    hint,
  }: {
    readonly dataset: string;
    readonly problems: readonly RowProblem[];
    readonly counts: readonly ProblemCount[];
    readonly totalIsLowerBound?: boolean;
    /** A sentence with the accepted number of rejected rows, if the manifest accepts any. */
    readonly rejection?: string | undefined;
    readonly hint?: string | undefined;
  }) {
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    const text = errorText(problems, counts, total, totalIsLowerBound);
    super(rejection === undefined ? text : `${text}\n${rejection}`);
    this.name = 'ImportError';
    this.dataset = dataset;
    this.problems = problems;
    this.counts = counts;
    this.total = total;
    this.totalIsLowerBound = totalIsLowerBound;
    this.rejection = rejection;
    this.hint = hint;
  }
}

function errorText(
  problems: readonly RowProblem[],
  counts: readonly ProblemCount[],
  total: number,
  totalIsLowerBound: boolean,
): string {
  const lines = problems.map(problemText);
  const hidden = total - problems.length;
  if (hidden <= 0 && !totalIsLowerBound) return lines.join('\n');
  const rest = counts
    .map(({ count, shown = 0, ...kind }) => ({ ...kind, hidden: count - shown }))
    .filter((kind) => kind.hidden > 0 || totalIsLowerBound)
    .map(
      ({ field, reason, hidden: more }) =>
        `… and ${totalIsLowerBound ? 'at least ' : ''}${grouped(more)} more: ${field === undefined ? '' : `${field} `}${reason}.`,
    );
  return [...lines, ...rest].join('\n');
}

/** A problem in one line, with its place. */
export function problemText({ field, value, reason, hint, ...place }: RowProblem): string {
  const sentence = `${value === undefined ? reason : `${shownValue(value)} ${reason}`}.`;
  return [placeText(place), field, hint === undefined ? sentence : `${sentence} ${hint}`]
    .filter((part) => part !== undefined)
    .join(': ');
}

/** The place of a row, such as `places.csv:7`. */
export function placeText({
  file,
  line,
  row,
  feature,
}: Pick<RowProblem, 'file' | 'line' | 'row' | 'feature'>): string {
  if (line !== undefined) return `${file}:${line}`;
  if (row !== undefined) return `${file}, row ${row}`;
  return feature === undefined ? file : `${file}, feature ${feature}`;
}

const SHOWN_CHARACTERS_MAX = 60;

/** A value in quotes, with control characters escaped, and cut if it is too long for a line. */
export function shownValue(value: string): string {
  const characters = Array.from(value.slice(0, 2 * SHOWN_CHARACTERS_MAX + 2));
  if (characters.length <= SHOWN_CHARACTERS_MAX) return `'${escapeControls(value)}'`;
  const cut = escapeControls(characters.slice(0, SHOWN_CHARACTERS_MAX).join(''));
  return `'${cut}…' (${grouped(value.length)} characters)`;
}

/** Escapes control characters as in JSON, because a terminal could interpret them. */
export function escapeControls(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => {
    const named = NAMED_CONTROLS.get(character);
    return named ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

const NAMED_CONTROLS: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
