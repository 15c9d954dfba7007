import { createHash } from 'node:crypto';
import { DataDirectoryError } from './data-directory-error.ts';
import { parseFormat } from './parse-format.ts';

/** JSON that tells whether it is still what was written: it has a checksum of the rest of it. */
export function sealedText(value: object): string {
  return `${JSON.stringify({ ...value, sha256: checksumOf(value) }, null, 2)}\n`;
}

/** Reads it without its checksum. Earlier releases wrote none. */
export function readSealed(
  text: string,
  options: {
    readonly path: string;
    readonly hint: string;
    readonly formats?: readonly number[];
    /** From this format on it has one. */
    readonly sealedFrom?: number;
  },
): object {
  const written: { readonly sha256?: unknown; readonly format?: unknown } = parseFormat(
    text,
    options,
  );
  const { sha256, ...value } = written;
  const isSealed = Number(value.format) >= (options.sealedFrom ?? Number.POSITIVE_INFINITY);
  if (sha256 === checksumOf(value) || (sha256 === undefined && !isSealed)) return value;
  throw new DataDirectoryError(
    `${options.path} is damaged: it does not have the content with which it was written.`,
    options.hint,
  );
}

/** Of the members in the order in which they are written, which reading keeps. */
function checksumOf(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
