import { collectGarbage } from '@locmetrics/data-directory/versions/collect-garbage';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import type { VersionDatabase } from '@locmetrics/data-directory/versions/version-database';
import type { VersionStore } from '@locmetrics/data-directory/versions/version-store';
import type { Config } from '../config/settings.ts';
import { prepareNotification } from './notify-webhook.ts';
import { openDirectory, type StoreOptions } from './open-data.ts';
import { recordBuild } from './store-build.ts';
import { retentionOf, withVersions } from './with-versions.ts';

/**
 * Switches versions of an existing data directory, notifies the webhook, and removes versions past their
 * retention. If one of the last two fails, the switch still counts.
 */
export async function withSwitching<Result>(
  options: StoreOptions,
  work: (data: {
    readonly directory: DataDirectory;
    readonly config: Config;
    readonly store: VersionStore;
    readonly database: VersionDatabase | undefined;
  }) => Promise<Result>,
  /** Prints the result, before waiting for a webhook that does not answer. */
  print: (result: Result) => void,
): Promise<void> {
  const opened = openDirectory(options);
  recordBuild(opened.directory);
  const { directory, config } = opened;
  await withVersions(opened, async ({ store, delivery }, database) => {
    const { output } = options;
    const notify = await prepareNotification({ config, directory, delivery, output });
    const done = await work({ directory, config, store, database });
    try {
      await collectGarbage(store, { retention: retentionOf(config), now: Date.now() });
    } catch (error) {
      output.messages(notRemovedText(error));
    }
    print(done);
    await notify();
  });
}

/** The message if old versions could not be removed. */
export function notRemovedText(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `Old versions could not be removed: ${reason}\nTry again: locmetrics gc\n`;
}
