import { defineCommand } from '../../cli/define-command.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'restore damaged rows of the control store from a backup',
  description:
    'Restores damaged rows that decide rights (locmetrics verify lists them) from a backup made by locmetrics backup. All other rows stay unchanged. A row that changed after the backup is not restored, because a revoked token would work again. The service may be running.',
  examples: {
    'Restore damaged rows from the last backup': 'control repair /var/backups/locmetrics',
  },
  settings: DATA_SETTINGS,
  arguments: { '<backup>': 'directory of a backup, or its control.sqlite' },
  flags: {
    '--json': 'print the rows as JSON',
  },
  run: async (output, given) =>
    (await import('../run/repair-control.ts')).repairControlAction(output, given),
});
