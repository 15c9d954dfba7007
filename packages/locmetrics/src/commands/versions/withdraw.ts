import { defineCommand } from '../../cli/define-command.ts';
import { ACCEPT_GRANT_LOSSES } from '../common-flags.ts';
import { SWITCH_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'withdraw a version permanently',
  description:
    'Withdraws a version. From the next request on, it cannot be queried, and its page tokens are refused with PAGE_TOKEN_EXPIRED. Its data is deleted once no request reads it. If it is the current version, the previous one becomes current in the same step. Versions that were made from it with --append or --replace-period contain its rows: they are listed, and stay. A withdrawal cannot be undone.',
  examples: {
    'Withdraw a version by its name, which locmetrics versions shows':
      'versions withdraw 20260102T030405678Z-0123456789ab',
  },
  settings: SWITCH_SETTINGS,
  arguments: { '<version>': 'name of a version of a dataset, from the list' },
  flags: {
    '--accept-grant-losses': ACCEPT_GRANT_LOSSES,
    '--json': 'print the new current versions as JSON',
  },
  run: async (output, given) =>
    (await import('../run/withdraw-version.ts')).withdrawVersionAction(output, given),
});
