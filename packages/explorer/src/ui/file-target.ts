import { offerFile } from './save-file.ts';

/** A file that is written piece by piece. It comes into being only when it is finished. */
export type FileTarget = {
  /** Its name, as the reader chose it. */
  readonly name: string;
  readonly write: (piece: Blob) => Promise<void>;
  readonly finish: () => Promise<void>;
  /** Nothing is saved: a new file is removed, and one that was to be replaced stays as it was. */
  readonly discard: () => Promise<void>;
};

export type FileKind = { readonly name: string; readonly extension: string; readonly type: string };

/** A file that is kept in memory until it is finished has at most this size. */
export const MEMORY_BYTES_MAX = 500_000_000;

/** The file has more bytes than the browser may keep in memory. */
export class FileTooLargeError extends Error {}

/** The file could not be written. */
export class WriteError extends Error {}

/**
 * Whether files are written to the disk as they arrive: in browsers that let a page do so, and only if the address of
 * the page is secure.
 */
export function canWriteToDisk(): boolean {
  return globalThis.showSaveFilePicker !== undefined;
}

/**
 * Asks for the place of the file if the browser can write there. Undefined: the reader chose none. If the browser may not
 * write at that place, it throws a `WriteError`.
 */
export async function chooseFileTarget(kind: FileKind): Promise<FileTarget | undefined> {
  if (globalThis.showSaveFilePicker === undefined) return openMemoryTarget(kind);
  const { name, type, extension } = kind;
  try {
    const handle = await globalThis.showSaveFilePicker({
      suggestedName: name,
      types: [{ accept: { [type]: [`.${extension}`] } }],
    });
    return await openDiskTarget(handle);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name === 'AbortError') return undefined;
    throw new WriteError(error.message, { cause: error });
  }
}

/** The browser writes to a file beside it, which replaces it at the end. */
async function openDiskTarget(handle: SaveFileHandle): Promise<FileTarget> {
  // The dialog of the browser creates a new file, which is empty.
  const isNew = (await handle.getFile()).size === 0;
  const stream = await handle.createWritable();
  return {
    name: handle.name,
    write: (piece) => stream.write(piece),
    finish: () => stream.close(),
    async discard() {
      await stream.abort();
      if (isNew) await handle.remove?.();
    },
  };
}

function openMemoryTarget({ name, type }: FileKind): FileTarget {
  let pieces: Blob[] = [];
  let bytes = 0;
  return {
    name,
    async write(piece) {
      bytes += piece.size;
      if (bytes > MEMORY_BYTES_MAX) throw new FileTooLargeError();
      pieces.push(piece);
    },
    finish: async () => offerFile(name, new Blob(pieces, { type })),
    async discard() {
      pieces = [];
    },
  };
}

// Chromium has both, and the types of the DOM have neither.
type SaveFileHandle = FileSystemFileHandle & { readonly remove?: () => Promise<void> };

declare global {
  // A global that a browser may not have.
  var showSaveFilePicker:
    | ((options: {
        readonly suggestedName: string;
        readonly types: readonly { readonly accept: Readonly<Record<string, readonly string[]>> }[];
      }) => Promise<SaveFileHandle>)
    | undefined;
}
