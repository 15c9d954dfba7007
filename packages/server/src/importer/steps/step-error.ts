/** A step or an expression that cannot be run. */
export class StepError extends Error {
  /** The place in the dataset's part of the manifest, for example `rows[0].where`. */
  readonly place: string;
  readonly reason: string;
  readonly hint: string | undefined;
  /** The number of the row of the files that it fails for, if it is one. */
  readonly row: number | undefined;

  constructor(
    place: string,
    {
      reason,
      hint,
      row,
      cause,
    }: {
      readonly reason: string;
      readonly hint?: string | undefined;
      readonly row?: number | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(`${place}: ${reason}`, { cause });
    this.name = 'StepError';
    this.place = place;
    this.reason = reason;
    this.hint = hint;
    this.row = row;
  }
}
