import type { Run } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { openDirectory, usagePlace } from '../../compose/open-data.ts';
import { openUsageStore } from '../../metering/open-usage-store.ts';

/** Merges what waits in a data directory, for example on the disk of a node that does not start again. */
export const mergeUsageAction: Run = async (output, { settings, json }) => {
  const usage = openUsageStore(usagePlace(openDirectory({ settings, output })));
  try {
    const { records, unreadableLines } = await usage.merge();
    if (json) {
      output.data(jsonLine({ records, unreadableLines }));
      return;
    }
    output.data(`Merged ${records} records.\n`);
    if (unreadableLines > 0) {
      output.messages(
        `${unreadableLines} lines are not records; a power failure can leave them.\n`,
      );
    }
  } finally {
    await usage.close();
  }
};
