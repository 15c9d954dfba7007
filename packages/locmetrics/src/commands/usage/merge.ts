import { defineCommand } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'merge usage records that were left in a data directory',
  description:
    'Merges usage records that were left in the data directory into the usage store, each record once. The service does this every second, so you need the command only for the disk of a node that will not start again. The service may be running.',
  examples: {
    'Merge the records on the disk of another machine': 'usage merge --data /mnt/node-2',
  },
  settings: DATA_SETTINGS,
  arguments: {},
  flags: {
    '--json': 'print the numbers as JSON',
  },
  run: async (output, { settings, json }) => {
    const { openDirectory, usagePlace } = await import('../../compose/open-data.ts');
    const { openUsageStore } = await import('../../compose/open-usage-store.ts');
    const usage = await openUsageStore(usagePlace(openDirectory({ settings, output })));
    try {
      const { records, unreadableLines } = await usage.merge();
      if (json) {
        output.data(jsonLine({ records, unreadableLines }));
        return;
      }
      output.data(`Merged ${records} records.\n`);
      if (unreadableLines > 0) {
        output.messages(
          `${unreadableLines} lines are not records and were skipped; a power failure can leave such lines.\n`,
        );
      }
    } finally {
      await usage.close();
    }
  },
});
