import { crc32 } from 'node:zlib';
import { sizeText } from '@locmetrics/core/errors/size-text';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type { SourceFile } from './source-file.ts';
import { UnreadableText } from './unreadable-text.ts';

/** A zip archive by its directory. */
export type ZipArchive = {
  /** Its files, without folders and without what macOS adds. */
  readonly entries: readonly Entry[];
  /** The decompressed bytes of a file. Its declared size and checksum are compared with them, because it may lie. */
  readonly read: (entry: Entry, onRead?: SourceFile['onRead']) => AsyncGenerator<Buffer>;
  readonly close: () => void;
};

/** How much may be unpacked, and who is told of the progress. */
export type ReadLimits = {
  readonly unpackedBytesMax: number;
  readonly onRead?: SourceFile['onRead'];
};

export async function openZipArchive(
  path: string,
  { unpackedBytesMax }: { readonly unpackedBytesMax: number },
): Promise<ZipArchive> {
  const archive = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(refuse);
  try {
    return {
      entries: await listEntries(archive),
      read: (entry, onRead) => readEntry(archive, entry, { unpackedBytesMax, onRead }),
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
      hint: 'Unpack it, and name the files to read.',
    });
  }
  return entries;
}

const ENTRIES_MAX = 10_000;

async function* readEntry(
  archive: ZipFile,
  entry: Entry,
  { unpackedBytesMax, onRead }: ReadLimits,
): AsyncGenerator<Buffer> {
  if (entry.uncompressedSize > unpackedBytesMax) {
    throw new UnreadableText({
      reason: `has ${entry.fileName} with ${sizeText(entry.uncompressedSize)}, but at most ${sizeText(unpackedBytesMax)} are read`,
      hint: 'Split the file, or raise the limit: --publish-unpacked SIZE.',
    });
  }
  let checksum = 0;
  let bytes = 0;
  try {
    const chunks: AsyncIterable<Buffer> = await archive.openReadStreamPromise(entry);
    for await (const chunk of chunks) {
      checksum = crc32(chunk, checksum);
      bytes += chunk.length;
      onRead?.(bytes / entry.uncompressedSize);
      yield chunk;
    }
  } catch (error) {
    refuse(error);
  }
  if (checksum !== entry.crc32) refuse(new Error(`wrong checksum of ${entry.fileName}`));
}

function refuse(error: unknown): never {
  throw new UnreadableText({
    reason: `cannot be read as a zip archive (${error instanceof Error ? error.message : error})`,
    hint: 'It was cut short or damaged: download or compress it again.',
  });
}
