import { defineCommand } from '../cli/define-command.ts';
import { ACCEPT_GRANT_LOSSES } from './common-flags.ts';
import { SWITCH_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'switch back to an earlier version',
  description:
    'Switches a dataset to a kept version, by default the one that was current before. Versions that you have already rolled back from are skipped. The switch takes effect with the next request. Running requests finish on the version with which they started, and so do callers who are reading pages.',
  examples: {
    'Switch to the version that was current before': 'rollback cafes.places',
    'Switch to any kept version, even a newer one':
      'rollback cafes.places 20260102T030405678Z-0123456789ab',
    'Also roll back all datasets that were published together with this one':
      'rollback cafes.places --together',
  },
  settings: SWITCH_SETTINGS,
  arguments: {
    '<dataset>': 'name of the dataset',
    '[version]': 'version to switch to; default: the one that was current before',
  },
  flags: {
    '--together': 'also roll back the datasets that were published with this one',
    '--accept-grant-losses': ACCEPT_GRANT_LOSSES,
    '--json': 'print the new current versions as JSON',
  },
  run: async (output, given) => (await import('./run/rollback.ts')).rollBackAction(output, given),
});
