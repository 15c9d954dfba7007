import { open } from 'node:fs/promises';
import type { NamedColumn } from '@locmetrics/core/domain/value-visitor';
import { releaseBuffer } from '@locmetrics/core/encoding/buffer-pool';
import type { RecordLineFormat } from '@locmetrics/core/encoding/record-lines';
import type { ExportPart } from './open-parts.ts';

/** Opens a file of lines, with the head and the tail of its format. */
export async function openLinePart(
  path: string,
  {
    columns,
    encoding: { head, lines, tail },
    bytesMax,
  }: {
    readonly columns: readonly NamedColumn[];
    readonly encoding: RecordLineFormat;
    readonly bytesMax: number;
  },
): Promise<ExportPart> {
  const handle = await open(path, 'wx', 0o600);
  let bytes = 0;
  let rows = 0;
  const write = async (more: Uint8Array): Promise<void> => {
    await handle.writeFile(more);
    bytes += more.length;
  };
  await write(head(columns)).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  return {
    add: async (piece) => {
      const encoded = 'bytes' in piece ? piece.bytes : await lines(columns, piece, rows === 0);
      try {
        if (rows > 0 && bytes + encoded.length + tail.length > bytesMax) return false;
        await write(encoded);
        rows += piece.size;
        return true;
      } finally {
        releaseBuffer(encoded);
      }
    },
    bytes: () => bytes,
    finish: async () => {
      await write(Buffer.from(tail));
      await handle.sync();
      await handle.close();
      return bytes;
    },
    close: () => handle.close(),
  };
}
