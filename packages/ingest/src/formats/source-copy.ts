import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openChunks, type SourceFile } from './source-file.ts';

/** Writes a text into a new file of the folder, which is made if it does not exist. */
export async function writeText(
  text: AsyncIterable<Buffer | string>,
  folder: string,
): Promise<Pick<SourceFile, 'path' | 'bytes' | 'modifiedMs'>> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  await pipeline(Readable.from(text, { objectMode: true }), createWriteStream(path));
  const { size: bytes, mtimeMs: modifiedMs } = await stat(path);
  return { path, bytes, modifiedMs };
}

/** The file itself, as it is recorded with its version instead of a copy. */
export async function describeOriginal(
  file: SourceFile,
): Promise<NonNullable<SourceFile['original']>> {
  const { path, bytes, modifiedMs } = file;
  return { path, bytes, modifiedMs, sha256: await digestFile(file) };
}

async function digestFile(file: SourceFile): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of openChunks(file)) hash.update(chunk);
  return hash.digest('hex');
}
