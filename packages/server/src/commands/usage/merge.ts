import { defineCommand } from '../../cli/define-command.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'merge what was recorded in a data directory',
  description:
    'Merges the usage that waits in the data directory into the store of usage, each record once, as the service does each second. Use it for the disk of a node that does not start again. The service may be running.',
  examples: {
    'From the disk of another machine': 'usage merge --data /mnt/node-2',
  },
  settings: DATA_SETTINGS,
  arguments: {},
  flags: {
    '--json': 'print the numbers as JSON',
  },
  run: async (output, given) =>
    (await import('../run/merge-usage.ts')).mergeUsageAction(output, given),
});
