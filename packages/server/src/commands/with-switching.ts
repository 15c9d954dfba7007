import type { Config } from '../config/settings.ts';
import { collectGarbage } from '../versions/collect-garbage.ts';
import type { DataDirectory } from '../versions/data-directory.ts';
import { prepareNotification } from './notify-webhook.ts';
import { openDirectory, type StoreOptions } from './open-data.ts';

/**
 * Switches versions of an existing data directory, notifies the webhook, and removes versions past their
 * retention. If one of the last two fails, the switch still counts.
 */
export async function withSwitching<Result>(
  options: StoreOptions,
  work: (data: { readonly directory: DataDirectory; readonly config: Config }) => Promise<Result>,
  /** Prints the result, before waiting for a webhook that does not answer. */
  print: (result: Result) => void,
): Promise<void> {
  const { directory, config } = openDirectory(options);
  const notify = await prepareNotification({ config, directory, output: options.output });
  const result = await work({ directory, config });
  try {
    await collectGarbage(directory, { retention: retentionOf(config), now: Date.now() });
  } catch (error) {
    options.output.messages(notRemovedText(error));
  }
  print(result);
  await notify();
}

export function retentionOf({ versionsKept, versionsKeptForMs }: Config) {
  return { versions: versionsKept, milliseconds: versionsKeptForMs };
}

/** The message if old versions could not be removed. */
export function notRemovedText(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `Old versions could not be removed: ${reason}\nTry again: locmetrics gc\n`;
}
