import { EngineError, shortageOf } from '@locmetrics/column-store/publish/engine-error';
import type { OpenedRows } from '../formats/row-format.ts';

/**
 * Loads the rows of a file. If the engine cannot read them because its lines end in two ways, they are loaded from
 * a copy in the folder, and the rows of the copy are returned with what was loaded.
 */
export async function loadEven<Loaded>(
  rows: OpenedRows,
  folder: string,
  load: (rows: OpenedRows) => Promise<Loaded>,
): Promise<
  { readonly rows: OpenedRows } & ({ readonly loaded: Loaded } | { readonly error: Error })
> {
  const first = await tryLoad(rows, load);
  if ('loaded' in first) return { rows, ...first };
  const even = await rows.readEven?.(folder);
  return even === undefined ? { rows, ...first } : { rows: even, ...(await tryLoad(even, load)) };
}

/** Returns an error of the engine that says something about the file. */
async function tryLoad<Loaded>(
  rows: OpenedRows,
  load: (rows: OpenedRows) => Promise<Loaded>,
): Promise<{ readonly loaded: Loaded } | { readonly error: Error }> {
  try {
    return { loaded: await load(rows) };
  } catch (error) {
    if (!(error instanceof EngineError) || shortageOf(error) !== undefined) throw error;
    return { error };
  }
}
