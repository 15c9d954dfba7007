import { defineCommand } from '../cli/define-command.ts';
import { SCOPES_FLAG } from './common-flags.ts';
import { DATA_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'print a link that opens the explorer and signs you in',
  description:
    'Prints a link that opens the explorer of the running service and signs you in. The link works once, within 10 minutes, and only in a browser on the machine of the service. You stay signed in for 12 hours, with a new token named explorer.',
  examples: {
    'Explore the data as an organisation sees it': 'explore --org portland',
    'Include the views for administrators': 'explore --org own --scope catalog,metrics,usage,admin',
  },
  settings: DATA_SETTINGS,
  arguments: {},
  flags: {
    '--org <id>': {
      description: 'organisation whose data is explored; required',
      isRequired: true,
    },
    '--scope <scope>': SCOPES_FLAG,
    '--json': 'print the link, its id, scopes and expiry as JSON',
  },
  run: async (output, given) => (await import('./run/explore.ts')).exploreAction(output, given),
});
