import type { Action } from '../cli/program.ts';
import { prepareNotification } from '../compose/notify-webhook.ts';
import { findDataDirectory } from '../compose/open-data.ts';
import { notRemovedText } from '../compose/with-switching.ts';
import { withVersions } from '../compose/with-versions.ts';
import { checkAction } from './check.ts';
import { runPublish } from './run-publish.ts';
import { printPublished, showPublished } from './show-published.ts';

export const publishAction: Action<'publish'> = async (output, manifest, datasets, flags) => {
  // A dry run is a check.
  if (flags.dryRun === true) return checkAction(output, manifest, datasets, flags);
  const { settings, json } = flags;
  const opened = findDataDirectory({ settings, output });
  await withVersions(opened, async ({ delivery }) => {
    const notifyWebhook = await prepareNotification({ ...opened, delivery, output });
    const published = await runPublish(output, { ...opened, manifest, datasets, flags });
    if (published.notRemoved !== undefined) output.messages(notRemovedText(published.notRemoved));
    if (json) printPublished(output, published, { dryRun: false });
    else showPublished(output, published, { isDryRun: false });
    await notifyWebhook();
  });
};
