import { defineCommand } from '../cli/define-command.ts';
import { ACCEPT_GRANT_LOSSES } from './common-flags.ts';
import { SWITCH_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'switch back to an earlier version',
  description:
    'Switches a dataset to a kept version, by default the one that was current before. It skips versions that were rolled back themselves. The switch takes effect with the next request. Running requests, and paging that has started, finish on their version.',
  examples: {
    'To the version before': 'rollback cafes.places',
    'To a version from the list, which can also be a newer one':
      'rollback cafes.places 20260102T030405678Z-0123456789ab',
    'Together with all datasets that were published with it': 'rollback cafes.places --together',
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
