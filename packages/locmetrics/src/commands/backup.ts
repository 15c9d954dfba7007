import { defineCommand } from '../cli/define-command.ts';
import { DATA_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'copy organisations, tokens, grants and usage',
  description:
    'Copies control.sqlite and usage.sqlite, with everything recorded until now. The service may be running. The copies are consistent, and only their owner can read them. Existing copies are replaced. Versions and current.json are copied as files: see docs/how-to/back-up-and-restore.md.',
  examples: {
    'Copy to a directory': 'backup /var/backups/locmetrics',
  },
  settings: DATA_SETTINGS,
  arguments: { '<directory>': 'directory for the copies; created if it does not exist' },
  flags: {
    '--json': 'print the written files as JSON',
  },
  run: async (output, given) => (await import('./run/backup.ts')).backUpAction(output, given),
});
