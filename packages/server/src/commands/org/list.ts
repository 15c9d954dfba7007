import { defineCommand } from '../../cli/define-command.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'list the organisations',
  description: 'Lists the organisations, and which of them are suspended.',
  examples: {
    'As a table': 'org list',
    'Their ids alone': "org list --json | jq -r '.organisations[].id'",
  },
  settings: DATA_SETTINGS,
  arguments: {},
  flags: {
    '--ids': 'print the ids alone, one in each line',
    '--json': { description: 'print them as JSON', conflicts: 'ids' },
  },
  run: async (output, given) =>
    (await import('../run/organisations.ts')).listOrganisationsAction(output, given),
});
