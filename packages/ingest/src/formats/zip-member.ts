import { nameHint } from '@locmetrics/core/errors/nearest-name';
import type { Entry } from 'yauzl';
import { UnreadableText } from './unreadable-text.ts';
import { openZipArchive, type ReadLimits } from './zip-archive.ts';

/** One file of a zip archive: its name, and its decompressed bytes. */
export type ZipMember = {
  readonly name: string;
  readonly bytes: () => AsyncGenerator<Buffer>;
  readonly close: () => void;
};

/** Opens the only file of a zip archive, or the only one with such a name, or the one with the given name. */
export async function openZipMember(
  path: string,
  name: string | undefined,
  limits: ReadLimits,
  suchNames?: RegExp,
): Promise<ZipMember> {
  const archive = await openZipArchive(path, limits);
  try {
    const such = archive.entries.filter(({ fileName }) => suchNames?.test(fileName));
    const entry = chooseEntry(such.length === 1 ? such : archive.entries, name);
    return {
      name: entry.fileName,
      bytes: () => archive.read(entry, limits.onRead),
      close: archive.close,
    };
  } catch (error) {
    archive.close();
    throw error;
  }
}

function chooseEntry(entries: readonly Entry[], name: string | undefined): Entry {
  const names = entries.map(({ fileName }) => fileName);
  if (names.includes('[Content_Types].xml')) {
    throw new UnreadableText({
      reason: 'is an Excel workbook',
      hint: 'Declare it in the manifest: format: xlsx.',
    });
  }
  if (name === undefined && names.some((one) => /\.shp$/i.test(one))) {
    throw new UnreadableText({
      reason: 'is a zip archive with a shapefile',
      hint: 'Declare it in the manifest: format: shapefile.',
    });
  }
  const entry =
    name === undefined && entries.length === 1
      ? entries[0]
      : entries.find(({ fileName }) => fileName === name);
  if (entry === undefined) {
    const listed = names.slice(0, LISTED_MAX).join(', ');
    const more = names.length > LISTED_MAX ? ` and ${names.length - LISTED_MAX} more` : '';
    throw new UnreadableText({
      reason:
        name === undefined
          ? `is a zip archive of ${names.length.toLocaleString('en-US')} files`
          : `is a zip archive without the file ${name}`,
      hint:
        names.length === 0
          ? 'It is empty.'
          : name === undefined
            ? `Choose one: read: { member: ${names[0]} }. The file has ${listed}${more}.`
            : nameHint(name, names),
    });
  }
  if (entry.isEncrypted()) {
    throw new UnreadableText({
      reason: 'is a zip archive with a password',
      hint: 'Unpack it, and name the file in it.',
    });
  }
  return entry;
}

const LISTED_MAX = 20;
