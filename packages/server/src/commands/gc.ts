import { defineCommand } from '../cli/define-command.ts';
import { RETENTION_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'remove versions and files that are no longer needed',
  description:
    'Removes versions that are past their retention and that no worker reads. Also removes the files of publishes and workers that were killed. The commands publish, rollback and versions withdraw do this too.',
  examples: {
    'With the retention from the settings': 'gc',
    'Keep only the current versions': 'gc --versions-kept 1 --versions-kept-for 0s',
  },
  settings: RETENTION_SETTINGS,
  arguments: {},
  flags: {
    '--json': 'print what was removed as JSON',
  },
  run: async (output, given) => (await import('./run/gc.ts')).collectGarbageAction(output, given),
});
