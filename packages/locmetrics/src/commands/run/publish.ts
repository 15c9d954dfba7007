import type { Run } from '../../cli/define-command.ts';
import { prepareNotification } from '../../compose/notify-webhook.ts';
import { findDataDirectory } from '../../compose/open-data.ts';
import { notRemovedText } from '../../compose/with-switching.ts';
import { withVersions } from '../../compose/with-versions.ts';
import { checkAction } from './check.ts';
import { type PublishGiven, runPublish } from './run-publish.ts';
import { printPublished, showPublished } from './show-published.ts';

export const publishAction: Run<PublishGiven> = async (output, given) => {
  // A dry run is a check.
  if (given.dryRun === true) return checkAction(output, given);
  const { settings, json, manifest, datasets, ...flags } = given;
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
