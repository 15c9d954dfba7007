import type { Download, StreamFormat } from '@locmetrics/client';
import type { Row } from './save-formats.ts';

/** A result that can be saved as a whole. */
export type WholeResult<Format extends StreamFormat> = {
  /** What a row is: record, value. */
  readonly noun: string;
  /** The name of its file, without its end. */
  readonly name: string;
  readonly formats: readonly Format[];
  /** Some of its rows, from which the size is estimated. */
  readonly sample: readonly Row[];
  readonly download: (format: Format, signal: AbortSignal) => Promise<Download>;
};
