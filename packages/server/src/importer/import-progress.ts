/** How far an import is: `reading` the files, `checking` what was read, `writing` the records. */
export type ImportProgress = {
  readonly stage: 'reading' | 'checking' | 'writing';
  /** The file that is being read. */
  readonly file?: string;
  /** From 0 to 1 within the stage, and within the file while reading; absent where not known. */
  readonly fraction?: number;
  /** Rows read so far, those of the file that is being read not among them. */
  readonly rows: number;
};
