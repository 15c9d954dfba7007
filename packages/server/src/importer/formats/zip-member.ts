import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { nameHint } from '../../domain/nearest-name.ts';
import { sizeText } from '../../domain/size-text.ts';
import { UnreadableText } from './unreadable-text.ts';

/** One file of a zip archive: its name, and its decompressed bytes. */
export type ZipMember = {
  readonly name: string;
  readonly bytes: () => AsyncGenerator<Buffer>;
  readonly close: () => void;
};

/**
 * Opens the only file of a zip archive, or the one with the given name. Folders, and what macOS adds, do not count.
 * The declared sizes and checksums are compared with the bytes, because an archive may lie about them.
 */
export async function openZipMember(
  path: string,
  name: string | undefined,
  { unpackedBytesMax }: { readonly unpackedBytesMax: number },
): Promise<ZipMember> {
  const archive = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(refuse);
  try {
    const entry = chooseEntry(await listEntries(archive), name);
    if (entry.uncompressedSize > unpackedBytesMax) throw tooLarge(entry, unpackedBytesMax);
    return {
      name: entry.fileName,
      bytes: () => readEntry(archive, entry),
      close: () => archive.close(),
    };
  } catch (error) {
    archive.close();
    throw error;
  }
}

async function listEntries(archive: ZipFile): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName.endsWith('/') || entry.fileName.startsWith('__MACOSX/')) continue;
      entries.push(entry);
      if (entries.length > ENTRIES_MAX) break;
    }
  } catch (error) {
    refuse(error);
  }
  if (entries.length > ENTRIES_MAX) {
    throw new UnreadableText({
      reason: `is a zip archive of more than ${ENTRIES_MAX.toLocaleString('en-US')} files`,
      hint: 'Unpack it, and name the files that are meant.',
    });
  }
  return entries;
}

const ENTRIES_MAX = 10_000;

function chooseEntry(entries: readonly Entry[], name: string | undefined): Entry {
  const names = entries.map(({ fileName }) => fileName);
  if (names.includes('[Content_Types].xml')) {
    throw new UnreadableText({
      reason: 'is an Excel workbook',
      hint: 'Save its sheet as CSV in UTF-8.',
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
            ? `Name the one that is meant: read: { member: ${names[0]} }. It has ${listed}${more}.`
            : nameHint(name, names),
    });
  }
  if (entry.isEncrypted()) {
    throw new UnreadableText({
      reason: 'is a zip archive with a password',
      hint: 'Unpack it, and name the file that was in it.',
    });
  }
  return entry;
}

const LISTED_MAX = 20;

async function* readEntry(archive: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let checksum = 0;
  try {
    const chunks: AsyncIterable<Buffer> = await archive.openReadStreamPromise(entry);
    for await (const chunk of chunks) {
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    refuse(error);
  }
  if (checksum !== entry.crc32) refuse(new Error(`wrong checksum of ${entry.fileName}`));
}

function tooLarge({ fileName, uncompressedSize }: Entry, unpackedBytesMax: number): UnreadableText {
  return new UnreadableText({
    reason: `has ${fileName} with ${sizeText(uncompressedSize)}, but at most ${sizeText(unpackedBytesMax)} are read`,
    hint: 'Split the file, or raise the limit: --publish-unpacked SIZE.',
  });
}

function refuse(error: unknown): never {
  throw new UnreadableText({
    reason: `cannot be read as a zip archive (${error instanceof Error ? error.message : error})`,
    hint: 'It was cut short or damaged: download or compress it again.',
  });
}
