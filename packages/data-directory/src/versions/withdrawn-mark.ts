import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIfPresent } from './version-file.ts';

export const WITHDRAWN_FILE = 'withdrawn';

export function withdrawnText(time: string): string {
  return `${time}\n`;
}

/**
 * Marks the folder of a version as withdrawn until it is removed, so that a rebuild of a lost
 * `current.json` does not make the version available again. The withdrawal is valid without the mark, so
 * a full disk or a missing folder is not an error.
 */
export function markWithdrawn(folder: string, time: string): void {
  try {
    writeFileSync(join(folder, WITHDRAWN_FILE), withdrawnText(time));
  } catch {
    // The folder is removed as soon as no request uses it.
  }
}

/** When the version in a folder was withdrawn (RFC 3339, UTC); undefined if it was not. */
export function readWithdrawnMark(folder: string): string | undefined {
  const path = join(folder, WITHDRAWN_FILE);
  const text = readIfPresent(path)?.trim();
  if (text === undefined) return undefined;
  // A truncated mark still marks a withdrawal.
  const time = Number.isNaN(Date.parse(text)) ? statSync(path).mtime : new Date(text);
  return time.toISOString();
}
