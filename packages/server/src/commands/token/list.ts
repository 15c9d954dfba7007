import { defineCommand } from '../../cli/define-command.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'list tokens, without their text',
  description: 'Lists tokens without their text, with their scopes, state, expiry and last use.',
  examples: {
    All: 'token list',
    'Those of one organisation': 'token list --org somewhere',
  },
  settings: DATA_SETTINGS,
  arguments: { '[org]': 'id of an organisation; default: all' },
  flags: {
    '--org <id>': 'the same as the argument',
    '--json': 'print them as JSON',
  },
  run: async (output, given) => (await import('../run/tokens.ts')).listTokensAction(output, given),
});
