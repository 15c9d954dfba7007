import { defineCommand } from '../../cli/define-command.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';
import { SCOPES_FLAG } from '../shared-flags.ts';

export const command = defineCommand({
  summary: 'create a token',
  description:
    'Creates a token and prints it once: only its hash is stored. It works immediately, without a restart.',
  examples: {
    'Valid for 90 days': 'token create --org somewhere --name reports --expires 90d',
    'For Prometheus, which scrapes the metrics from another machine':
      'token create --org operations --name prometheus --scope operate',
    'Save it for a script': 'token create --org somewhere --name reports > token.txt',
  },
  settings: DATA_SETTINGS,
  arguments: {},
  flags: {
    '--org <id>': { description: 'organisation the token belongs to; required', isRequired: true },
    '--name <name>': { description: 'what the token is for; required', isRequired: true },
    '--scope <scope>': SCOPES_FLAG,
    '--expires <duration>': 'lifetime, such as 90d or 24h; default: it does not expire',
    '--json': 'print the token, its id, scopes and expiry as JSON',
  },
  run: async (output, given) => (await import('../run/tokens.ts')).createTokenAction(output, given),
});
