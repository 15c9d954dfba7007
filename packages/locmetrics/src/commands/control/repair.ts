import { defineCommand } from '../../cli/define-command.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'restore damaged rows of the control store from a backup',
  description:
    'Restores the rows that decide rights and are damaged (locmetrics verify lists them) from a backup that locmetrics backup made. All other rows stay as they are. A row that was changed after the backup is not restored, because a revoked token would work again. The service may run.',
  examples: {
    'From the last backup': 'control repair /var/backups/locmetrics',
  },
  settings: DATA_SETTINGS,
  arguments: { '<backup>': 'directory of a backup, or its control.sqlite' },
  flags: {
    '--json': 'print the rows as JSON',
  },
  run: async (output, given) =>
    (await import('../run/repair-control.ts')).repairControlAction(output, given),
});
