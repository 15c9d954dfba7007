/** The bounds of exports. */
export type ExportSettings = {
  /** Of all files together. */
  readonly bytesMax: number;
  /** How long the files are kept once they are complete. */
  readonly keepMs: number;
  /** The exports of an organisation that wait or are being written. */
  readonly unfinishedMax: number;
  /** The size of a file. */
  readonly partMaxBytes: number;
};

const MEBIBYTE = 2 ** 20;

/** Parts of 256 MB, and room for metadata. */
export const PART_MAX_BYTES = 240 * MEBIBYTE;
/** The largest number of records of an export. */
export const EXPORT_ROWS_MAX = 100_000_000;
