import { defineCommand } from '../../cli/define-command.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'revoke a token',
  description: 'Revokes a token, by its id or its text. It stops working with the next request.',
  examples: {
    'By its id, from the list': 'token revoke 0123456789ab',
  },
  settings: DATA_SETTINGS,
  arguments: { '<token>': 'id of the token, or its text' },
  flags: {
    '--json': 'print the id and the time of the revocation as JSON',
  },
  run: async (output, given) => (await import('../run/tokens.ts')).revokeTokenAction(output, given),
});
