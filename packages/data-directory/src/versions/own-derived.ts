import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { replaceDurably } from '../files/durable-file.ts';
import { readSealed, sealedText } from '../files/sealed-json.ts';
import { readIfPresent, type VersionFile } from './version-file.ts';

/**
 * The summaries of the derived files that this machine made itself. Their bytes can differ from the published ones, whose
 * summaries are in the description of the version, which all nodes share. Absent where they are the published ones.
 */
const OWN_DERIVED_FILE = 'own-derived.json';

type Summaries = VersionFile['files'];

/** The derived files of a version, as they should be in its folder. */
export function readDerived(folder: string, { derived = {} }: VersionFile): Summaries {
  const path = join(folder, OWN_DERIVED_FILE);
  const text = readIfPresent(path);
  if (text === undefined) return derived;
  try {
    const own = readSealed(text, { path, hint: '' }) as { readonly derived?: Summaries };
    return own.derived ?? derived;
  } catch (error) {
    // The files of a damaged one are then not as published, so they are not used.
    if (error instanceof DataDirectoryError) return derived;
    throw error;
  }
}

export function writeOwnDerived(folder: string, derived: Summaries): Promise<void> {
  return replaceDurably(join(folder, OWN_DERIVED_FILE), sealedText({ format: 1, derived }));
}

/** The derived files are those of the description again. */
export function removeOwnDerived(folder: string): Promise<void> {
  return rm(join(folder, OWN_DERIVED_FILE), { force: true });
}
