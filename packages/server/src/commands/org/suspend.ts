import { defineCommand } from '../../cli/define-command.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'refuse all tokens of an organisation for a while',
  description:
    'Suspends an organisation: from the next request on, all its tokens are refused with ORGANISATION_SUSPENDED, also those created later. Nothing is removed: tokens, grants, limits and usage stay. To undo it: locmetrics org resume.',
  examples: {
    'Until it has paid': 'org suspend somewhere',
  },
  settings: DATA_SETTINGS,
  arguments: { '<org>': 'id of the organisation' },
  flags: {
    '--json': 'print the organisation as JSON',
  },
  run: async (output, given) =>
    (await import('../run/organisations.ts')).suspendOrganisationAction(output, given),
});
