import { defineCommand } from '../../cli/define-command.ts';
import { VERSION_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'list the grants',
  description:
    'Lists the grants, including ended ones, with their restrictions and whether they fit the published data.',
  examples: {
    All: 'grant list',
    'Those of one organisation, with all details': 'grant list --org somewhere --json',
  },
  settings: VERSION_SETTINGS,
  arguments: { '[org]': 'id of an organisation; default: all' },
  flags: {
    '--org <id>': 'the same as the argument',
    '--json': 'print them with all details as JSON',
  },
  run: async (output, given) => (await import('../run/grants.ts')).listGrantsAction(output, given),
});
