import { DataDirectoryError } from './data-directory-error.ts';

/** Parses JSON that a release of locmetrics wrote, in a known format; `path` is for messages. */
export function parseFormat(
  text: string,
  {
    path,
    hint,
    formats = [1],
  }: { readonly path: string; readonly hint: string; readonly formats?: readonly number[] },
): object {
  const damaged = (cause?: unknown): DataDirectoryError =>
    new DataDirectoryError(`${path} is damaged: locmetrics did not write this content.`, hint, {
      cause,
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(error);
  }
  if (typeof value !== 'object' || value === null || !('format' in value)) throw damaged();
  if (typeof value.format !== 'number') throw damaged();
  if (formats.includes(value.format)) return value;
  throw new NewerFormatError(
    `${path} has the format ${value.format}: it was written by a newer version of locmetrics.`,
    'Run that version, or name another directory with --data.',
  );
}

/** The file is not damaged, but this release cannot parse it. */
export class NewerFormatError extends DataDirectoryError {}
