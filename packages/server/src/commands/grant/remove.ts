import { defineCommand } from '../../cli/define-command.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'remove a grant',
  description: 'Removes a grant. The removal takes effect with the next request.',
  examples: {
    'By its id, from the list': 'grant remove 0123456789ab',
  },
  settings: DATA_SETTINGS,
  arguments: { '<grant>': 'id of the grant' },
  flags: {
    '--json': 'print the grant as JSON',
  },
  run: async (output, given) => (await import('../run/grants.ts')).removeGrantAction(output, given),
});
