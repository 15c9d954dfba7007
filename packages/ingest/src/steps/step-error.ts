/** A step or an expression that cannot be run. */
export class StepError extends Error {
  /** The place in the dataset's part of the manifest. */
  readonly keys: readonly string[];
  readonly reason: string;
  readonly hint: string | undefined;
  /** The rows that it fails for, if it is about some. */
  readonly rows: readonly StepRow[];
  /** The number of all such rows. */
  readonly count: number;
  /** The line of the text at the place that it is about, from 1. */
  readonly textLine: number;

  constructor(
    keys: readonly string[],
    {
      reason,
      hint,
      rows = [],
      count = Math.max(1, rows.length),
      textLine = 1,
      cause,
    }: {
      readonly reason: string;
      readonly hint?: string | undefined;
      readonly rows?: readonly StepRow[];
      readonly count?: number;
      readonly textLine?: number;
      readonly cause?: unknown;
    },
  ) {
    super(`${placeText(keys)}: ${reason}`, { cause });
    this.name = 'StepError';
    this.keys = keys;
    this.reason = reason;
    this.hint = hint;
    this.rows = rows;
    this.count = count;
    this.textLine = textLine;
  }
}

/** A row that a step fails for. */
export type StepRow = {
  /** The table of the file that the step names; absent: it is a row of the dataset. */
  readonly table?: string;
  /** The step that made the rows, if it was one with SQL: then the number is that among its rows. */
  readonly origin?: string | undefined;
  readonly row: number;
  readonly value?: string | undefined;
  /** The row that it repeats. */
  readonly earlierRow?: number;
};

/** A place as it is shown, for example `rows[0].where`. */
export function placeText([first = '', ...rest]: readonly string[]): string {
  return rest.reduce(
    (text, key, index) => (first === 'rows' && index === 0 ? `${text}[${key}]` : `${text}.${key}`),
    first,
  );
}
