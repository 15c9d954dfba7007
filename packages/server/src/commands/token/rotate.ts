import { defineCommand } from '../../cli/define-command.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'replace a token by a new one',
  description:
    'Creates a new token with the same organisation, name and scopes, and prints it once. Both tokens work during the overlap; then the old one expires. If the old token had an expiry, the new one gets the same lifetime.',
  examples: {
    'With a day to replace it everywhere': 'token rotate 0123456789ab',
    'Immediately, after a leak': 'token rotate 0123456789ab --overlap 0s',
  },
  settings: DATA_SETTINGS,
  arguments: { '<token>': 'id of the token, or its text' },
  flags: {
    '--overlap <duration>': 'how long the old token still works, such as 7d or 0s; default: 24h',
    '--json': 'print the new token and the expiry of both as JSON',
  },
  run: async (output, given) => (await import('../run/tokens.ts')).rotateTokenAction(output, given),
});
