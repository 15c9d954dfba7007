import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '@locmetrics/ingest/manifest/manifest';
import { ManifestError } from '@locmetrics/ingest/manifest/manifest-error';
import { readManifest } from '@locmetrics/ingest/manifest/read-manifest';
import { beforeAll } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Reads manifests from a folder that exists while the tests of the file run. */
export function useManifests() {
  let folder = '';
  beforeAll(async () => {
    folder = temporaryFolder();
  });
  const read = async (text: string): Promise<Manifest> => {
    const path = join(folder, 'locmetrics.yaml');
    await writeFile(path, text);
    return readManifest(path);
  };
  return {
    folder: () => folder,
    read,
    /** The problems, one per line, as the command line shows them. */
    problems: async (text: string): Promise<string> => {
      const error = await read(text).catch((thrown: unknown) => thrown);
      if (!(error instanceof ManifestError)) throw new Error('The manifest was not refused.');
      return error.message.replaceAll(folder, '');
    },
  };
}

/** The text with parts of it replaced. Each part must occur in it. */
export function replaceParts(
  text: string,
  parts: readonly (readonly [part: string, replacement: string])[],
): string {
  return parts.reduce((changed, [part, replacement]) => {
    if (!changed.includes(part)) throw new Error(`The manifest has no '${part}'.`);
    return changed.replace(part, replacement);
  }, text);
}
