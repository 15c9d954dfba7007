import { collectGarbage } from '../catalog/collect-garbage.ts';
import type { DataDirectory } from '../catalog/data-directory.ts';
import type { Config } from '../config/settings.ts';
import { openDirectory, type StoreOptions } from './open-data.ts';

/**
 * Runs what switches versions of an existing data directory, and then removes those that need not be
 * kept any more; where that fails, the switch is done all the same.
 */
export async function withSwitching<Result>(
  options: StoreOptions,
  work: (data: { readonly directory: DataDirectory; readonly config: Config }) => Promise<Result>,
): Promise<Result> {
  const { directory, config } = openDirectory(options);
  const result = await work({ directory, config });
  try {
    await collectGarbage(directory, { retention: retentionOf(config), now: Date.now() });
  } catch (error) {
    options.output.messages(notRemovedText(error));
  }
  return result;
}

export function retentionOf({ versionsKept, versionsKeptForMs }: Config) {
  return { versions: versionsKept, milliseconds: versionsKeptForMs };
}

/** What to say where old versions could not be removed. */
export function notRemovedText(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `Old versions could not be removed: ${reason}\nTry again: locmetrics gc\n`;
}
