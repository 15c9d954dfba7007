import { openZipArchive } from '@locmetrics/ingest/formats/zip-archive';

/** The files of a zip archive by name. */
export async function unzip(path: string): Promise<Readonly<Record<string, Buffer>>> {
  const archive = await openZipArchive(path, { unpackedBytesMax: 1e6 });
  const files: Record<string, Buffer> = {};
  for (const entry of archive.entries) {
    const chunks: Buffer[] = [];
    for await (const chunk of archive.read(entry)) chunks.push(chunk);
    files[entry.fileName] = Buffer.concat(chunks);
  }
  archive.close();
  return files;
}
