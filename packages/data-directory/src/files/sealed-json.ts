import { createHash } from 'node:crypto';
import { DataDirectoryError } from './data-directory-error.ts';
import { parseFormat } from './parse-format.ts';

/** JSON with a checksum of its other members, so that damage is detected. */
export function sealedText(value: object): string {
  return `${JSON.stringify({ ...value, sha256: checksumOf(value) }, null, 2)}\n`;
}

/** Parses sealed JSON and checks its checksum. Earlier releases wrote none. */
export function readSealed(
  text: string,
  options: {
    readonly path: string;
    readonly hint: string;
    readonly formats?: readonly number[];
    /** The first format with a checksum. */
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

/** The checksum of the members in their written order, which parsing preserves. */
function checksumOf(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
